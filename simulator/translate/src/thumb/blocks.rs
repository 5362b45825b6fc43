//! Finds the blocks of decoded ARMv6-M code.

use pennyweight_thumb::core::Core;
use pennyweight_thumb::op::{InstructionSet as _, Op};
use pennyweight_thumb::program::Program;
use pennyweight_thumb::registers::Reg;
use pennyweight_thumb::v6m::{Code, V6m};

use super::flags::Flags;
use super::lower::{condition, lower, number, pop, value};
use crate::blocks::{self, Source, LONGEST};
use crate::ir::{Binary, Block, Edge, End, Expr, Kind, Lost, Step};

/// Decoded code.
pub struct Decoded<'a, C: Core>(pub &'a Program<C>);

type Finder<'a, 'c, C> = blocks::Finder<'a, Decoded<'c, C>>;

impl<C: Core<Set = V6m>> Source for Decoded<'_, C> {
    type Pending = ();

    fn position(&self, address: u32) -> Option<usize> {
        self.0.position(address)
    }

    fn settle(&self, position: usize, (): &()) -> Option<((), u32)> {
        self.0.ops().get(position).filter(|op| translates(op)).map(|_| ((), 0))
    }

    fn lost_by_target(&self, _: u32) -> u32 {
        0
    }

    fn build(finder: &mut Finder<'_, '_, C>, mut position: usize, (): ()) -> Block {
        let program = finder.source.0;
        let mut block = Block::new(None);
        let mut flags = Flags::default();
        loop {
            let op = program.ops()[position];
            let width = C::Set::width(&op) as usize;
            if block.instructions >= LONGEST {
                block.end = End::Next(edge_to(finder, position));
                break;
            }
            if let Some(end) = jump(finder, &op, position, &mut flags, &mut block.steps) {
                block.cycles += program.cycles(position, width);
                block.instructions += 1;
                block.end = end;
                break;
            }
            if !lower(&op, &mut flags, &mut block.steps) {
                block.end = End::Next(Edge { block: None, exit: exit_before(finder, position) });
                break;
            }
            block.cycles += program.cycles(position, width);
            block.instructions += 1;
            position += width;
        }
        (block.late, block.needs) = flags.finish();
        block
    }

    fn hollow(finder: &mut Finder<'_, '_, C>, position: usize, (): ()) -> Block {
        let exit = exit_before(finder, position);
        let (late, needs) = Flags::default().finish();
        Block { late, needs, end: End::Next(Edge { block: None, exit }), ..Block::new(None) }
    }
}

/// Is `op` translated?
fn translates(op: &Op<Code>) -> bool {
    condition(op.code, &mut Flags::default()).is_some()
        || target(op, &mut Vec::new()).is_some()
        || lower(op, &mut Flags::default(), &mut Vec::new())
}

/// A way out in front of the operation at `position`, which is not translated. As in the interpreter, the
/// budget is checked only if the table ends there.
fn exit_before<C: Core<Set = V6m>>(finder: &mut Finder<'_, '_, C>, position: usize) -> usize {
    let program = finder.source.0;
    let pc = program.base().wrapping_add(2 * position as u32);
    let checks_budget = program.ops().get(position).is_none_or(|op| op.code == Code::Leave);
    finder.exit(Some(pc), pc.wrapping_sub(2), (), checks_budget)
}

/// To the operation at `position`, from the one in front of it.
fn edge_to<C: Core<Set = V6m>>(finder: &mut Finder<'_, '_, C>, position: usize) -> Edge {
    let block = finder.block(position, &());
    Edge { block, exit: exit_before(finder, position) }
}

/// The end of a block by the operation at `position`, if that is a jump.
fn jump<C: Core<Set = V6m>>(
    finder: &mut Finder<'_, '_, C>,
    op: &Op<Code>,
    position: usize,
    flags: &mut Flags,
    steps: &mut Vec<Step>,
) -> Option<End> {
    let pc = finder.source.0.base().wrapping_add(2 * position as u32);
    let width = C::Set::width(op);
    let following = pc.wrapping_add(2 * width);
    if let Some(condition) = condition(op.code, flags) {
        let taken = [finder.jump_to(op.imm, pc, ()); 2];
        let not_taken = [edge_to(finder, position + width as usize); 2];
        let lost = Lost::Always(C::taken(op));
        return Some(End::Branch { condition, pc, target: op.imm, lost, taken, not_taken });
    }
    let target = target(op, steps)?;
    let link = matches!(op.code, Code::Bl | Code::Blx).then(|| (number(Reg::Lr), following | 1));
    if link.is_some() {
        finder.target(following);
    }
    let (kind, lost) = (Kind::Plain, Lost::Always(0));
    if let Expr::Constant(target) = target {
        let edges = [finder.jump_to(target, pc, ()); 2];
        return Some(End::Jump { pc, target, kind, link, lost, edges });
    }
    let (after, tables) = ([finder.exit(None, pc, (), true); 2], [finder.table(()); 2]);
    Some(End::Indirect { pc, target, kind, link, lost, before: None, after, tables })
}

/// Where `op` goes if it is a jump without a condition. What it does before that, and its checks, are added to
/// `steps`.
pub(super) fn target(op: &Op<Code>, steps: &mut Vec<Step>) -> Option<Expr> {
    let even = |target| Expr::binary(Binary::And, target, Expr::Constant(!1));
    let odd = |target| Step::Check(Expr::binary(Binary::And, target, Expr::Constant(1)));
    match op.code {
        Code::B | Code::Bl => Some(Expr::Constant(op.imm)),
        // Bit 0 selects the only state that there is.
        Code::Bx | Code::Blx => {
            steps.push(odd(value(op.m)));
            Some(even(value(op.m)))
        }
        Code::MovPc => Some(even(value(op.m))),
        Code::AddPc => Some(even(value(op.m).plus(op.imm))),
        Code::PopPc => {
            let target = pop(op.imm, steps);
            steps.push(odd(target.clone()));
            Some(even(target))
        }
        _ => None,
    }
}
