//! Following secret bytes through registers and memory, to where they show in time.
//!
//! A value computed from a secret is secret; a value that is overwritten is no longer secret. Three things
//! may reveal a secret to an observer of the clock: where the program continues, which address it accesses,
//! and an instruction whose time depends on its operands. What a branch on a secret then assigns is not
//! followed: the branch is reported.

use std::collections::{BTreeMap, HashMap};

use crate::effects::{Effects, Sources};
use crate::fault::Access;
use crate::observe::{Accessed, Observer};

/// How a secret shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leak {
    /// It determines the next instruction.
    Branch,
    /// It is part of an address.
    Address,
    /// The instruction's time depends on it.
    Time,
}

impl Leak {
    /// A stable name, for records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Leak::Branch => "branch",
            Leak::Address => "address",
            Leak::Time => "time",
        }
    }
}

/// An observer that follows secrets.
#[derive(Debug, Default)]
pub struct Secrets {
    cells: u128,
    /// Bytes of memory by pages of 64, a bit each.
    memory: HashMap<u32, u64>,
    leaks: BTreeMap<(u32, Leak), u64>,
}

impl Secrets {
    /// The bytes between `start` and before `end` of each range are secret.
    #[must_use]
    pub fn new(ranges: &[(u32, u32)]) -> Self {
        let mut secrets = Secrets::default();
        for &(start, end) in ranges {
            (start..end).for_each(|address| secrets.mark(address, true));
        }
        secrets
    }

    /// Where secrets showed, how, and how often: by address of the instruction.
    #[must_use]
    pub fn leaks(&self) -> Vec<(u32, Leak, u64)> {
        self.leaks.iter().map(|(&(pc, leak), &times)| (pc, leak, times)).collect()
    }

    /// Is the byte at `address` made of secrets?
    #[must_use]
    pub fn is_secret(&self, address: u32) -> bool {
        self.memory.get(&(address / 64)).is_some_and(|bits| bits >> (address % 64) & 1 != 0)
    }

    fn mark(&mut self, address: u32, secret: bool) {
        let bits = self.memory.entry(address / 64).or_default();
        *bits = *bits & !(1 << (address % 64)) | u64::from(secret) << (address % 64);
    }

    fn note(&mut self, pc: u32, leak: Leak) {
        *self.leaks.entry((pc, leak)).or_default() += 1;
    }
}

impl Observer for Secrets {
    fn access(&mut self, _: u32, _: u32, _: Access) {}

    fn instruction(&mut self, _: u32, _: &str, _: u32) {}

    fn called(&mut self, _: u32, _: u32) {}

    fn returned(&mut self, _: u32) {}

    fn wants_effects(&self) -> bool {
        true
    }

