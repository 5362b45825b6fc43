//! When code is translated.

use crate::engine::Engine;

/// Cycles in the interpreter before the first translation if it is to come soon.
const SOON: u64 = 1_000;
/// The same if it has to pay, on 32-bit cores: interpreting so much takes longer than translating usual programs.
pub const WORTH: u64 = 20_000_000;
/// Runs of translated code after which it is known how long they are.
const SAMPLE: u32 = 1000;
/// Cycles of a run on average that pay for entering and leaving translated code: copying registers takes as long
/// as interpreting so many.
const LEAST: u64 = 2000;
/// Bytes of RAM that are copied in the time of interpreting one cycle, at least.
const COPIED: u32 = 8;
/// Runs that translated code gave up without a fault, before it is used no longer.
const MOST_FALSE_ALARMS: u32 = 8;

/// Counts what the interpreter runs, and decides when to translate.
#[derive(Clone, Debug)]
pub struct Tier {
    limit: u64,
    spent: u64,
    false_alarms: u32,
    /// Cycles of a run on average that pay.
    least: u64,
    /// Runs of translated code since it is observed, and their cycles.
    runs: u32,
    run_cycles: u64,
    /// Are its runs too short?
    rests: bool,
}

impl Tier {
    /// Nothing has run yet, on a machine with so many bytes of RAM. `worth`: cycles in the interpreter before the
    /// first translation if it has to pay.
    #[must_use]
    pub fn new(engine: Engine, worth: u64, ram: u32) -> Tier {
        let (limit, least) = match engine {
            Engine::Translator => (SOON, 0),
            _ => (worth, LEAST + u64::from(ram / COPIED)),
        };
        Tier { limit, spent: 0, false_alarms: 0, least, runs: 0, run_cycles: 0, rests: false }
    }

    /// Translated code ran for so many cycles.
    pub fn ran(&mut self, cycles: u64) {
        self.runs += 1;
        self.run_cycles = self.run_cycles.saturating_add(cycles);
        if self.runs == SAMPLE {
            self.rests = self.run_cycles < self.least * u64::from(SAMPLE);
            (self.runs, self.run_cycles) = (0, 0);
        }
    }

    /// Were the runs of translated code too short? It rests until more is translated.
    #[must_use]
    pub fn rests(&self) -> bool {
        self.rests
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
            (self.spent, self.rests, self.runs, self.run_cycles) = (0, false, 0, 0);
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
    use super::{Tier, LEAST, SAMPLE, SOON, WORTH};
    use crate::engine::Engine;

    #[test]
    fn each_translation_needs_twice_as_many_cycles_as_the_one_before() {
        let mut tier = Tier::new(Engine::Translator, WORTH, 0);
        tier.interpreted(SOON - 1);
        assert!(!tier.is_due());
        assert_eq!(tier.left(), 1);
        tier.interpreted(1);
        assert!(tier.is_due());
        assert_eq!(tier.left(), 2 * SOON);
    }

    #[test]
    fn code_whose_runs_are_too_short_rests_until_the_next_translation() {
        let mut tier = Tier::new(Engine::Auto, WORTH, 8 * 1000);
        (0..SAMPLE).for_each(|_| tier.ran(LEAST + 1000));
        assert!(!tier.rests());
        (0..SAMPLE).for_each(|_| tier.ran(LEAST + 999));
        assert!(tier.rests());
        tier.interpreted(WORTH);
        assert!(tier.is_due() && !tier.rests());
        let mut tier = Tier::new(Engine::Translator, WORTH, 1 << 20);
        (0..SAMPLE).for_each(|_| tier.ran(1));
        assert!(!tier.rests());
    }
}
