//! Layer 2: integer, byte and string generators. Pure: randomness is passed in.
