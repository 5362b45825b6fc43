//! The program in flash, decoded once.

use pennyweight_machine::account::Remaining;
use pennyweight_memory::bus::Word;

use crate::core::{Core, OpOf};
use crate::op::{flag_set, InstructionSet, ItState};
use crate::place::Place;

/// Operations by halfword of flash.
///
/// The table ends with the last halfword that the image fills. Two [`InstructionSet::LEAVE`]
/// follow, so that an instruction of any length that falls off the end meets one.
#[derive(Clone, Debug)]
pub struct Program<C: Core> {
    core: C,
    base: u32,
    ops: Vec<OpOf<C>>,
    remaining: Vec<Remaining>,
    /// Cycles that a taken branch to each position waits for its target.
    refill: Vec<u8>,
    /// Flags that matter before each operation.
    live: Vec<u8>,
    blocks: Vec<Block<C>>,
}

/// The conditional instructions behind an IT instruction.
#[derive(Clone, Debug, Default)]
pub struct Block<C: Core>(pub Vec<Conditional<C>>);

/// One of them.
#[derive(Clone, Copy, Debug)]
pub struct Conditional<C: Core> {
    /// What it does.
    pub op: OpOf<C>,
    /// If this condition holds.
    pub condition: u32,
    /// Cycles if it does.
    pub cycles: u32,
    /// It and the instructions behind it.
    pub it: ItState,
}

/// What a stop replaced.
#[derive(Clone, Debug)]
pub struct Stop<C: Core>(Vec<(usize, OpOf<C>)>);

/// The halfword at `address` in a memory at `base`.
pub fn halfword(memory: &[Word], base: u32, address: u32) -> Option<u16> {
    let offset = address.wrapping_sub(base);
    let word = memory.get((offset >> 2) as usize)?;
    Some(u16::from_le_bytes(if offset & 2 == 0 { [word[0], word[1]] } else { [word[2], word[3]] }))
}

/// Decodes the instruction at `address`; `conditional`: an IT instruction governs it.
pub fn decode<C: Core>(memory: &[Word], base: u32, address: u32, conditional: bool) -> Option<OpOf<C>> {
    let first = halfword(memory, base, address)?;
    let second = if C::Set::is_wide(first) { halfword(memory, base, address.wrapping_add(2))? } else { 0 };
    Some(C::Set::decode(first, second, address, conditional))
}

/// Cycles of `op` at `place`, among its neighbours; of a conditional branch when it is not
/// taken.
pub fn cycles_at<C: Core>(core: &C, op: &OpOf<C>, place: &Place<'_>) -> u32 {
    let cycles = core.cycles(op);
    if !C::CONTEXT {
        return cycles;
    }
    cycles.saturating_add_signed(C::overlap(op, place))
}

/// Cycles that a taken branch waits for the instruction at `target`, which is in `memory` or
/// cannot be known.
pub fn refill<C: Core>(memory: &[Word], base: u32, target: u32) -> u32 {
    let place = Place::new(memory, base, target, ItState::default());
    decode::<C>(memory, base, target, false).map_or(0, |op| C::refill(&op, &place))
}

impl<C: Core> Program<C> {
    /// Decodes the first `words` words of `flash` at `base`. With `fold`, literals
    /// become part of the operations that load them.
    #[must_use]
    pub fn new(core: C, flash: &[Word], base: u32, words: usize, fold: bool) -> Self {
        let words = words.min(flash.len());
        let halfwords = words * 2;
        let code = &flash[..words];
        let mut ops = vec![C::Set::LEAVE; halfwords + 2];
        let mut remaining = vec![Remaining::default(); halfwords + 2];
        // Behind the table, any flag may be read.
        let mut live = vec![flag_set::ALL; halfwords + 2];
        let mut refills = vec![0; if C::CONTEXT { halfwords + 2 } else { 0 }];
        let mut blocks = Vec::new();
        for i in (0..halfwords).rev() {
            let address = base.wrapping_add(2 * i as u32);
            let Some(mut op) = decode::<C>(code, base, address, false) else {
                continue;
            };
            let width = C::Set::width(&op);
            let next = address.wrapping_add(2 * width);
            let block = C::Set::block(&op);
            let place = Place::new(code, base, address, ItState::default());
            remaining[i] = remaining[i + width as usize].before(cycles_at::<C>(&core, &op, &place));
            if C::CONTEXT {
                refills[i] = C::refill(&op, &place) as u8;
            }
            let literal = C::Set::literal(&op).map(|a| a.wrapping_sub(base).rotate_right(2) as usize);
            if let Some(word) = literal.filter(|_| fold).and_then(|number| flash.get(number)) {
                op = C::Set::with_literal(&op, u32::from_le_bytes(*word));
            }
            let live_after = live[i + width as usize];
            live[i] = C::Set::flags(&op).live_before(live_after);
            op = without_dead_flags::<C>(op, live_after);
            ops[i] = if C::CONTEXT { C::settled(op, &place) } else { op };
            if let Some(state) = block {
                ops[i].imm = blocks.len() as u32;
                blocks.push(block_at(&core, code, base, next, state));
            }
        }
        Program { core, base, ops, remaining, refill: refills, live, blocks }
    }

