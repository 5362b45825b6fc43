//! The effects of instructions, learnt once for each instruction that never changes.

use std::collections::HashMap;
use std::hash::Hash;
use std::rc::Rc;

use pennyweight_machine::effects::Effects;

/// Effects learnt so far, by what identifies an instruction.
#[derive(Debug)]
pub struct Learnt<K>(HashMap<K, Rc<Effects>>);

impl<K> Default for Learnt<K> {
    fn default() -> Self {
        Learnt(HashMap::new())
    }
}

impl<K: Eq + Hash> Learnt<K> {
    /// The effects of the instruction `key`; they are kept if it is `fixed`, that is, not in RAM.
    pub fn of(&mut self, key: K, fixed: bool, learn: impl FnOnce() -> Effects) -> Rc<Effects> {
        if fixed {
            Rc::clone(self.0.entry(key).or_insert_with(|| Rc::new(learn())))
        } else {
            Rc::new(learn())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use pennyweight_machine::effects::Effects;

    use super::Learnt;

    #[test]
    fn only_fixed_instructions_are_learnt_once() {
        let (mut learnt, times) = (Learnt::default(), Cell::new(0));
        let mut ask = |key, fixed| {
            learnt.of(key, fixed, || {
                times.set(times.get() + 1);
                Effects::default()
            });
            times.get()
        };
        assert_eq!([ask(4, true), ask(4, true), ask(8, true)], [1, 1, 2]);
        assert_eq!([ask(12, false), ask(12, false)], [3, 4]);
    }
}
