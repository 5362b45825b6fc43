//! When code is translated.

use crate::engine::Engine;

/// Cycles in the interpreter before the first translation if it is to come soon.
const SOON: u64 = 1_000;
/// The same if it has to pay: interpreting so much takes longer than translating usual programs.
const WORTH: u64 = 20_000_000;
/// Runs that translated code gave up without a fault, before it is used no longer.
const MOST_FALSE_ALARMS: u32 = 8;

/// Counts what the interpreter runs, and decides when to translate.
#[derive(Clone, Debug)]
pub struct Tier {
    limit: u64,
    spent: u64,
    false_alarms: u32,
}

impl Tier {
    /// Nothing has run yet.
    #[must_use]
    pub fn new(engine: Engine) -> Tier {
        let limit = if engine == Engine::Translator { SOON } else { WORTH };
        Tier { limit, spent: 0, false_alarms: 0 }
    }

    /// The interpreter ran so many cycles.
    pub fn interpreted(&mut self, cycles: u64) {
        self.spent = self.spent.saturating_add(cycles);
    }

    /// Cycles that the interpreter may run before the next translation.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.limit.saturating_sub(self.spent)
    }

    /// Is it time to translate? If so, the next time comes after twice as many cycles.
    pub fn is_due(&mut self) -> bool {
        let due = self.spent >= self.limit;
        if due {
            self.spent = 0;
            self.limit = self.limit.saturating_mul(2);
        }
        due
    }

    /// A check failed, but the interpreter found no fault.
    pub fn false_alarm(&mut self) {
        self.false_alarms += 1;
    }

    /// Has translated code given up too often?
    #[must_use]
    pub fn is_off(&self) -> bool {
        self.false_alarms >= MOST_FALSE_ALARMS
    }
}

#[cfg(test)]
mod tests {
    use super::{Tier, SOON};
    use crate::engine::Engine;

    #[test]
    fn each_translation_needs_twice_as_many_cycles_as_the_one_before() {
        let mut tier = Tier::new(Engine::Translator);
        tier.interpreted(SOON - 1);
        assert!(!tier.is_due());
        assert_eq!(tier.left(), 1);
        tier.interpreted(1);
        assert!(tier.is_due());
        assert_eq!(tier.left(), 2 * SOON);
    }
}
