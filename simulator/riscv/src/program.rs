//! Code in flash, decoded once, when it is first reached.
//!
//! The table holds instructions in the order in which they follow each other, from wherever
//! execution came from a jump up to the next jump that never comes back, or to what the table
//! has already. So it does not matter what is between functions, nor how long instructions are:
//! the next one is the next operation. An index by halfword finds the operation of an address.

use pennyweight_machine::account::Remaining;
use pennyweight_memory::bus::Word;

use crate::control::cycles;
use crate::core::Core;
use crate::decode::{decode, is_wide};
use crate::extensions::Extensions;
use crate::op::{Code, Op};
use crate::pipeline::{is_division, Pending};
use crate::registers::Reg;

/// Facts about an operation.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Its address; without an instruction, that of the next one.
    pub address: u32,
    /// Costs from here on: differences of two of these, in a straight line.
    pub remaining: Remaining,
    /// Results may be pending behind it: what is jumped to may have to wait.
    pub leaves_pending: bool,
    /// Its cost, or that of one of the next few, assumes that the instructions in front of it were
    /// executed: a jump to it has to look closer.
    pub expects_pending: bool,
}

/// The table.
#[derive(Clone, Debug)]
pub struct Program {
    core: Core,
    extensions: Extensions,
    line_shift: Option<u32>,
    base: u32,
    ops: Vec<Op>,
    places: Vec<Place>,
    /// The operation of each halfword, or `UNKNOWN`.
    index: Vec<u32>,
    /// Where a run is to stop.
    stop: Option<u32>,
    /// The operation that the stop replaced.
    replaced: Option<(usize, Op)>,
}

const UNKNOWN: u32 = u32::MAX;
const LEAVE: Op = Op::new(Code::Leave, 0);

/// The halfword at `address` in a memory at `base`.
#[must_use]
pub fn halfword(memory: &[Word], base: u32, address: u32) -> Option<u16> {
    let offset = address.wrapping_sub(base);
    let word = memory.get((offset >> 2) as usize)?;
    Some(u16::from_le_bytes(if offset & 2 == 0 { [word[0], word[1]] } else { [word[2], word[3]] }))
}

/// Decodes the instruction at `address`; how many bytes it has comes along.
#[must_use]
pub fn instruction(memory: &[Word], base: u32, address: u32, extensions: Extensions) -> Option<(Op, u32)> {
    let first = halfword(memory, base, address)?;
    if !is_wide(first) {
        return Some((decode(first, 0, address, extensions), 2));
    }
    let second = halfword(memory, base, address.wrapping_add(2))?;
    Some((decode(first, second, address, extensions), 4))
}

impl Program {
    /// An empty table for the first `used` bytes of a flash at `base`.
    #[must_use]
    pub fn new(core: Core, extensions: Extensions, line_shift: Option<u32>, base: u32, used: usize) -> Self {
        Program {
            core,
            extensions,
            line_shift,
            base,
            ops: Vec::new(),
            places: Vec::new(),
            index: vec![UNKNOWN; used.div_ceil(2)],
            stop: None,
            replaced: None,
        }
    }

