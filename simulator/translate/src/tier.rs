//! When code is translated.

use crate::engine::Engine;

/// Instructions in the interpreter before the first translation if it is to come soon.
const SOON: u64 = 1_000;
/// The same if it has to pay, before it is even asked how large the code is.
const LEAST_WORK: u64 = 1_000_000;
/// Instructions in the interpreter that pay for compiling a byte of WebAssembly, which takes 1.8 microseconds. A run
/// then takes at most about 1.25 times as long as without translation: interpreting one instruction takes about 1.5
/// nanoseconds.
pub const PRICE: u64 = 4 * 1200;
/// The same where it takes 6 nanoseconds, because fetching or pipeline have a state.
pub const PRICE_OF_SLOW: u64 = PRICE / 4;
/// Runs of translated code after which it is known how long they are.
const SAMPLE: u32 = 1000;
/// Cycles of a run on average that pay for entering and leaving translated code: copying registers takes as long
/// as interpreting so many.
const LEAST: u64 = 2000;
/// Bytes of RAM that are copied in the time of interpreting one cycle, at least.
const COPIED: u32 = 8;

/// Counts what the interpreter runs, and decides when to translate.
#[derive(Clone, Debug)]
pub struct Tier {
    /// Instructions before the next translation.
    limit: u64,
    /// Those since the last one.
    spent: u64,
    /// Instructions in the interpreter that pay for a byte.
    price: u64,
    /// Cycles of a run on average that pay.
    least: u64,
    /// Runs of translated code since it is observed, and their cycles.
    runs: u32,
    run_cycles: u64,
    /// Are its runs too short?
    rests: bool,
}

impl Tier {
    /// Nothing has run yet, on a machine with so many bytes of RAM. `price`: instructions in the interpreter that pay
    /// for compiling a byte.
    #[must_use]
    pub fn new(engine: Engine, price: u64, ram: u32) -> Tier {
        let (limit, price, least) = match engine {
            Engine::Translator => (SOON, 0, 0),
            _ => (LEAST_WORK, price, LEAST + u64::from(ram / COPIED)),
        };
        Tier { limit, spent: 0, price, least, runs: 0, run_cycles: 0, rests: false }
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

    /// The interpreter ran so many instructions.
    pub fn interpreted(&mut self, instructions: u64) {
        self.spent = self.spent.saturating_add(instructions);
    }

    /// Instructions that the interpreter may run before the next translation.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.limit.saturating_sub(self.spent)
    }

    /// Is it time to translate, or to see how much there is to translate?
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.spent >= self.limit
    }

    /// Does it pay to compile so many bytes of WebAssembly? If so, the next time comes after twice as much work; else
    /// when it does.
    pub fn pays(&mut self, bytes: u64) -> bool {
        let price = self.price.saturating_mul(bytes);
        if self.spent < price {
            self.limit = price;
            return false;
        }
        (self.spent, self.rests, self.runs, self.run_cycles) = (0, false, 0, 0);
        self.limit = self.limit.saturating_mul(2);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{Tier, LEAST, LEAST_WORK, PRICE, SAMPLE, SOON};
    use crate::engine::Engine;

    #[test]
    fn each_translation_needs_twice_as_much_work_as_the_one_before() {
        let mut tier = Tier::new(Engine::Translator, PRICE, 0);
        tier.interpreted(SOON - 1);
        assert!(!tier.is_due());
        assert_eq!(tier.left(), 1);
        tier.interpreted(1);
        assert!(tier.is_due() && tier.pays(1_000_000));
        assert_eq!(tier.left(), 2 * SOON);
    }

    #[test]
    fn large_code_needs_more_work_than_small_code() {
        let mut tier = Tier::new(Engine::Auto, PRICE, 0);
        tier.interpreted(LEAST_WORK);
        assert!(tier.is_due() && !tier.pays(20_000));
        assert_eq!(tier.left(), 20_000 * PRICE - LEAST_WORK);
        tier.interpreted(tier.left());
        assert!(tier.is_due() && tier.pays(20_000));
        assert_eq!(tier.left(), 2 * 20_000 * PRICE);
        let mut tier = Tier::new(Engine::Auto, PRICE, 0);
        tier.interpreted(LEAST_WORK);
        assert!(tier.is_due() && tier.pays(LEAST_WORK / PRICE));
    }

    #[test]
    fn code_whose_runs_are_too_short_rests_until_the_next_translation() {
        let mut tier = Tier::new(Engine::Auto, PRICE, 8 * 1000);
        (0..SAMPLE).for_each(|_| tier.ran(LEAST + 1000));
        assert!(!tier.rests());
        (0..SAMPLE).for_each(|_| tier.ran(LEAST + 999));
        assert!(tier.rests());
        tier.interpreted(LEAST_WORK);
        assert!(tier.is_due() && tier.pays(1) && !tier.rests());
        let mut tier = Tier::new(Engine::Translator, PRICE, 1 << 20);
        (0..SAMPLE).for_each(|_| tier.ran(1));
        assert!(!tier.rests());
    }
}
