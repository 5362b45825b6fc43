//! Code in flash, decoded once, when it is first reached: as in the RISC-V simulator, the table
//! holds instructions in the order in which they follow each other.

use std::collections::HashSet;

use pennyweight_machine::account::Remaining;
use pennyweight_memory::bus::Word;

use crate::core::{Core, Options};
use crate::decode::{decode, length, plain, writes};
use crate::op::{Code, Op, Reg};
use crate::special;
use crate::timing::{cycles, waits};

/// Facts about an operation.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Its address.
    pub address: u32,
    /// Costs from here on: differences of two of these, in a straight line.
    pub remaining: Remaining,
    /// Cycles in its cost that it waits for the instruction in front of it: who jumps here does
    /// not wait, because two cycles have gone by.
    pub waits: u32,
    /// The highest four of registers that it uses: 0 to 3.
    pub highest: u8,
}

/// The table.
#[derive(Clone, Debug)]
pub struct Program {
    core: Core,
    base: u32,
    ops: Vec<Op>,
    places: Vec<Place>,
    /// The operation of each byte, or `UNKNOWN`.
    index: Vec<u32>,
    /// Addresses where loops end.
    ends: HashSet<u32>,
    stop: Option<u32>,
    replaced: Option<(usize, Op)>,
    /// How often the table was forgotten.
    #[cfg(feature = "translator")]
    version: u32,
}

const UNKNOWN: u32 = u32::MAX;
const LEAVE: Op = Op::new(Code::Leave, 0);

/// Decodes the instruction at `address` in a memory at `base`; how many bytes it has comes along.
#[must_use]
pub fn instruction(memory: &[Word], base: u32, address: u32, core: &Core) -> Option<(Op, u32)> {
    let bytes = memory.as_flattened();
    let start = address.wrapping_sub(base) as usize;
    let first = *bytes.get(start)?;
    let size = length(first);
    let rest = bytes.get(start..start.checked_add(size as usize)?)?;
    let word = rest.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
    Some((decode(word, address, core.options), size))
}

/// Does `op` go elsewhere, to come back behind it?
fn is_call(op: &Op) -> bool {
    match op.code {
        Code::Call0 | Code::Callx0 => true,
        Code::Special => special::decode(op.imm, Options::ALL).is_some_and(|it| it.jumps()),
        _ => false,
    }
}

/// The highest four of registers that `op` uses, 0 to 3.
#[must_use]
pub fn highest(op: &Op) -> u8 {
    let four = |reg: Reg| if reg == Reg::NONE { 0 } else { reg.0 >> 2 & 3 };
    let sources = four(op.s).max(four(op.t));
    match op.code {
        Code::OtherSp => highest(&plain(op.imm, 0, Options::ALL)),
        Code::Special => {
            let calls = special::decode(op.imm, Options::ALL).map_or(0, |it| it.highest_four());
            sources.max(four(op.d)).max(calls as u8)
        }
        code if writes(code) => sources.max(four(op.d)),
        _ => sources,
    }
}

impl Program {
    /// An empty table for the first `used` bytes of a flash at `base`.
    #[must_use]
    pub fn new(core: Core, base: u32, used: usize) -> Self {
        Program {
            core,
            base,
            ops: Vec::new(),
            places: Vec::new(),
            index: vec![UNKNOWN; used],
            ends: HashSet::new(),
            stop: None,
            replaced: None,
            #[cfg(feature = "translator")]
            version: 0,
        }
    }

    /// Changes when the table is forgotten.
    #[cfg(feature = "translator")]
    #[must_use]
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The core that costs are for.
    #[must_use]
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// The operations.
    #[inline(always)]
    #[must_use]
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// What there is to know of each.
    #[inline(always)]
    #[must_use]
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// The operation of `address`, if it is decoded.
    #[inline(always)]
    #[must_use]
    pub fn position(&self, address: u32) -> Option<usize> {
        match self.index.get(address.wrapping_sub(self.base) as usize) {
            Some(&position) if position != UNKNOWN => Some(position as usize),
            _ => None,
        }
    }

    /// Notes that a loop ends in front of `address`; false: code that falls into it was decoded
    /// without knowing, and all is forgotten.
    pub fn add_end(&mut self, address: u32) -> bool {
        if !self.ends.insert(address) || (self.position(address).is_none() && self.stop != Some(address)) {
            return true;
        }
        self.ops.clear();
        self.places.clear();
        self.index.fill(UNKNOWN);
        self.replaced = None;
        #[cfg(feature = "translator")]
        {
            self.version = self.version.wrapping_add(1);
        }
        false
    }

    /// Is it the end of a known loop?
    #[inline(always)]
    #[must_use]
    pub fn is_loop_end(&self, address: u32) -> bool {
        self.ends.contains(&address)
    }

    /// Decodes code from `address` on; its position, unless it does not lie in the table's range.
    pub fn extend(&mut self, flash: &[Word], address: u32) -> Option<usize> {
        if self.slot(address).is_none() || self.stop == Some(address) {
            return None;
        }
        let mut next = address;
        let mut before: Option<Op> = None;
        let mut remaining = Remaining::default();
        loop {
            if next != address && self.ends.contains(&next) {
                self.push(Op::new(Code::LoopEnd, next), next, remaining, 0);
            }
            if next != address && self.position(next).is_some() {
                // What follows waits as if nothing came before it, or as what came before it there.
                let target = self.position(next).map_or(LEAVE, |position| self.ops[position]);
                let waits = waits(before.as_ref(), &target);
                self.push(Op::new(Code::GoOn, next), next, remaining, waits);
                break;
            }
            let found = match self.slot(next) {
                Some(_) if self.stop != Some(next) => instruction(flash, self.base, next, &self.core),
                _ => None,
            };
            let Some((op, bytes)) = found else {
                self.push(LEAVE, next, remaining, 0);
                break;
            };
            if matches!(op.code, Code::Loop | Code::Loopnez | Code::Loopgtz) && !self.add_end(op.imm) {
                return self.extend(flash, address);
            }
            let waits = waits(before.as_ref(), &op);
            if let Some(slot) = self.slot(next) {
                self.index[slot] = self.ops.len() as u32;
            }
            self.push(op, next, remaining, waits);
            remaining.cycles = remaining.cycles.wrapping_sub(cycles(&op, &self.core) + waits);
            remaining.instructions = remaining.instructions.wrapping_sub(1);
            next = next.wrapping_add(bytes);
            // Behind a call nothing is on its way.
            before = (!is_call(&op)).then_some(op);
            if op.ends_line() {
                self.push(LEAVE, next, remaining, 0);
                break;
            }
        }
        self.position(address)
    }

    fn slot(&self, address: u32) -> Option<usize> {
        let slot = address.wrapping_sub(self.base) as usize;
        (slot < self.index.len()).then_some(slot)
    }

    fn push(&mut self, op: Op, address: u32, remaining: Remaining, waits: u32) {
        self.ops.push(op);
        self.places.push(Place { address, remaining, waits, highest: highest(&op) });
    }

    /// Makes runs stop before the instruction at `address`.
    pub fn set_stop(&mut self, address: u32) {
        self.stop = Some(address);
        if let Some(position) = self.position(address) {
            let op = std::mem::replace(&mut self.ops[position], LEAVE);
            self.replaced = Some((position, op));
        }
    }

    /// Takes the stop back.
    pub fn clear_stop(&mut self) {
        self.stop = None;
        if let Some((position, op)) = self.replaced.take() {
            self.ops[position] = op;
        }
    }
}