    /// The core that costs are for.
    #[must_use]
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// The extensions that are decoded.
    #[must_use]
    pub fn extensions(&self) -> Extensions {
        self.extensions
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

    /// The operation of the even `address`, if it is decoded.
    #[inline(always)]
    #[must_use]
    pub fn position(&self, address: u32) -> Option<usize> {
        match self.index.get((address.wrapping_sub(self.base) >> 1) as usize) {
            Some(&position) if position != UNKNOWN => Some(position as usize),
            _ => None,
        }
    }

    /// Cycles of the instruction at `position` behind those in front of it.
    #[must_use]
    pub fn cycles(&self, position: usize) -> u32 {
        let of = |i: usize| self.places.get(i).map_or(0, |place| place.remaining.cycles);
        of(position).wrapping_sub(of(position + 1))
    }

    /// Decodes code from `address` on; its position, unless it does not lie in the table's range.
    pub fn extend(&mut self, flash: &[Word], address: u32) -> Option<usize> {
        if self.slot(address).is_none() || self.stop == Some(address) {
            return None;
        }
        let first = self.ops.len();
        let mut next = address;
        let mut pending = Pending::default();
        let mut remaining = Remaining::default();
        let mut line = None;
        loop {
            if next != address && self.position(next).is_some() {
                self.push(Op::new(Code::GoOn, next), next, remaining);
                break;
            }
            let found = match self.slot(next) {
                Some(_) if self.stop != Some(next) => instruction(flash, self.base, next, self.extensions),
                _ => None,
            };
            let Some((op, bytes)) = found else {
                self.push(LEAVE, next, remaining);
                break;
            };
            if let Some(shift) = self.line_shift {
                let (begins, ends) = (next >> shift, next.wrapping_add(bytes - 1) >> shift);
                if line != Some(begins) {
                    self.push(Op::new(Code::Line, next), next, remaining);
                }
                self.note(next);
                if ends != begins {
                    self.push(Op::new(Code::Line, next.wrapping_add(bytes - 1)), next, remaining);
                }
                line = Some(ends);
            } else {
                self.note(next);
            }
            self.push(op, next, remaining);
            remaining.cycles = remaining.cycles.wrapping_sub(cycles(&mut pending, &op, &self.core));
            remaining.instructions = remaining.instructions.wrapping_sub(1);
            next = next.wrapping_add(bytes);
            if op.ends_line() {
                self.push(LEAVE, next, remaining);
                break;
            }
            if is_barrier(&op) {
                pending = Pending::default();
            }
        }
        self.look_around(first);
        self.position(address)
    }

    fn slot(&self, address: u32) -> Option<usize> {
        let slot = (address.wrapping_sub(self.base) >> 1) as usize;
        (address & 1 == 0 && slot < self.index.len()).then_some(slot)
    }

    /// The next operation is that of `address`.
    fn note(&mut self, address: u32) {
        let position = self.ops.len() as u32;
        if let Some(slot) = self.slot(address) {
            self.index[slot] = position;
        }
    }

    fn push(&mut self, op: Op, address: u32, remaining: Remaining) {
        self.ops.push(op);
        self.places.push(Place { address, remaining, leaves_pending: false, expects_pending: false });
    }

    /// Finds out, for all operations from `first` on, which leave results pending and which count
    /// on them.
    fn look_around(&mut self, first: usize) {
        for position in first..self.ops.len() {
            let op = &self.ops[position];
            if op.is_jump() || matches!(op.code, Code::GoOn | Code::Leave) {
                self.places[position].leaves_pending = !self.pending_behind(position).is_empty();
            }
            let mut pending = Pending::default();
            let mut spent = 0;
            let mut differs = false;
            for later in position..self.ops.len() {
                let op = self.ops[later];
                if spent >= self.core.longest() || matches!(op.code, Code::GoOn | Code::Leave) {
                    break;
                }
                if !is_instruction(&op) {
                    continue;
                }
                spent += cycles(&mut pending, &op, &self.core);
                if spent
                    != self.places[position]
                        .remaining
                        .cycles
                        .wrapping_sub(self.places.get(later + 1).map_or(0, |place| place.remaining.cycles))
                {
                    differs = true;
                    break;
                }
                if is_barrier(&op) {
                    break;
                }
            }
            self.places[position].expects_pending = differs;
        }
    }

    /// What is pending behind the operation at `position`, if execution came to it through enough
    /// instructions in front of it.
    #[must_use]
    pub fn pending_behind(&self, position: usize) -> Pending {
        let longest = self.core.longest() as usize;
        let mut first = position;
        let mut instructions = 0;
        // As far back as matters, but not past what execution does not run through.
        while first > 0 && instructions < longest && !is_barrier(&self.ops[first - 1]) {
            first -= 1;
            instructions += usize::from(is_instruction(&self.ops[first]));
        }
        let issued = (first..=position)
            .filter(|&i| is_instruction(&self.ops[i]))
            .map(|i| (&self.ops[i], self.cycles(i)));
        Pending::behind(issued.collect::<Vec<_>>().into_iter(), &self.core)
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

/// Is it an instruction, not one of the table's own operations?
#[must_use]
pub fn is_instruction(op: &Op) -> bool {
    !matches!(op.code, Code::GoOn | Code::Line | Code::Leave)
}

/// Does nothing pend behind it, because execution does not run through it, or because it waits?
fn is_barrier(op: &Op) -> bool {
    matches!(
        op.code,
        Code::Jump
            | Code::Call
            | Code::JumpReg
            | Code::CallReg
            | Code::Return
            | Code::PopReturn
            | Code::PopReturnZero
            | Code::GoOn
            | Code::Leave
    ) || is_division(op)
        || (op.code == Code::Undefined && op.d == Reg::Sink)
}
