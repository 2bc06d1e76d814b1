//! All declarations that count for one invocation, and what is known of every other name.

use super::foreign::foreign_owner;
use super::host_properties;
use crate::binding::BindingInfo;
use crate::config::{Declaration, Vocabulary};
use crate::workload::WorkloadClass;
use crate::{measure, schedule};
use std::collections::BTreeMap;

/// Whose property a declaration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// The host.
    Host,
    /// The chosen workload.
    Workload,
    /// The chosen binding.
    Binding,
}

/// What is known of a name.
#[derive(Clone, Debug)]
pub enum Standing<'a> {
    /// Declared for this invocation.
    Declared(&'a Declaration),
    /// Somebody else's: another workload's, another binding's.
    Elsewhere(String),
    /// Nobody's.
    Unknown,
}

/// The declarations of host, chosen workload and chosen binding.
#[derive(Clone, Debug)]
pub struct Catalog {
    vocabulary: Vocabulary,
    owners: BTreeMap<&'static str, Owner>,
    workload: WorkloadClass,
    binding: Option<&'static str>,
}

impl Catalog {
    /// Collects the declarations. Without a binding only the host's and the workload's names are known.
    pub fn new(workload: WorkloadClass, binding: Option<&BindingInfo>) -> Self {
        let mut catalog = Catalog {
            vocabulary: Vocabulary::default(),
            owners: BTreeMap::new(),
            workload,
            binding: binding.map(|info| info.name),
        };
        // The workload first: it may narrow a property that the host declares for all workloads.
        catalog.add(Owner::Workload, workload.declarations());
        for declarations in host_declarations() {
            catalog.add(Owner::Host, declarations);
        }
        if let Some(info) = binding {
            catalog.add(Owner::Binding, &info.properties);
        }
        catalog.add(Owner::Host, host_properties::WITHOUT_EFFECT);
        catalog
    }

    /// Adds the declarations of one more part of the program.
    pub fn add(&mut self, owner: Owner, declarations: &[Declaration]) {
        self.vocabulary.add(declarations);
        for declaration in declarations {
            self.owners.entry(declaration.name).or_insert(owner);
        }
    }

    /// The names, for merging.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The chosen workload.
    pub fn workload(&self) -> WorkloadClass {
        self.workload
    }

    /// Name of the chosen binding.
    pub fn binding(&self) -> Option<&'static str> {
        self.binding
    }

    /// Declarations of one owner, in their own order.
    pub fn of(&self, owner: Owner) -> impl Iterator<Item = &Declaration> {
        self.vocabulary.declarations().iter().filter(move |one| self.owners.get(one.name) == Some(&owner))
    }

    /// What is known of a name.
    pub fn standing(&self, spelling: &str) -> Standing<'_> {
        if let Some(declaration) = self.vocabulary.find(spelling) {
            return Standing::Declared(declaration);
        }
        let others = WorkloadClass::ALL.iter().filter(|class| {
            class.declarations().iter().any(|one| one.name == spelling || one.aliases.contains(&spelling))
        });
        let names: Vec<&str> = others.map(|class| class.name()).collect();
        if !names.is_empty() {
            return Standing::Elsewhere(format!("workload {}", names.join(", ")));
        }
        let declares_prefix = |prefix: &str| self.of(Owner::Binding).any(|one| one.name.starts_with(prefix));
        match foreign_owner(spelling, self.binding, declares_prefix) {
            Some(owners) => Standing::Elsewhere(format!("binding {owners}")),
            None => Standing::Unknown,
        }
    }

    /// Every spelling that is declared, for suggestions.
    pub fn spellings(&self) -> impl Iterator<Item = &'static str> {
        self.vocabulary
            .declarations()
            .iter()
            .filter(|one| !one.prefix)
            .flat_map(|one| one.aliases.iter().copied().chain([one.name]))
    }
}

/// The declarations of all parts of the host, in the order of the reference.
pub fn host_declarations() -> [&'static [Declaration]; 3] {
    [host_properties::DECLARATIONS, schedule::DECLARATIONS, measure::DECLARATIONS]
}
