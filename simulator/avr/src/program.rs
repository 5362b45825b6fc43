//! Flash, decoded once.
//!
//! Costs are not counted instruction by instruction. For each address, `remaining` holds the cycles
//! and instructions from there to the end of flash if nothing ever jumped. Both are in one word,
//! so that one addition moves both counters. A run keeps
//!
//! ```text
//! account = spent + remaining[pc]
//! ```
//!
//! which straight-line code leaves unchanged; only a jump from A to B changes it, by
//! `remaining[B] - remaining[A's successor]` plus what the jump costs more when taken. For direct
//! jumps, branches and skips that difference is a constant, kept in `jump`.

use crate::decode::{decode, words, SPACE};
use crate::fuse::fuse;
use crate::op::{Code, Op};
use crate::timing::{Core, TAKEN};

/// Cycles in the lower, instructions in the upper half.
pub(crate) const INSTRUCTION: u64 = 1 << 32;

/// Decoded flash with its costs.
#[derive(Clone)]
pub(crate) struct Program {
    /// One instruction per address.
    pub ops: Box<[Op; SPACE]>,
    /// The same with sequences.
    pub fused: Box<[Op; SPACE]>,
    /// Cycles and instructions of straight-line execution from here to the end of flash.
    pub remaining: Box<[u64; SPACE]>,
    /// What taking the jump, branch or skip at this address adds to a run's account.
    pub jump: Box<[u64; SPACE]>,
    /// Flash as bytes, for LPM.
    pub flash: Vec<u8>,
}

impl Program {
    /// Decodes flash; an odd last byte is ignored.
    pub fn new(flash: Vec<u8>, core: Core) -> Program {
        let word = |pc: usize| match flash.get(2 * pc..2 * pc + 2) {
            Some(bytes) => u16::from_le_bytes([bytes[0], bytes[1]]),
            None => 0xffff,
        };
        let count = flash.len() / 2;
        let variant = core.variant(flash.len());
        let mut ops: Box<[Op; SPACE]> = crate::boxed(Op::OUTSIDE);
        let mut remaining: Box<[u64; SPACE]> = crate::boxed(0u64);
        let mut jump: Box<[u64; SPACE]> = crate::boxed(0u64);
        for pc in (0..count).rev() {
            let op = decode(word(pc), word(pc + 1), pc as u32, words(word(pc + 1)), variant);
            let next = pc + op.words() as usize;
            if next > count {
                continue; // its second word is not flash: cannot be fetched
            }
            ops[pc] = op;
            remaining[pc] = INSTRUCTION + u64::from(core.cycles(op.code)) + remaining[next];
        }
        for pc in 0..count {
            let op = ops[pc];
            let next = pc + op.words() as usize;
            let Some(extra) = extra(&op, next) else { continue };
            jump[pc] =
                u64::from(extra).wrapping_add(remaining[op.imm as usize]).wrapping_sub(remaining[next]);
        }
        let fused = fuse(&ops, count);
        Program { ops, fused, remaining, jump, flash }
    }

    /// Flash in words.
    pub fn words(&self) -> usize {
        self.flash.len() / 2
    }
}

/// Cycles that a direct jump costs beyond the core's table when it is taken; `None` for the rest.
fn extra(op: &Op, next: usize) -> Option<u32> {
    match op.code {
        Code::Rjmp | Code::Jmp | Code::Rcall | Code::Call => Some(0),
        Code::Cpse | Code::Sbrc | Code::Sbrs | Code::Sbic | Code::Sbis => Some(op.imm - next as u32),
        code if code.is_branch() => Some(TAKEN),
        _ => None,
    }
}
