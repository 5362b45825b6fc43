//! Where control goes after an instruction and the cycles lost there, for both loops.

use crate::core::{Around, Core, Jump, Jumps};
use crate::op::{Code, Divided, Flow, Op};
use crate::pipeline::Pending;
use crate::registers::Registers;

/// Cycles of `op` from its issue to that of the next instruction, if nothing is lost after it.
#[inline]
pub fn cycles(pending: &mut Pending, op: &Op, core: &Core) -> u32 {
    1 + pending.issue(op, core)
}

/// Cycles of a division beyond [`cycles`].
#[inline(always)]
pub fn divided(core: &Core, divided: Divided) -> u32 {
    core.divide(divided) - 1
}

/// The branch `op` at `pc` is not taken; `following` is the address after it. Returns the cycles lost.
#[inline(always)]
pub fn not_taken(op: &Op, (pc, following): (u32, u32), jumps: &mut Jumps, around: &impl Around) -> u32 {
    jumps.not_taken((pc, following), op.imm, around)
}

/// The branch or jump `op` at `pc` is taken as `flow` describes; `following` is the address after it. Returns
/// the target and the cycles lost.
#[inline(always)]
pub fn taken(
    op: &Op,
    flow: Flow,
    (pc, following): (u32, u32),
    registers: &mut Registers,
    jumps: &mut Jumps,
    around: &impl Around,
) -> (u32, u32) {
    let target = match flow {
        Flow::JumpTo(target) => target,
        _ => op.imm,
    };
    if flow == Flow::Taken {
        return (target, jumps.taken(pc, target, around));
    }
    registers[op.d] = following;
    let kind = match op.code {
        Code::Call | Code::CallReg => Jump::Call(following),
        Code::Return | Code::PopReturn | Code::PopReturnZero => Jump::Return,
        _ => Jump::Plain,
    };
    (target, jumps.jump(pc, target, kind, around))
}