    fn effects(&mut self, pc: u32, effects: &Effects, accesses: &[Accessed]) {
        let known = effects.writes.iter().map(|(_, sources)| sources).chain(&effects.stores);
        let last =
            known.map(|sources| 16 - sources.loads.leading_zeros()).max().unwrap_or(0).saturating_sub(1);
        let hidden = effects.address.cells & self.cells != 0;
        let mut loads = 0u16;
        let reads = accesses.iter().filter(|(_, _, access)| *access == Access::Read);
        for (number, &(address, size, _)) in (0u32..).zip(reads) {
            // An access that was made in parts counts as one.
            let secret = (0..size).any(|i| self.is_secret(address.wrapping_add(i)));
            loads |= u16::from(secret) << number.min(last);
        }
        if hidden {
            // What is found at a secret place is secret.
            loads = u16::MAX;
        }
        let cells = self.cells;
        let secret = |sources: &Sources| sources.cells & cells != 0 || sources.loads & loads != 0;
        if secret(&effects.address) {
            self.note(pc, Leak::Address);
        }
        if secret(&effects.flow) {
            self.note(pc, Leak::Branch);
        }
        if secret(&effects.time) {
            self.note(pc, Leak::Time);
        }
        for (cell, sources) in &effects.writes {
            let bit = u128::from(secret(sources) || hidden && sources.loads != 0) << cell;
            self.cells = self.cells & !(1 << cell) | bit;
        }
        let stored: Vec<bool> = effects.stores.iter().map(secret).collect();
        let writes = accesses.iter().filter(|(_, _, access)| *access == Access::Write);
        for (number, &(address, size, _)) in writes.enumerate() {
            let is_secret = stored.get(number).or(stored.last()).copied().unwrap_or(false);
            (0..size).for_each(|i| self.mark(address.wrapping_add(i), is_secret));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Leak, Secrets};
    use crate::effects::{Effects, Sources};
    use crate::fault::Access;
    use crate::observe::Observer as _;

    const LOAD: Sources = Sources { cells: 0, loads: 1 };

    fn cell(number: u8) -> Sources {
        Sources { cells: 1 << number, loads: 0 }
    }

    #[test]
    fn secrets_go_where_they_are_carried_and_no_further() {
        let mut secrets = Secrets::new(&[(0x100, 0x104)]);
        let load = Effects { writes: vec![(1, LOAD)], ..Effects::default() };
        let store = Effects { stores: vec![cell(1)], ..Effects::default() };
        secrets.effects(0, &load, &[(0x103, 4, Access::Read)]);
        secrets.effects(2, &store, &[(0x200, 2, Access::Write)]);
        assert!(secrets.is_secret(0x200) && secrets.is_secret(0x201) && !secrets.is_secret(0x202));
        // What is public overwrites it.
        secrets.effects(4, &load, &[(0x104, 4, Access::Read)]);
        secrets.effects(6, &store, &[(0x200, 1, Access::Write)]);
        assert!(!secrets.is_secret(0x200) && secrets.is_secret(0x201));
        assert_eq!(secrets.leaks(), []);
    }

    #[test]
    fn branches_addresses_and_times_are_counted() {
        let mut secrets = Secrets::new(&[(0x100, 0x104)]);
        let load = Effects { writes: vec![(1, LOAD)], address: cell(2), ..Effects::default() };
        secrets.effects(0, &load, &[(0x100, 4, Access::Read)]);
        let branch = Effects { flow: cell(1), ..Effects::default() };
        secrets.effects(2, &branch, &[]);
        secrets.effects(2, &branch, &[]);
        let divide = Effects { writes: vec![(3, cell(1))], time: cell(1), ..Effects::default() };
        secrets.effects(4, &divide, &[]);
        // A table in flash, reported or not: what is found there is secret.
        let look = Effects { writes: vec![(4, LOAD)], address: cell(3), ..Effects::default() };
        secrets.effects(6, &look, &[]);
        secrets.effects(8, &Effects { flow: cell(4), ..Effects::default() }, &[]);
        let found = [(2, Leak::Branch, 2), (4, Leak::Time, 1), (6, Leak::Address, 1), (8, Leak::Branch, 1)];
        assert_eq!(secrets.leaks(), found);
    }

    #[test]
    fn several_loads_keep_apart() {
        let mut secrets = Secrets::new(&[(0x104, 0x108)]);
        let second = Sources { cells: 0, loads: 2 };
        let pop = Effects { writes: vec![(1, LOAD), (2, second)], flow: LOAD, ..Effects::default() };
        secrets.effects(0, &pop, &[(0x100, 4, Access::Read), (0x104, 4, Access::Read)]);
        let moved = |from| Effects { stores: vec![cell(from)], ..Effects::default() };
        secrets.effects(2, &moved(1), &[(0x200, 1, Access::Write)]);
        secrets.effects(2, &moved(2), &[(0x201, 1, Access::Write)]);
        assert_eq!([0x200, 0x201].map(|address| secrets.is_secret(address)), [false, true]);
        assert_eq!(secrets.leaks(), []);
    }
}
