//! Finds the blocks of decoded RISC-V code.
//!
//! Results that are pending when a block is entered are part of its key only if they are still noticed at its
//! end; otherwise the block with nothing pending is used, and the cycles of the waits are added on the way in.

use pennyweight_memory::bus::Word;
use pennyweight_riscv::core::{Core, JumpCosts};
use pennyweight_riscv::decode::is_wide;
use pennyweight_riscv::op::{Code, Op};
use pennyweight_riscv::pipeline::Pending;
use pennyweight_riscv::program::{halfword, is_instruction, Program};
use pennyweight_riscv::registers::Reg;

use super::lower::{condition, lower, value};
use crate::blocks::{self, Source, LONGEST};
use crate::ir::{Binary, Block, Edge, End, Expr, Kind, Lost, Step};

/// Decoded code, and the flash that it is from.
pub struct Decoded<'a> {
    /// The table.
    pub program: &'a Program,
    /// Flash.
    pub flash: &'a [Word],
    /// First address of flash.
    pub base: u32,
    /// Bytes of an instruction cache's line as a power of two, if there is such a cache.
    pub line_shift: Option<u32>,
}

type Finder<'a, 'c> = blocks::Finder<'a, Decoded<'c>>;

impl Source for Decoded<'_> {
    type Pending = Pending;

    fn position(&self, address: u32) -> Option<usize> {
        self.program.position(address)
    }

    /// How the block from `position` on is left: what is then pending that would not be there if nothing were
    /// pending at its beginning, and how many cycles more it takes.
    fn settle(&self, position: usize, pending: &Pending) -> Option<(Pending, u32)> {
        let core = self.program.core();
        let (mut with, mut without) = (*pending, Pending::default());
        let mut extra = 0u32;
        for (length, op) in self.program.ops().get(position..)?.iter().enumerate() {
            if op.code == Code::GoOn {
                break;
            }
            if !translates(op) {
                if length == 0 {
                    return None;
                }
                break;
            }
            if with == without {
                return Some((Pending::default(), extra));
            }
            if is_instruction(op) {
                extra = extra.wrapping_add(with.issue(op, core)).wrapping_sub(without.issue(op, core));
            }
            if op.is_jump() {
                break;
            }
        }
        Some(if with == without { (Pending::default(), extra) } else { (*pending, 0) })
    }

    fn lost_by_target(&self, target: u32) -> Option<u32> {
        Some(match self.program.core().jumps {
            JumpCosts::Refilled(refill) if is_split(self.flash, self.base, target) => refill.split,
            _ => 0,
        })
    }

    fn build(finder: &mut Finder<'_, '_>, mut position: usize, mut pending: Pending) -> Block {
        let Decoded { program, line_shift, .. } = *finder.source;
        let core = program.core();
        let address = program.places()[position].address;
        let line = line_shift.map(|shift| address >> shift);
        let mut block = Block::new(line);
        loop {
            let op = program.ops()[position];
            let pc = program.places()[position].address;
            if op.code == Code::Line {
                let line = op.imm >> line_shift.unwrap_or(0);
                if !block.steps.is_empty() || block.line != Some(line) {
                    block.steps.push(Step::Line(line));
                }
                position += 1;
                continue;
            }
            if op.code == Code::GoOn {
                let from = pc;
                block.end = End::Next(finder.jump_to(op.imm, from, pending));
                return block;
            }
            if block.instructions >= LONGEST {
                block.end = End::Next(edge_to(finder, position, pending));
                return block;
            }
            if op.is_jump() {
                let before = pending;
                let own = 1 + pending.issue(&op, core);
                block.cycles += own;
                block.instructions += 1;
                block.end = jump(finder, &op, position, own, [before, pending]);
                return block;
            }
            if op.code == Code::Leave || !lower(&op, &mut block.steps) {
                let exit = exit_before(finder, position, pending);
                block.end = End::Next(Edge { block: None, exit });
                return block;
            }
            block.cycles += 1 + pending.issue(&op, core);
            block.instructions += 1;
            position += 1;
        }
    }

    fn hollow(finder: &mut Finder<'_, '_>, position: usize, pending: Pending) -> Block {
        let exit = exit_before(finder, position, pending);
        Block { end: End::Next(Edge { block: None, exit }), ..Block::new(None) }
    }
}

/// Is `op` translated?
fn translates(op: &Op) -> bool {
    op.is_jump() || op.code == Code::Line || lower(op, &mut Vec::new())
}

