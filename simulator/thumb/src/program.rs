//! The program in flash, decoded once.

use pennyweight_machine::account::Remaining;
use pennyweight_memory::bus::Word;

use crate::core::Core;
use crate::op::{flag_set, InstructionSet, Op};

/// Operations by halfword of flash.
///
/// The table ends with the last halfword that the image fills. Two [`InstructionSet::LEAVE`]
/// follow, so that an instruction of any length that falls off the end meets one.
#[derive(Clone, Debug)]
pub struct Program<C: Core> {
    base: u32,
    ops: Vec<Op<<C::Set as InstructionSet>::Code>>,
    remaining: Vec<Remaining>,
    /// Flags that matter before each operation.
    live: Vec<u8>,
}

/// What a stop replaced.
#[derive(Clone, Debug)]
pub struct Stop<C: Core>(Vec<(usize, OpOf<C>)>);

type OpOf<C> = Op<<<C as Core>::Set as InstructionSet>::Code>;

/// The halfword at `address` in a memory at `base`.
pub fn halfword(memory: &[Word], base: u32, address: u32) -> Option<u16> {
    let offset = address.wrapping_sub(base);
    let word = memory.get((offset >> 2) as usize)?;
    Some(u16::from_le_bytes(if offset & 2 == 0 { [word[0], word[1]] } else { [word[2], word[3]] }))
}

/// Decodes the instruction at `address`; what it costs and how many halfwords it has come along.
pub fn decode<C: Core>(memory: &[Word], base: u32, address: u32) -> Option<(OpOf<C>, u32)> {
    let first = halfword(memory, base, address)?;
    if !C::Set::is_wide(first) {
        return Some((C::Set::decode(first, 0, address), 1));
    }
    let second = halfword(memory, base, address.wrapping_add(2))?;
    Some((C::Set::decode(first, second, address), 2))
}

impl<C: Core> Program<C> {
    /// Decodes the first `words` words of `flash`, which lies at `base`.
    #[must_use]
    pub fn new(flash: &[Word], base: u32, words: usize) -> Self {
        let words = words.min(flash.len());
        let halfwords = words * 2;
        let mut ops = vec![C::Set::LEAVE; halfwords + 2];
        let mut remaining = vec![Remaining::default(); halfwords + 2];
        // Behind the table anything may look at any flag.
        let mut live = vec![flag_set::ALL; halfwords + 2];
        for i in (0..halfwords).rev() {
            let address = base.wrapping_add(2 * i as u32);
            let Some((mut op, width)) = decode::<C>(&flash[..words], base, address) else {
                continue;
            };
            let literal = C::Set::literal(&op).map(|a| a.wrapping_sub(base).rotate_right(2) as usize);
            if let Some(word) = literal.and_then(|number| flash.get(number)) {
                op = C::Set::with_literal(&op, u32::from_le_bytes(*word));
            }
            remaining[i] = remaining[i + width as usize].before(C::cycles(&op));
            let live_after = live[i + width as usize];
            live[i] = C::Set::flags(&op).live_before(live_after);
            ops[i] = audible::<C>(op, live_after);
        }
        Program { base, ops, remaining, live }
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
            let Some((op, width)) = decode::<C>(flash, self.base, address) else {
                break;
            };
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

/// `op`, quiet if none of the flags that it sets is in `live_after`.
fn audible<C: Core>(op: OpOf<C>, live_after: u8) -> OpOf<C> {
    if C::Set::flags(&op).writes & live_after == 0 {
        C::Set::quiet(&op)
    } else {
        op
    }
}
