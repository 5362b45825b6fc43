//! Finds the blocks of decoded Xtensa code.
//!
//! An instruction waits for the one in front of it only. So nothing is pending within a block's key: what the
//! first instruction waits for is added on the way in.

use pennyweight_memory::bus::Word;
use pennyweight_xtensa::op::{Code, Op, Reg};
use pennyweight_xtensa::program::Program;
use pennyweight_xtensa::special::Special;
use pennyweight_xtensa::timing::{cycles, taken, waits};

use super::at::{At, Known, Mode};
use super::lower::{condition, lower, number, value};
use super::shifts::Shifter;
use super::{loops, windows};
use crate::blocks::{self, Source, LONGEST};
use crate::ir::{Block, Edge, End, Expr, Kind, Lost, Step};

/// Decoded code, and the flash that it is from.
pub struct Decoded<'a> {
    /// The table.
    pub program: &'a Program,
    /// Flash.
    pub flash: &'a [Word],
    /// First address of flash.
    pub base: u32,
    /// What addresses are translated for where code was entered.
    pub mode: Mode,
}

pub(super) type Finder<'a, 'c> = blocks::Finder<'a, Decoded<'c>>;

impl Decoded<'_> {
    fn lower(&self, op: &Op, at: &At, shifter: &mut Shifter, steps: &mut Vec<Step>) -> bool {
        lower(op, (self.flash, self.base), shifter, steps)
            || windows::lower(op, self.program.core(), at, steps)
    }

    /// Is `op` translated where this is known?
    fn translates(&self, op: &Op, at: &At) -> bool {
        matches!(op.code, Code::J | Code::Call0 | Code::LoopEnd)
            || loops::is_loop(op)
            || computed_target(op).is_some()
            || condition(op).is_some()
            || windows::translates(op, at)
            || self.lower(op, at, &mut Shifter::default(), &mut Vec::new())
    }
}

impl Source for Decoded<'_> {
    type Pending = At;

    const SHIFT: u32 = 0;

    fn version(&self) -> u32 {
        self.program.version()
    }

    fn is_inseparable(&self, position: usize) -> bool {
        self.program.ops().get(position).is_some_and(|op| op.code == Code::LoopEnd)
    }

    fn position(&self, address: u32) -> Option<usize> {
        self.program.position(address)
    }

    fn settle(&self, position: usize, at: &At) -> Option<(At, u32)> {
        let op = self.program.ops().get(position)?;
        let step = at.step.filter(|_| windows::is_entry(op));
        let first = match op.code {
            // What comes behind it may have to wait.
            Code::LoopEnd => return Some((At { step, ..*at }, 0)),
            Code::GoOn => self.program.position(op.imm).map(|next| &self.program.ops()[next]),
            _ if !self.translates(op, at) => return None,
            _ => Some(op),
        };
        let extra = first.map_or(0, |first| waits(at.before.as_ref(), first));
        Some((At { before: None, step, ..*at }, extra))
    }

    /// Compilers enter functions by CALL8.
    fn arrive(&self, target: u32, at: &At) -> At {
        if at.mode.is_some() {
            return *at;
        }
        let op = self.position(target).map(|position| &self.program.ops()[position]);
        At { mode: Some(self.mode), step: op.is_some_and(windows::is_entry).then_some(2), ..*at }
    }

    fn lost_by_target(&self, _: u32) -> Option<u32> {
        Some(0)
    }

    fn build(finder: &mut Finder<'_, '_>, mut position: usize, mut at: At) -> Block {
        let source = finder.source;
        let (program, core) = (source.program, source.program.core());
        let mut block = Block::new(None);
        let mut shifter = Shifter::default();
        loop {
            let op = program.ops()[position];
            let pc = program.places()[position].address;
            if op.code == Code::GoOn {
                block.end = End::Next(finder.jump_to(op.imm, pc, at));
                return block;
            }
            if op.code == Code::LoopEnd {
                if at.mode.is_some_and(|mode| mode.loops) {
                    block.end = loops::end(finder, position, at, &mut block.steps);
                    return block;
                }
                position += 1;
                continue;
            }
            if block.instructions >= LONGEST {
                block.end = End::Next(edge_to(finder, position, at));
                return block;
            }
            if !source.translates(&op, &at) {
                block.end = End::Next(Edge { block: None, exit: exit_before(finder, position, at) });
                return block;
            }
            if let Some(end) = windows::undecided(finder, &op, position, at) {
                block.end = end;
                return block;
            }
            block.cycles += cycles(&op, core) + waits(at.before.as_ref(), &op);
            block.instructions += 1;
            let end = loops::enter(finder, &op, position, at, &mut block.steps)
                .or_else(|| jump(finder, &op, position, at, &mut block.steps));
            if let Some(end) = end {
                block.end = end;
                return block;
            }
            let _translated = source.lower(&op, &at, &mut shifter, &mut block.steps);
            at = at.behind(op);
            position += 1;
        }
    }

    fn hollow(finder: &mut Finder<'_, '_>, position: usize, at: At) -> Block {
        let exit = exit_before(finder, position, at);
        Block { end: End::Next(Edge { block: None, exit }), ..Block::new(None) }
    }
}

