//! Drives a plugin through its tables, as the host does: for the tests of plugins and of this crate.
//!
//! ```
//! use ycsb_plugin_api::testing::{Do, Open, Plugin};
//! # use ycsb_plugin_api::*;
//! # struct Ok1; struct S;
//! # impl Binding for Ok1 {
//! #     const INFO: Info = Info::new("ok");
//! #     type Session = S;
//! #     fn open(_: &Settings<'_>, _: &Env<'_>) -> Result<Opened<Ok1>, Failure> { Ok(Opened::new(Ok1)) }
//! #     fn session(&self, _: &Client<'_>) -> Result<S, Failure> { Ok(S) }
//! # }
//! # impl Session for S {
//! #     fn read(&mut self, _: Read<'_>, rows: &mut Rows<'_>) -> Answer { rows.field("f", "v"); Ok(Done::OK) }
//! # }
//! # type MyBinding = Ok1;
//! let plugin = Plugin::blocking::<MyBinding>();
//! let binding = plugin.open(Open::default()).expect("opens");
//! let ended = binding.play_one([Do::open(), Do::read("user1"), Do::end()]);
//! assert_eq!(ended[1].status, ycsb_plugin_api::abi::status::OK);
//! assert_eq!(ended[1].rows[0].field("f"), Some(&b"v"[..]));
//! ```

mod counting;
mod memory;
mod play;
mod plugin;
mod step;

pub use counting::CountingAllocator;
pub use plugin::{Open, OpenBinding, Plugin, echoed, logged};
pub use step::{Do, Ended, ReturnedRow, statuses};
