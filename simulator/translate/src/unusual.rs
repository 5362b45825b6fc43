//! Instructions whose usual cases do not suffice, so that all their cases are translated.

use std::collections::BTreeSet;

/// How often code is left in front of such instructions before it is translated again, the first time.
const PATIENCE: u32 = 16;

/// The instructions of which an unusual case came.
#[derive(Clone, Debug)]
pub struct Unusual {
    addresses: BTreeSet<u32>,
    /// How often code was left since the last translation.
    left: u32,
    patience: u32,
}

impl Default for Unusual {
    fn default() -> Self {
        Unusual { addresses: BTreeSet::new(), left: 0, patience: PATIENCE }
    }
}

impl Unusual {
    /// Is the instruction at `address` one of them?
    #[must_use]
    pub fn contains(&self, address: u32) -> bool {
        self.addresses.contains(&address)
    }

    /// Code was left because of the first of these.
    pub fn add(&mut self, addresses: impl IntoIterator<Item = u32>) {
        self.addresses.extend(addresses);
        self.left += 1;
    }

    /// Is it time to translate again?
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.left >= self.patience
    }

    /// The same. If so, the next time comes after four times as many exits: translating takes longer than hundreds
    /// of them.
    pub fn take_due(&mut self) -> bool {
        let due = self.is_due();
        if due {
            (self.left, self.patience) = (0, self.patience.saturating_mul(4));
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::{Unusual, PATIENCE};

    #[test]
    fn each_translation_needs_four_times_as_many_exits_as_the_one_before() {
        let mut unusual = Unusual::default();
        for exits in [PATIENCE, 4 * PATIENCE] {
            (1..exits).for_each(|_| unusual.add([8]));
            assert!(!unusual.is_due());
            unusual.add([8, 10]);
            assert!(unusual.is_due() && unusual.take_due() && !unusual.is_due());
        }
        assert!(unusual.contains(8) && unusual.contains(10) && !unusual.contains(9));
    }
}