/// A way out in front of the operation at `position`, which is not translated. As in the interpreter, the
/// budget is checked only if the table ends there.
fn exit_before(finder: &mut Finder<'_, '_>, position: usize, pending: Pending) -> usize {
    let program = finder.source.program;
    let places = program.places();
    let pc = places.get(position).map_or(0, |place| place.address);
    let from = position.checked_sub(1).map_or(pc, |before| places[before].address);
    let checks_budget = program.ops().get(position).is_none_or(|op| op.code == Code::Leave);
    finder.exit(Some(pc), from, pending, checks_budget)
}

/// To the operation at `position`, from the one in front of it.
fn edge_to(finder: &mut Finder<'_, '_>, position: usize, pending: Pending) -> Edge {
    let block = finder.block(position, &pending);
    Edge { block, exit: exit_before(finder, position, pending) }
}

/// The cycles that jumps lose by prediction, if they do.
fn penalty(core: &Core) -> Option<u32> {
    match core.jumps {
        JumpCosts::Predicted { mispredicted, .. } => Some(mispredicted),
        JumpCosts::Refilled(_) | JumpCosts::Looped(_) => None,
    }
}

/// What a jump to `target` loses, or a branch if it is one.
fn lost(code: &Decoded<'_>, target: u32, is_branch: bool) -> Lost {
    match code.program.core().jumps {
        JumpCosts::Predicted { .. } => Lost::Predicted,
        // Code of a core that predicts loops is not translated: see `shape`.
        JumpCosts::Refilled(refill) | JumpCosts::Looped(refill) => {
            let gone = if is_branch { refill.taken } else { refill.jump };
            Lost::Always(gone + code.lost_by_target(target).unwrap_or(0))
        }
    }
}

/// What is pending behind a jump, without and with cycles lost.
fn behind(core: &Core, pending: Pending, lost: Lost) -> [Pending; 2] {
    let after = |cycles| {
        let mut pending = pending;
        pending.advance(cycles);
        pending
    };
    match lost {
        Lost::Always(cycles) => [after(cycles); 2],
        Lost::Predicted => [pending, after(penalty(core).unwrap_or(0))],
    }
}

/// The end of a block by a jump of so many cycles, with what is pending in front of it and behind it.
fn jump(
    finder: &mut Finder<'_, '_>,
    op: &Op,
    position: usize,
    own: u32,
    [before, pending]: [Pending; 2],
) -> End {
    let code = finder.source;
    let (core, places) = (code.program.core(), code.program.places());
    let pc = places[position].address;
    let following = places.get(position + 1).map_or(pc, |place| place.address);
    if let Some(condition) = condition(op) {
        let lost = lost(code, op.imm, true);
        let taken = behind(core, pending, lost).map(|behind| finder.jump_to(op.imm, pc, behind));
        let without = if lost == Lost::Predicted { lost } else { Lost::Always(0) };
        let not_taken = behind(core, pending, without).map(|behind| edge_to(finder, position + 1, behind));
        return End::Branch { condition, pc, target: op.imm, lost, taken, not_taken };
    }
    let link = (op.d != Reg::Sink).then_some((op.d as u8, following));
    let kind = match op.code {
        Code::Call | Code::CallReg => Kind::Call(following),
        Code::Return => Kind::Return,
        _ => Kind::Plain,
    };
    if link.is_some() {
        finder.target(following);
    }
    if matches!(op.code, Code::Jump | Code::Call) {
        let (target, lost) = (op.imm, lost(code, op.imm, false));
        let edges = behind(core, pending, lost).map(|behind| finder.jump_to(target, pc, behind));
        return End::Jump { pc, target, kind, link, lost, edges };
    }
    let lost = match core.jumps {
        JumpCosts::Predicted { .. } => Lost::Predicted,
        JumpCosts::Refilled(refill) | JumpCosts::Looped(refill) => Lost::Always(refill.jump),
    };
    let target = Expr::binary(Binary::And, value(op.n).plus(op.imm), Expr::Constant(!1));
    let behind = behind(core, pending, lost);
    let after = behind.map(|behind| finder.exit(None, pc, behind, true));
    let tables = behind.map(|behind| finder.table(behind));
    let unknown = (exit_before(finder, position, before), Some(own));
    let then = Vec::new();
    End::Indirect { pc, target, kind, link, lost, unknown, near: None, after, tables, then }
}

/// Does a 32-bit instruction begin at `address` in flash and lie in two words?
fn is_split(flash: &[Word], base: u32, address: u32) -> bool {
    address & 2 != 0 && halfword(flash, base, address).is_some_and(is_wide)
}
