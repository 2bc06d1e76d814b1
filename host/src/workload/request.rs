//! One operation in buffers that a client owns and reuses.

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OperationKind {
    /// Read one record.
    Read,
    /// Read records in order from a key on.
    Scan,
    /// Change fields of a record.
    Update,
    /// Write a whole record.
    Insert,
    /// Remove a record.
    Delete,
}

/// Which fields a READ or SCAN wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Select {
    /// All, without naming them.
    All,
    /// All, each by its name.
    AllByName,
    /// The field with this number.
    One(usize),
}

/// The value of one field: bytes `start..start + len` of [`Request::values`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldRange {
    /// Number of the field, an index into the workload's field names.
    pub field: usize,
    /// First byte.
    pub start: usize,
    /// Length in bytes.
    pub len: usize,
}

/// One operation. The buffers are reused from one operation to the next.
#[derive(Clone, Debug)]
pub struct Request {
    /// What to do.
    pub kind: OperationKind,
    /// Number of the record; the first record of a scan.
    pub key_number: i64,
    /// Key text.
    pub key: String,
    /// Fields to read.
    pub select: Select,
    /// Fields to write.
    pub fields: Vec<FieldRange>,
    /// Bytes of the fields to write.
    pub values: Vec<u8>,
    /// Rows wanted by a scan.
    pub limit: u64,
    /// Whether returned rows have to be handed to the stream.
    pub wants_values: bool,
    /// Names to select or write that are no workload fields: the text tokens of time series. Used instead of
    /// `select` and of the field names where it is not empty.
    pub tokens: Vec<String>,
}

impl Default for Request {
    fn default() -> Self {
        Request {
            kind: OperationKind::Read,
            key_number: 0,
            key: String::new(),
            select: Select::All,
            fields: Vec::new(),
            values: Vec::new(),
            limit: 0,
            wants_values: false,
            tokens: Vec::new(),
        }
    }
}
