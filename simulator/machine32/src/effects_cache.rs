//! The effects of instructions, found once for each instruction that never changes.

use std::collections::HashMap;
use std::hash::Hash;
use std::rc::Rc;

use pennyweight_machine::effects::Effects;

/// Effects found so far, by what identifies an instruction.
#[derive(Debug)]
pub struct EffectsCache<K>(HashMap<K, Rc<Effects>>);

impl<K> Default for EffectsCache<K> {
    fn default() -> Self {
        EffectsCache(HashMap::new())
    }
}

impl<K: Eq + Hash> EffectsCache<K> {
    /// The effects of the instruction `key`, from `find` unless they are here. They are cached if the
    /// instruction is `fixed`, that is, not in RAM.
    pub fn get(&mut self, key: K, fixed: bool, find: impl FnOnce() -> Effects) -> Rc<Effects> {
        if fixed {
            Rc::clone(self.0.entry(key).or_insert_with(|| Rc::new(find())))
        } else {
            Rc::new(find())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use pennyweight_machine::effects::Effects;

    use super::EffectsCache;

    #[test]
    fn only_effects_of_fixed_instructions_are_cached() {
        let (mut cache, times) = (EffectsCache::default(), Cell::new(0));
        let mut get = |key, fixed| {
            cache.get(key, fixed, || {
                times.set(times.get() + 1);
                Effects::default()
            });
            times.get()
        };
        assert_eq!([get(4, true), get(4, true), get(8, true)], [1, 1, 2]);
        assert_eq!([get(12, false), get(12, false)], [3, 4]);
    }
}
