//! What an instruction makes of what: which values its results, addresses, way and time depend on.
//!
//! There is no table of this: it is inferred from the executor itself, which is run on made-up values,
//! again with one of them changed, and again, and compared. So what is inferred cannot
//! contradict what is executed. A dependence that shows in one of 2^32 values only would be missed; that
//! is why the values tried are those at which results, flags and times change, and those that the
//! instruction itself names.

use std::ops::BitOrAssign;

/// Places of a core that hold a value (registers, flags), at most.
pub const CELLS: usize = 128;
/// Loads of one instruction that are distinguished; more count as the last.
pub const LOADS: usize = 16;

/// Values that something depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// A bit for each cell.
    pub cells: u128,
    /// A bit for each load of the instruction, in order.
    pub loads: u16,
}

impl BitOrAssign for Sources {
    fn bitor_assign(&mut self, other: Sources) {
        self.cells |= other.cells;
        self.loads |= other.loads;
    }
}

/// What an instruction makes of what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// The cells that it writes, and what is written there.
    pub writes: Vec<(u8, Sources)>,
    /// What it stores, in order.
    pub stores: Vec<Sources>,
    /// What the addresses of its accesses depend on.
    pub address: Sources,
    /// What determines the next instruction.
    pub flow: Sources,
    /// What its time depends on, apart from the next instruction.
    pub time: Sources,
}

impl Effects {
    /// What is written to `cell`, if it is.
    #[must_use]
    pub fn written(&self, cell: u8) -> Option<Sources> {
        self.writes.iter().find(|(number, _)| *number == cell).map(|(_, sources)| *sources)
    }
}

/// Values that an instruction is tried on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// Values of the cells.
    pub cells: [u32; CELLS],
    /// Values that loads find, in order.
    pub loads: [u32; LOADS],
}

/// What an instruction made of a [`Trial`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// Values of the cells.
    pub cells: [u32; CELLS],
    /// Values stored, in order.
    pub stores: Vec<u32>,
    /// Addresses of all accesses, in order.
    pub addresses: Vec<u32>,
    /// A number for the next instruction.
    pub next: u32,
    /// Its time as far as it depends on values.
    pub cycles: u32,
    /// How many loads it made.
    pub loads: usize,
}

/// How a core is asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The bits that each cell has; 0 for one that is never changed.
    pub widths: &'a [u32],
    /// Bits of what a load finds that are changed at least.
    pub load_width: u32,
    /// Values that the instruction names.
    pub hints: &'a [u32],
}

/// Rounds, each with other values to begin with.
const ROUNDS: u64 = 20;
/// Values at which much changes.
const EDGES: [u32; 14] =
    [0, 1, 2, 3, 0x0f, 0x10, 0x1f, 0x20, 0x7f, 0x80, 0xff, 0x7fff_ffff, 0x8000_0000, u32::MAX];

/// Learns what an instruction does from `execute`, which does it.
pub fn infer(question: Question<'_>, mut execute: impl FnMut(&Trial) -> Tried) -> Effects {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut found = Found::default();
    for round in 0..ROUNDS {
        let trial = begin(question, round, &mut random);
        let before = execute(&trial);
        found.note_writes(&trial, &before);
        for (cell, &width) in question.widths.iter().enumerate().filter(|(_, width)| **width != 0) {
            let source = Sources { cells: 1 << cell, loads: 0 };
            for value in changes(trial.cells[cell], width, question.hints, round, &mut random) {
                let mut changed = trial.clone();
                changed.cells[cell] = value;
                let after = execute(&changed);
                found.note_writes(&changed, &after);
                found.compare(&before, &after, source);
            }
        }
        for load in 0..before.loads.min(LOADS) {
            let source = Sources { cells: 0, loads: 1 << load };
            let width = question.load_width;
            for value in changes(trial.loads[load], width, question.hints, round, &mut random) {
                let mut changed = trial.clone();
                changed.loads[load] = value;
                let after = execute(&changed);
                found.note_writes(&changed, &after);
                found.compare(&before, &after, source);
            }
        }
    }
    found.effects()
}

/// Values to begin a round with: sometimes all the same, so that comparisons come out equal; once 0, so that
/// a carry alone makes a sum other than 0.
fn begin(question: Question<'_>, round: u64, random: &mut Random) -> Trial {
    let mut trial = Trial { cells: [0; CELLS], loads: [0; LOADS] };
    let same = match round {
        0 => Some(0),
        _ => round.is_multiple_of(4).then(|| random.value(question.hints)),
    };
    for (cell, &width) in trial.cells.iter_mut().zip(question.widths) {
        *cell = same.unwrap_or_else(|| random.value(question.hints)) & mask(width);
    }
    for load in &mut trial.loads {
        *load = same.unwrap_or_else(|| random.value(question.hints));
    }
    trial
}

/// Other values than `value`. Zero and what the instruction names have their turn for certain: what is
/// compared with them goes another way for no other value.
fn changes(value: u32, width: u32, hints: &[u32], round: u64, random: &mut Random) -> Vec<u32> {
    let turn = match round as usize % (hints.len() + 1) {
        0 => 0,
        number => hints[number - 1],
    };
    let mut others = vec![!value, value ^ 1, turn, random.value(hints), random.next() as u32];
    others.iter_mut().for_each(|other| *other &= mask(width));
    others.sort_unstable();
    others.dedup();
    others.retain(|&other| other != value);
    others
}