    /// The core that costs are for.
    #[must_use]
    pub fn core(&self) -> &C {
        &self.core
    }

    /// The conditional instructions behind an operation that [`crate::op::Flow::Block`] came from.
    #[must_use]
    pub fn block(&self, number: u32) -> &[Conditional<C>] {
        self.blocks.get(number as usize).map_or(&[], |block| &block.0)
    }

    /// Cycles that a taken branch to `position` waits for its target.
    #[inline(always)]
    #[must_use]
    pub fn refill(&self, position: usize) -> u32 {
        if C::CONTEXT {
            self.refill[position].into()
        } else {
            0
        }
    }

    /// The position of `address`, if it is predecoded.
    #[inline(always)]
    #[must_use]
    pub fn position(&self, address: u32) -> Option<usize> {
        let position = (address.wrapping_sub(self.base) >> 1) as usize;
        (position < self.ops.len() - 2).then_some(position)
    }

    /// The operations.
    #[inline(always)]
    #[must_use]
    pub fn ops(&self) -> &[OpOf<C>] {
        &self.ops
    }

    /// Straight-line costs by position.
    #[inline(always)]
    #[must_use]
    pub fn remaining(&self) -> &[Remaining] {
        &self.remaining
    }

    /// Cycles of the instruction at `position`, of so many halfwords.
    #[inline(always)]
    #[must_use]
    pub fn cycles(&self, position: usize, width: usize) -> u32 {
        self.remaining[position].cycles.wrapping_sub(self.remaining[position + width].cycles)
    }

    /// First address.
    #[inline(always)]
    #[must_use]
    pub fn base(&self) -> u32 {
        self.base
    }

    /// Makes a run stop before the instruction at `address`, with all flags as they should be.
    /// `flash` is what the program was decoded from.
    pub fn set_stop(&mut self, flash: &[Word], address: u32) -> Stop<C> {
        let Some(stop) = self.position(address) else {
            return Stop(Vec::new());
        };
        let mut replaced = vec![(stop, std::mem::replace(&mut self.ops[stop], C::Set::LEAVE))];
        // Flags matter at the stop that did not matter before: back to where that makes no
        // difference, each of two positions in a row because an instruction may have two halfwords.
        let mut live = [flag_set::ALL, self.live[stop + 1]];
        for i in (0..stop).rev() {
            if live == [self.live[i + 1], self.live[i + 2]] {
                break;
            }
            let address = self.base.wrapping_add(2 * i as u32);
            let Some(op) = decode::<C>(flash, self.base, address, false) else {
                break;
            };
            let width = C::Set::width(&op);
            let live_after = live[width as usize - 1];
            if C::Set::flags(&op).writes & live_after != 0 {
                replaced.push((i, std::mem::replace(&mut self.ops[i], op)));
            }
            live = [C::Set::flags(&op).live_before(live_after), live[0]];
        }
        Stop(replaced)
    }

    /// Takes a stop back.
    pub fn clear_stop(&mut self, stop: Stop<C>) {
        for (position, op) in stop.0 {
            self.ops[position] = op;
        }
    }
}

/// Decodes what `state` governs from `address` on.
fn block_at<C: Core>(core: &C, memory: &[Word], base: u32, mut address: u32, mut state: ItState) -> Block<C> {
    let mut block = Vec::new();
    while state.active() {
        let Some(op) = decode::<C>(memory, base, address, true) else {
            break;
        };
        let cycles = cycles_at::<C>(core, &op, &Place::new(memory, base, address, state));
        block.push(Conditional { op, condition: state.condition(), cycles, it: state });
        address = address.wrapping_add(2 * C::Set::width(&op));
        state = state.advanced();
    }
    Block(block)
}

/// `op`, without the flags that it sets unless one of them is in `live_after`.
fn without_dead_flags<C: Core>(op: OpOf<C>, live_after: u8) -> OpOf<C> {
    if C::Set::flags(&op).writes & live_after == 0 {
        C::Set::without_flags(&op)
    } else {
        op
    }
}