/// A way out in front of the operation at `position`. As in the interpreter, the budget is checked only if the
/// table ends there.
pub(super) fn exit_before(finder: &mut Finder<'_, '_>, position: usize, at: At) -> usize {
    let program = finder.source.program;
    let (ops, places) = (program.ops(), program.places());
    let pc = places.get(position).map_or(0, |place| place.address);
    let last = (0..position).rev().find(|&last| ops[last].code != Code::LoopEnd);
    let from = last.map_or(pc, |last| places[last].address);
    let checks_budget = ops.get(position).is_none_or(|op| op.code == Code::Leave);
    finder.exit(Some(pc), from, At { known: Known::Nothing, step: None, ..at }, checks_budget)
}

/// To the operation at `position`, from the one in front of it.
pub(super) fn edge_to(finder: &mut Finder<'_, '_>, position: usize, at: At) -> Edge {
    let block = finder.block(position, &at);
    Edge { block, exit: exit_before(finder, position, at) }
}

/// Where a computed jump goes.
fn computed_target(op: &Op) -> Option<Expr> {
    match windows::special(op) {
        Some(Special::CallTo(_, s)) => Some(value(s)),
        _ => matches!(op.code, Code::Jx | Code::Callx0).then(|| value(op.s)),
    }
}

/// Where a jump always goes, at `pc`.
fn fixed_target(op: &Op, pc: u32) -> Option<u32> {
    match windows::special(op) {
        Some(Special::Call(_, words)) => Some((pc & !3).wrapping_add(words << 2).wrapping_add(4)),
        _ => matches!(op.code, Code::J | Code::Call0).then_some(op.imm),
    }
}

/// The end of a block by `op` at `position`, if that is a jump. Behind it, nothing has to be waited for.
fn jump(finder: &mut Finder<'_, '_>, op: &Op, position: usize, at: At, steps: &mut Vec<Step>) -> Option<End> {
    let program = finder.source.program;
    let pc = program.places()[position].address;
    let following = program.places().get(position + 1).map_or(pc, |place| place.address);
    let mut there = at.there();
    if let Some(condition) = condition(op) {
        let taken_edges = [finder.jump_to(op.imm, pc, there); 2];
        let not_taken = [edge_to(finder, position + 1, at.behind(*op)); 2];
        let lost = Lost::Always(taken(op, program.core()));
        return Some(End::Branch { condition, pc, target: op.imm, lost, taken: taken_edges, not_taken });
    }
    let (kind, lost) = (Kind::Plain, Lost::Always(0));
    let mut link = matches!(op.code, Code::Call0 | Code::Callx0).then(|| (number(Reg::A0), following));
    if let Some((by, back)) = windows::call(op, following, steps) {
        (there.step, link) = (Some(by), Some(back));
    }
    if link.is_some() {
        finder.target(following);
    }
    let back = windows::leave(op, pc, program.core(), &at, steps);
    if let Some(target) = back.or_else(|| computed_target(op)) {
        let behind = finder.exit(None, pc, there, true);
        let (after, tables) = ([behind; 2], [finder.table(there); 2]);
        let (unknown, then) = ((behind, None), Vec::new());
        return Some(End::Indirect {
            pc,
            target,
            kind,
            link,
            lost,
            unknown,
            near: None,
            after,
            tables,
            then,
        });
    }
    fixed_target(op, pc).map(|target| {
        let edges = [finder.jump_to(target, pc, there); 2];
        End::Jump { pc, target, kind, link, lost, edges }
    })
}
