//! Where control goes after an instruction and the cycles lost there, for both loops.

use crate::core::{Core, Jump, Jumps};
use crate::op::{Code, Flow, Op};
use crate::pipeline::Pending;
use crate::registers::Registers;

/// Cycles of `op` from its issue to that of the next instruction, if nothing is lost after it.
#[inline]
pub fn cycles(pending: &mut Pending, op: &Op, core: &Core) -> u32 {
    1 + pending.issue(op, core)
}

/// Cycles of a division beyond [`cycles`], with a quotient of at most `bits` bits.
#[inline(always)]
pub fn divided(core: &Core, bits: u32) -> u32 {
    core.divide(bits) - 1
}

/// The branch `op` at `pc` is not taken; returns the cycles lost.
#[inline(always)]
pub fn not_taken(op: &Op, pc: u32, jumps: &mut Jumps) -> u32 {
    jumps.not_taken(pc, op.imm)
}

/// The branch or jump `op` at `pc` is taken as `flow` describes; `following` is the address after it.
/// `is_split` reads whether a 32-bit instruction begins at an address and spans two words. Returns the
/// target and the cycles lost.
#[inline(always)]
pub fn taken(
    op: &Op,
    flow: Flow,
    (pc, following): (u32, u32),
    registers: &mut Registers,
    jumps: &mut Jumps,
    is_split: impl FnOnce(u32) -> bool,
) -> (u32, u32) {
    let target = match flow {
        Flow::JumpTo(target) => target,
        _ => op.imm,
    };
    if flow == Flow::Taken {
        return (target, jumps.taken(pc, target, is_split));
    }
    registers[op.d] = following;
    let kind = match op.code {
        Code::Call | Code::CallReg => Jump::Call(following),
        Code::Return => Jump::Return,
        _ => Jump::Plain,
    };
    (target, jumps.jump(pc, target, kind, is_split))
}
