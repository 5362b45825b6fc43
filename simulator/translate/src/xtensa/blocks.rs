//! Finds the blocks of decoded Xtensa code.
//!
//! An instruction waits for the one in front of it only. So nothing is pending within a block's key: what the
//! first instruction waits for is added on the way in.

use pennyweight_memory::bus::Word;
use pennyweight_xtensa::op::{Code, Op, Reg};
use pennyweight_xtensa::program::Program;
use pennyweight_xtensa::timing::{cycles, taken, waits};

use super::lower::{condition, lower, number, value};
use super::shifts::Shifter;
use crate::blocks::{self, Source, LONGEST};
use crate::ir::{Block, Edge, End, Expr, Kind, Lost, Step};

/// The instruction in front, if what comes may have to wait for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Before(pub Option<Op>);

/// Decoded code, and the flash that it is from.
pub struct Decoded<'a> {
    /// The table.
    pub program: &'a Program,
    /// Flash.
    pub flash: &'a [Word],
    /// First address of flash.
    pub base: u32,
}

type Finder<'a, 'c> = blocks::Finder<'a, Decoded<'c>>;

impl Decoded<'_> {
    fn lower(&self, op: &Op, shifter: &mut Shifter, steps: &mut Vec<Step>) -> bool {
        lower(op, (self.flash, self.base), shifter, steps)
    }

    /// Is `op` translated?
    fn translates(&self, op: &Op) -> bool {
        matches!(op.code, Code::J | Code::Call0)
            || computed_target(op).is_some()
            || condition(op).is_some()
            || self.lower(op, &mut Shifter::default(), &mut Vec::new())
    }
}

impl Source for Decoded<'_> {
    type Pending = Before;

    const SHIFT: u32 = 0;

    fn position(&self, address: u32) -> Option<usize> {
        self.program.position(address)
    }

    fn settle(&self, position: usize, before: &Before) -> Option<(Before, u32)> {
        let op = self.program.ops().get(position)?;
        let first = match op.code {
            Code::GoOn => self.program.position(op.imm).map(|next| &self.program.ops()[next]),
            _ if !self.translates(op) => return None,
            _ => Some(op),
        };
        Some((Before(None), first.map_or(0, |first| waits(before.0.as_ref(), first))))
    }

    fn lost_by_target(&self, _: u32) -> Option<u32> {
        Some(0)
    }

    fn build(finder: &mut Finder<'_, '_>, mut position: usize, mut before: Before) -> Block {
        let source = finder.source;
        let (program, core) = (source.program, source.program.core());
        let mut block = Block::new(None);
        let mut shifter = Shifter::default();
        loop {
            let op = program.ops()[position];
            let pc = program.places()[position].address;
            if op.code == Code::GoOn {
                block.end = End::Next(finder.jump_to(op.imm, pc, before));
                return block;
            }
            if block.instructions >= LONGEST {
                block.end = End::Next(edge_to(finder, position, before));
                return block;
            }
            if !source.translates(&op) {
                block.end = End::Next(Edge { block: None, exit: exit_before(finder, position, before) });
                return block;
            }
            block.cycles += cycles(&op, core) + waits(before.0.as_ref(), &op);
            block.instructions += 1;
            if let Some(end) = jump(finder, &op, position) {
                block.end = end;
                return block;
            }
            let _translated = source.lower(&op, &mut shifter, &mut block.steps);
            before = Before(Some(op));
            position += 1;
        }
    }

    fn hollow(finder: &mut Finder<'_, '_>, position: usize, before: Before) -> Block {
        let exit = exit_before(finder, position, before);
        Block { end: End::Next(Edge { block: None, exit }), ..Block::new(None) }
    }
}

/// A way out in front of the operation at `position`. As in the interpreter, the budget is checked only if the
/// table ends there.
fn exit_before(finder: &mut Finder<'_, '_>, position: usize, before: Before) -> usize {
    let program = finder.source.program;
    let places = program.places();
    let pc = places.get(position).map_or(0, |place| place.address);
    let from = position.checked_sub(1).map_or(pc, |last| places[last].address);
    let checks_budget = program.ops().get(position).is_none_or(|op| op.code == Code::Leave);
    finder.exit(Some(pc), from, before, checks_budget)
}

/// To the operation at `position`, from the one in front of it.
fn edge_to(finder: &mut Finder<'_, '_>, position: usize, before: Before) -> Edge {
    let block = finder.block(position, &before);
    Edge { block, exit: exit_before(finder, position, before) }
}

/// Where a computed jump goes.
fn computed_target(op: &Op) -> Option<Expr> {
    matches!(op.code, Code::Jx | Code::Callx0).then(|| value(op.s))
}

/// The end of a block by `op` at `position`, if that is a jump. Behind it, nothing has to be waited for.
fn jump(finder: &mut Finder<'_, '_>, op: &Op, position: usize) -> Option<End> {
    let (program, none) = (finder.source.program, Before(None));
    let pc = program.places()[position].address;
    let following = program.places().get(position + 1).map_or(pc, |place| place.address);
    if let Some(condition) = condition(op) {
        let taken_edges = [finder.jump_to(op.imm, pc, none); 2];
        let not_taken = [edge_to(finder, position + 1, Before(Some(*op))); 2];
        let lost = Lost::Always(taken(op, program.core()));
        return Some(End::Branch { condition, pc, target: op.imm, lost, taken: taken_edges, not_taken });
    }
    let (kind, lost) = (Kind::Plain, Lost::Always(0));
    let link = matches!(op.code, Code::Call0 | Code::Callx0).then(|| (number(Reg::A0), following));
    if link.is_some() {
        finder.target(following);
    }
    if let Some(target) = computed_target(op) {
        let behind = finder.exit(None, pc, none, true);
        let (after, tables) = ([behind; 2], [finder.table(none); 2]);
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
    matches!(op.code, Code::J | Code::Call0).then(|| {
        let edges = [finder.jump_to(op.imm, pc, none); 2];
        End::Jump { pc, target: op.imm, kind, link, lost, edges }
    })
}
