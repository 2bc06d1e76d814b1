//! What the operation in flight borrows from: the requests of one client, and how they become an operation.

use crate::binding::OpBuilder;
use crate::measure::Series;
use crate::workload::{OperationKind, Request, Select};
use ycsb_plugin_abi::abi_stable::std_types::RStr;
use ycsb_plugin_abi::{as_text, kind};

/// Names that all clients of a run share and that live as long as the process: a call that never returns may
/// still read them when the run is over.
#[derive(Clone, Copy, Debug)]
pub struct RunNames {
    /// Table.
    pub table: &'static str,
    /// Fields.
    pub fields: &'static [&'static str],
    /// The same, as the border wants them.
    pub border_fields: &'static [RStr<'static>],
}

impl RunNames {
    /// Copies the names into memory that is never freed: some hundred bytes per run.
    pub fn new(table: &str, fields: &[String]) -> Self {
        let fields: Vec<&'static str> = fields.iter().map(|name| &*name.clone().leak()).collect();
        let border_fields: Vec<RStr<'static>> = fields.iter().map(|name| as_text(name)).collect();
        RunNames {
            table: table.to_owned().leak(),
            fields: Vec::leak(fields),
            border_fields: Vec::leak(border_fields),
        }
    }
}

/// What is in flight, or about to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cargo {
    /// [`Flight::request`].
    Single,
    /// The first [`Flight::gathered`] of [`Flight::rows`].
    Batch,
    /// The end of the session.
    End,
}

/// A row that waits for its batch to be full.
#[derive(Debug, Default)]
pub(super) struct GatheredRow {
    pub(super) request: Request,
    /// Time at which it was due.
    pub(super) due_ns: Option<u64>,
    /// Times that it was sent already.
    pub(super) attempts: u64,
}

/// Buffers of one client, reused from operation to operation.
#[derive(Debug)]
pub struct Flight {
    pub(super) cargo: Cargo,
    pub(super) request: Request,
    pub(super) rows: Vec<GatheredRow>,
    pub(super) gathered: usize,
    pub(super) deadline_ns: u64,
    names: RunNames,
}

impl Flight {
    pub(super) fn new(names: RunNames) -> Self {
        Flight {
            cargo: Cargo::Single,
            request: Request::default(),
            rows: Vec::new(),
            gathered: 0,
            deadline_ns: 0,
            names,
        }
    }

    /// The series that the operation is recorded under.
    pub(super) fn series(&self) -> Series {
        match self.cargo {
            Cargo::Single => series_of(self.request.kind),
            Cargo::Batch => Series::InsertBatch,
            Cargo::End => Series::Cleanup,
        }
    }

    /// Describes the operation at the border.
    #[inline]
    pub(super) fn fill<'a>(&'a self, op: &mut OpBuilder<'_, 'a>) {
        match self.cargo {
            Cargo::Single => self.fill_single(op),
            Cargo::Batch => {
                op.begin(kind::INSERT_BATCH, "", self.deadline_ns);
                for row in &self.rows[..self.gathered] {
                    op.row(&row.request.key);
                    self.fill_values(&row.request, op);
                }
            }
            Cargo::End => op.begin(kind::END, "", self.deadline_ns),
        }
    }

    #[inline]
    fn fill_single<'a>(&'a self, op: &mut OpBuilder<'_, 'a>) {
        let request = &self.request;
        op.begin(number_of(request.kind), &request.key, self.deadline_ns);
        match request.kind {
            OperationKind::Update | OperationKind::Insert => self.fill_values(request, op),
            OperationKind::Read => self.fill_select(request, op),
            OperationKind::Scan => {
                op.limit(request.limit);
                self.fill_select(request, op);
            }
            // The tokens of a time series say what is deleted.
            OperationKind::Delete => self.fill_tokens(request, op),
        }
        if request.wants_values {
            op.want_values();
        }
    }

    fn fill_values<'a>(&'a self, request: &'a Request, op: &mut OpBuilder<'_, 'a>) {
        for field in &request.fields {
            let name = match request.tokens.get(field.field) {
                Some(token) => token.as_str(),
                None => self.names.fields[field.field],
            };
            op.field(name, &request.values[field.start..field.start + field.len]);
        }
    }

    fn fill_select<'a>(&'a self, request: &'a Request, op: &mut OpBuilder<'_, 'a>) {
        if !request.tokens.is_empty() {
            return self.fill_tokens(request, op);
        }
        match request.select {
            Select::All => {}
            Select::AllByName => self.names.fields.iter().for_each(|name| op.select(name)),
            Select::One(field) => op.select(self.names.fields[field]),
        }
    }

    fn fill_tokens<'a>(&'a self, request: &'a Request, op: &mut OpBuilder<'_, 'a>) {
        request.tokens.iter().for_each(|token| op.select(token));
    }
}

/// The series of an operation kind.
pub(super) fn series_of(kind: OperationKind) -> Series {
    match kind {
        OperationKind::Read => Series::Read,
        OperationKind::Scan => Series::Scan,
        OperationKind::Update => Series::Update,
        OperationKind::Insert => Series::Insert,
        OperationKind::Delete => Series::Delete,
    }
}

/// The number of an operation kind at the border.
fn number_of(kind: OperationKind) -> u32 {
    match kind {
        OperationKind::Read => kind::READ,
        OperationKind::Scan => kind::SCAN,
        OperationKind::Update => kind::UPDATE,
        OperationKind::Insert => kind::INSERT,
        OperationKind::Delete => kind::DELETE,
    }
}