fn mask(width: u32) -> u32 {
    u32::MAX.checked_shr(32 - width.min(32)).unwrap_or(0)
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A value at which something may change, or any.
    fn value(&mut self, hints: &[u32]) -> u32 {
        let pick = self.next();
        let at = (pick >> 8) as usize;
        match pick % 8 {
            0..=2 => EDGES[at % EDGES.len()],
            3 | 4 if !hints.is_empty() => hints[at % hints.len()],
            5 => (pick >> 40) as u32 & 0x3f,
            _ => (pick >> 32) as u32,
        }
    }
}

/// What was seen so far.
struct Found {
    written: u128,
    writes: [Sources; CELLS],
    stores: Vec<Sources>,
    address: Sources,
    flow: Sources,
    time: Sources,
}

impl Default for Found {
    fn default() -> Self {
        let none = Sources::default();
        Found { written: 0, writes: [none; CELLS], stores: Vec::new(), address: none, flow: none, time: none }
    }
}

impl Found {
    fn note_writes(&mut self, trial: &Trial, tried: &Tried) {
        for (cell, (before, after)) in trial.cells.iter().zip(&tried.cells).enumerate() {
            self.written |= u128::from(before != after) << cell;
        }
        if self.stores.len() < tried.stores.len() {
            self.stores.resize(tried.stores.len(), Sources::default());
        }
    }

    fn compare(&mut self, one: &Tried, other: &Tried, source: Sources) {
        for (cell, (a, b)) in one.cells.iter().zip(&other.cells).enumerate() {
            if a != b {
                self.writes[cell] |= source;
            }
        }
        for (i, sources) in self.stores.iter_mut().enumerate() {
            if one.stores.get(i) != other.stores.get(i) {
                *sources |= source;
            }
        }
        if one.addresses != other.addresses {
            self.address |= source;
        }
        if one.next != other.next {
            self.flow |= source;
        }
        if one.cycles != other.cycles {
            self.time |= source;
        }
    }

    fn effects(self) -> Effects {
        let written = (0..CELLS).filter(|cell| self.written >> cell & 1 != 0);
        Effects {
            writes: written.map(|cell| (cell as u8, self.writes[cell])).collect(),
            stores: self.stores,
            address: self.address,
            flow: self.flow,
            time: self.time,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{infer, Effects, Question, Sources, Trial, Tried};

    fn cells(bits: u128) -> Sources {
        Sources { cells: bits, loads: 0 }
    }

    fn inferred(hints: &[u32], act: impl Fn(&mut Tried, &Trial)) -> Effects {
        let question = Question { widths: &[32, 32, 32, 1], load_width: 32, hints };
        infer(question, |trial| {
            let mut tried = Tried {
                cells: trial.cells,
                stores: Vec::new(),
                addresses: Vec::new(),
                next: 0,
                cycles: 0,
                loads: 0,
            };
            act(&mut tried, trial);
            tried
        })
    }

    #[test]
    fn results_depend_on_what_they_are_made_of() {
        let add =
            inferred(&[], |after, before| after.cells[2] = before.cells[0].wrapping_add(before.cells[1]));
        assert_eq!(add.writes, [(2, cells(0b011))]);
        let clear = inferred(&[], |after, before| after.cells[2] = before.cells[2] ^ before.cells[2]);
        assert_eq!(clear.writes, [(2, cells(0))]);
        let select = inferred(&[], |after, before| {
            after.cells[2] = if before.cells[3] == 0 { before.cells[0] } else { before.cells[2] };
        });
        assert_eq!(select.writes, [(2, cells(0b1101))]);
    }

    #[test]
    fn a_carry_is_seen_where_it_alone_makes_a_sum_other_than_zero() {
        let act = |after: &mut Tried, before: &Trial| {
            let [a, b, _, carry, ..] = before.cells;
            after.cells[2] = u32::from(a.wrapping_add(b).wrapping_add(carry) == 0);
        };
        assert_eq!(inferred(&[], act).written(2), Some(cells(0b1011)));
    }

    #[test]
    fn a_comparison_with_a_constant_is_seen_through_it() {
        let act =
            |after: &mut Tried, before: &Trial| after.cells[3] = u32::from(before.cells[0] == 0x1234_5678);
        assert_eq!(inferred(&[0x1234_5678], act).written(3), Some(cells(1)));
    }

    #[test]
    fn what_one_value_alone_decides_is_seen_for_every_cell_and_load() {
        let widths = [32; 33];
        for value in [0, 0x1234_5678] {
            let question = Question { widths: &widths, load_width: 32, hints: &[0x1234_5678, 9] };
            for cell in 0..33 {
                let effects = infer(question, |trial| Tried {
                    cells: trial.cells,
                    stores: Vec::new(),
                    addresses: Vec::new(),
                    next: u32::from(trial.cells[cell] == value),
                    cycles: u32::from(trial.loads[cell % 16] == value),
                    loads: 16,
                });
                assert_eq!(effects.flow, cells(1 << cell), "{value:#x}");
                assert_eq!(effects.time, Sources { cells: 0, loads: 1 << (cell % 16) }, "{value:#x}");
            }
        }
    }

    #[test]
    fn loads_stores_addresses_ways_and_times_are_told_apart() {
        let effects = inferred(&[], |after, before| {
            after.addresses = vec![before.cells[0], before.cells[0].wrapping_add(4), before.cells[1]];
            after.loads = 2;
            after.cells[2] = before.loads[1];
            after.stores = vec![before.loads[0], 7];
            after.next = before.cells[3];
            after.cycles = before.cells[1].leading_zeros();
        });
        assert_eq!(effects.written(2), Some(Sources { cells: 0, loads: 2 }));
        assert_eq!(effects.stores, [Sources { cells: 0, loads: 1 }, cells(0)]);
        assert_eq!((effects.address, effects.flow, effects.time), (cells(0b11), cells(0b1000), cells(0b10)));
    }
}
