//! Finds the blocks of decoded ARMv6-M code.

use pennyweight_memory::bus::Word;
use pennyweight_thumb::core::Core;
use pennyweight_thumb::op::{InstructionSet as _, Op};
use pennyweight_thumb::program::Program;
use pennyweight_thumb::registers::Reg;
use pennyweight_thumb::v6m::{Code, V6m};

use super::flags::Flags;
use super::lower::{condition, lower, number, pop, value};
use crate::blocks::{self, Source, LONGEST};
use crate::ir::{Binary, Block, Edge, End, Expr, Kind, Lost, Step};

/// The line that the core has, as [`FlashTiming::line`](pennyweight_memory::timing::FlashTiming::line).
///
/// A jump from it to an instruction that begins in the line before and ends in this one does not come to the
/// first of these lines. For all other instructions it does not matter: that the line used last is looked up
/// changes nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line(pub Option<u32>);

/// Decoded code, and the flash that it is from.
pub struct Decoded<'a, C: Core> {
    /// The table.
    pub program: &'a Program<C>,
    /// Flash.
    pub flash: &'a [Word],
    /// Bytes of a line as a power of two, if there is a cache for code and data.
    pub line_shift: Option<u32>,
}

type Finder<'a, 'c, C> = blocks::Finder<'a, Decoded<'c, C>>;

impl<C: Core<Set = V6m>> Decoded<'_, C> {
    /// The lines that an instruction at `pc` of so many halfwords begins and ends in.
    fn lines(&self, pc: u32, halfwords: u32) -> Option<[u32; 2]> {
        self.line_shift.map(|shift| [pc >> shift, pc.wrapping_add(2 * halfwords - 1) >> shift])
    }

    /// The second line of the instruction at `position`, if it is in two.
    fn second_line(&self, position: usize) -> Option<u32> {
        let pc = self.program.base().wrapping_add(2 * position as u32);
        let [first, last] = self.lines(pc, C::Set::width(self.program.ops().get(position)?))?;
        (first != last).then_some(last)
    }

    /// Whether a line contains a computed jump.
    fn has_computed_jump(&self, line: u32) -> bool {
        let Some(shift) = self.line_shift else { return false };
        let addresses = (line << shift..).step_by(2).take(1 << (shift - 1));
        addresses.filter_map(|address| self.position(address)).any(|position| {
            let target = target(&self.program.ops()[position], &mut Vec::new());
            target.is_some_and(|target| !matches!(target, Expr::Constant(_)))
        })
    }

    /// Execution comes to the instruction at `position`, after one that ended in line `current`.
    fn enter_lines(&self, position: usize, current: &mut Option<u32>, block: &mut Block) {
        let pc = self.program.base().wrapping_add(2 * position as u32);
        let op = &self.program.ops()[position];
        let Some([first, last]) = self.lines(pc, C::Set::width(op)) else { return };
        if *current == Some(last) {
            return;
        }
        if *current != Some(first) {
            block.steps.push(Step::Line(first));
        }
        if last != first {
            block.steps.push(Step::Line(last));
        }
        *current = Some(last);
    }

    /// A load of a literal from flash through the cache; `None` if `op` is something else.
    fn literal(&self, op: &Op<Code>) -> Option<[Step; 2]> {
        let (address, shift) = (C::Set::literal(op)?, self.line_shift?);
        let word = address.wrapping_sub(self.program.base()).rotate_right(2) as usize;
        let word = u32::from_le_bytes(*self.flash.get(word)?);
        Some([Step::Line(address >> shift), Step::Set(number(op.d), Expr::Constant(word))])
    }
}

impl<C: Core<Set = V6m>> Source for Decoded<'_, C> {
    type Pending = Line;

    fn position(&self, address: u32) -> Option<usize> {
        self.program.position(address)
    }

    fn settle(&self, position: usize, line: &Line) -> Option<(Line, u32)> {
        self.program.ops().get(position).filter(|op| translates(op))?;
        let second = self.second_line(position).filter(|second| line.0 == Some(*second));
        Some((Line(second), 0))
    }

    fn lost_by_target(&self, target: u32) -> Option<u32> {
        // Tables are shared by jumps from all lines.
        let line = self.position(target).and_then(|position| self.second_line(position));
        (!line.is_some_and(|line| self.has_computed_jump(line))).then_some(0)
    }

    fn build(finder: &mut Finder<'_, '_, C>, mut position: usize, line: Line) -> Block {
        let source = finder.source;
        let program = source.program;
        let mut block = Block::new(None);
        let mut flags = Flags::default();
        let Line(mut current) = line;
        loop {
            let op = program.ops()[position];
            let width = C::Set::width(&op) as usize;
            if block.instructions >= LONGEST {
                block.end = End::Next(edge_to(finder, position, Line(current)));
                break;
            }
            if !translates(&op) {
                block.end =
                    End::Next(Edge { block: None, exit: exit_before(finder, position, Line(current)) });
                break;
            }
            source.enter_lines(position, &mut current, &mut block);
            block.cycles += program.cycles(position, width);
            block.instructions += 1;
            if let Some(end) = jump(finder, &op, position, &mut flags, &mut block.steps) {
                block.end = end;
                break;
            }
            let before = block.steps.len();
            match source.literal(&op) {
                Some(steps) => {
                    block.steps.extend(steps);
                    current = None;
                }
                None => {
                    let _translated = lower(&op, &mut flags, &mut block.steps);
                    if block.steps[before..].iter().any(|step| matches!(step, Step::Load { .. })) {
                        // The line of the code may have made room.
                        current = None;
                    }
                }
            }
            position += width;
        }
        (block.late, block.needs) = flags.finish();
        block
    }

    fn hollow(finder: &mut Finder<'_, '_, C>, position: usize, line: Line) -> Block {
        let exit = exit_before(finder, position, line);
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
fn exit_before<C: Core<Set = V6m>>(finder: &mut Finder<'_, '_, C>, position: usize, line: Line) -> usize {
    let program = finder.source.program;
    let pc = program.base().wrapping_add(2 * position as u32);
    let checks_budget = program.ops().get(position).is_none_or(|op| op.code == Code::Leave);
    finder.exit(Some(pc), pc.wrapping_sub(2), line, checks_budget)
}

/// To the operation at `position`, from the one in front of it.
fn edge_to<C: Core<Set = V6m>>(finder: &mut Finder<'_, '_, C>, position: usize, line: Line) -> Edge {
    let block = finder.block(position, &line);
    Edge { block, exit: exit_before(finder, position, line) }
}

/// The end of a block by the operation at `position`, if that is a jump.
fn jump<C: Core<Set = V6m>>(
    finder: &mut Finder<'_, '_, C>,
    op: &Op<Code>,
    position: usize,
    flags: &mut Flags,
    steps: &mut Vec<Step>,
) -> Option<End> {
    let pc = finder.source.program.base().wrapping_add(2 * position as u32);
    let width = C::Set::width(op);
    let following = pc.wrapping_add(2 * width);
    let line = Line(finder.source.lines(pc, width).map(|[_, last]| last));
    if let Some(condition) = condition(op.code, flags) {
        let taken = [finder.jump_to(op.imm, pc, line); 2];
        let not_taken = [edge_to(finder, position + width as usize, line); 2];
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
        let edges = [finder.jump_to(target, pc, line); 2];
        return Some(End::Jump { pc, target, kind, link, lost, edges });
    }
    let (after, tables) = ([finder.exit(None, pc, line, true); 2], [finder.table(Line(None)); 2]);
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
