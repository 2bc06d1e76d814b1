//! How many operations a client still has to do.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The operations that a client may still begin.
#[derive(Clone, Debug)]
pub enum Budget {
    /// As many as it likes.
    Unlimited,
    /// Its own share.
    Own(u64),
    /// What all clients together may still begin: in an open loop the next arrival goes to whoever is free,
    /// so a client that hangs must not keep operations from the others.
    Common(Arc<AtomicU64>),
}

impl Budget {
    /// A share of its own, or no limit.
    pub fn own(share: Option<u64>) -> Budget {
        share.map_or(Budget::Unlimited, Budget::Own)
    }

    /// Whether nothing is left.
    #[inline]
    pub(super) fn is_used_up(&self) -> bool {
        match self {
            Budget::Unlimited => false,
            Budget::Own(left) => *left == 0,
            Budget::Common(left) => left.load(Ordering::Relaxed) == 0,
        }
    }

    /// Takes one operation; false if nothing was left.
    #[inline]
    pub(super) fn take(&mut self) -> bool {
        match self {
            Budget::Unlimited => true,
            Budget::Own(left) => match left.checked_sub(1) {
                Some(less) => {
                    *left = less;
                    true
                }
                None => false,
            },
            Budget::Common(left) => {
                left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_common_budget_is_taken_by_whoever_comes() {
        let common = Budget::Common(Arc::new(AtomicU64::new(3)));
        let (mut fast, mut slow) = (common.clone(), common);
        assert!(fast.take() && fast.take() && fast.take());
        assert!(!fast.take() && !slow.take() && slow.is_used_up());
    }

    #[test]
    fn an_own_share_ends_and_no_limit_does_not() {
        let mut own = Budget::own(Some(1));
        assert!(own.take() && !own.take() && own.is_used_up());
        let mut unlimited = Budget::own(None);
        assert!(unlimited.take() && !unlimited.is_used_up());
    }
}
