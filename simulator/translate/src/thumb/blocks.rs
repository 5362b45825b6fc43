//! Finds the blocks of decoded ARMv6-M code.

use pennyweight_memory::bus::Word;
use pennyweight_memory::timing::Prefetch;
use pennyweight_thumb::core::Core;
use pennyweight_thumb::op::{InstructionSet as _, Op};
use pennyweight_thumb::program::Program;
use pennyweight_thumb::registers::Reg;
use pennyweight_thumb::v6m::{Code, V6m};

use super::at::{Arrival, At};
use super::flags::Flags;
use super::lower::{condition, lower, number, pop, value};
use crate::blocks::{self, Source, LONGEST};
use crate::ir::{Binary, Block, Edge, End, Expr, Kind, Lost, Memory, Step};

/// Decoded code, and the flash that it is from.
pub struct Decoded<'a, C: Core> {
    /// The table.
    pub program: &'a Program<C>,
    /// Flash.
    pub flash: &'a [Word],
    /// Bytes of a line as a power of two, if there is a cache for code and data.
    pub line_shift: Option<u32>,
    /// A prefetch buffer like that of flash, in any state, if flash has one.
    pub prefetch: Option<Prefetch>,
    /// First address of RAM, and its bytes.
    pub ram: (u32, u32),
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
    type Pending = At;

    fn position(&self, address: u32) -> Option<usize> {
        self.program.position(address)
    }

    fn settle(&self, position: usize, at: &At) -> Option<(At, u32)> {
        self.program.ops().get(position).filter(|op| translates(op))?;
        let second = self.second_line(position).filter(|second| at.line == Some(*second));
        Some((At { line: second, arrival: Arrival::None, ..*at }, 0))
    }

    /// Branches from afar all lead to the same state.
    fn arrive(&self, target: u32, _: &At) -> At {
        At::from_afar(self.prefetch, target)
    }

    fn lost_by_target(&self, target: u32) -> Option<u32> {
        // Tables are shared by jumps from all lines.
        let line = self.position(target).and_then(|position| self.second_line(position));
        (!line.is_some_and(|line| self.has_computed_jump(line))).then_some(0)
    }

    fn build(finder: &mut Finder<'_, '_, C>, mut position: usize, mut at: At) -> Block {
        let source = finder.source;
        let program = source.program;
        let mut block = Block::new(None);
        let mut flags = Flags::default();
        let mut memory = std::mem::take(&mut at.memory);
        loop {
            let op = program.ops()[position];
            let width = C::Set::width(&op);
            let pc = program.base().wrapping_add(2 * position as u32);
            if block.instructions >= LONGEST {
                block.end = End::Next(edge_to(finder, position, at));
                break;
            }
            if !translates(&op) {
                block.end = End::Next(Edge { block: None, exit: exit_before(finder, position, at) });
                break;
            }
            if at.prefetch.is_some() && memory == Memory::Any {
                if let Some(address) = address_read(&op) {
                    // What comes then depends on where it is.
                    let (base, size) = source.ram;
                    let offset = address.plus(base.wrapping_neg());
                    let is_ram = Expr::binary(Binary::Less, offset, Expr::Constant(size));
                    let edges = [Memory::Ram, Memory::Flash]
                        .map(|memory| edge_to(finder, position, At { memory, ..at }));
                    block.end = End::Either(is_ram, edges);
                    break;
                }
            }
            source.enter_lines(position, &mut at.line, &mut block);
            at.begin(pc, width);
            let cycles = program.cycles(position, width as usize);
            block.cycles += cycles;
            block.instructions += 1;
            if let Some(end) = jump(finder, &op, position, &mut flags, (&mut block.steps, &mut at)) {
                block.end = end;
                break;
            }
            let before = block.steps.len();
            if let Some(steps) = source.literal(&op) {
                block.steps.extend(steps);
                at.line = None;
            } else {
                let _translated = lower(&op, &mut flags, &mut block.steps);
                if block.steps[before..].iter().any(|step| matches!(step, Step::Load { .. })) {
                    // The line of the code may have made room.
                    at.line = None;
                }
            }
            at.access(op.code == Code::LdrConstant, std::mem::take(&mut memory), &mut block.steps[before..]);
            at.finish(cycles);
            position += width as usize;
        }
        block.cycles += at.stalls();
        (block.late, block.needs) = flags.finish();
        block
    }

    fn hollow(finder: &mut Finder<'_, '_, C>, position: usize, at: At) -> Block {
        let exit = exit_before(finder, position, at);
        let (late, needs) = Flags::default().finish();
        Block { late, needs, end: End::Next(Edge { block: None, exit }), ..Block::new(None) }
    }
}

/// The address that `op` loads from, unless it is known whether that is in RAM.
fn address_read(op: &Op<Code>) -> Option<Expr> {
    let n = value(op.n);
    let address = match op.code {
        Code::LdrImm | Code::LdrhImm | Code::LdrbImm => n.plus(op.imm),
        Code::LdrReg | Code::LdrhReg | Code::LdrbReg | Code::LdrshReg | Code::LdrsbReg => {
            Expr::binary(Binary::Add, n, value(op.m))
        }
        Code::Ldm => n,
        _ => return None,
    };
    (op.n != Reg::Sp).then_some(address)
}

/// Is `op` translated?
fn translates(op: &Op<Code>) -> bool {
    condition(op.code, &mut Flags::default()).is_some()
        || target(op, &mut Vec::new()).is_some()
        || lower(op, &mut Flags::default(), &mut Vec::new())
}

/// A way out in front of the operation at `position`, which is not translated. As in the interpreter, the
/// budget is checked only if the table ends there.
fn exit_before<C: Core<Set = V6m>>(finder: &mut Finder<'_, '_, C>, position: usize, at: At) -> usize {
    let program = finder.source.program;
    let pc = program.base().wrapping_add(2 * position as u32);
    let checks_budget = program.ops().get(position).is_none_or(|op| op.code == Code::Leave);
    finder.exit(Some(pc), pc.wrapping_sub(2), at.settled(), checks_budget)
}

/// To the operation at `position`, from the one in front of it.
fn edge_to<C: Core<Set = V6m>>(finder: &mut Finder<'_, '_, C>, position: usize, at: At) -> Edge {
    let block = finder.block(position, &at.settled());
    Edge { block, exit: exit_before(finder, position, at) }
}

/// The end of a block by the operation at `position`, if that is a jump.
fn jump<C: Core<Set = V6m>>(
    finder: &mut Finder<'_, '_, C>,
    op: &Op<Code>,
    position: usize,
    flags: &mut Flags,
    (steps, at): (&mut Vec<Step>, &mut At),
) -> Option<End> {
    let source = finder.source;
    let pc = source.program.base().wrapping_add(2 * position as u32);
    let width = C::Set::width(op);
    let following = pc.wrapping_add(2 * width);
    let cycles = source.program.cycles(position, width as usize);
    let is_flash = |target: u32| target.wrapping_sub(source.program.base()) >> 2 < source.flash.len() as u32;
    if let Some(condition) = condition(op.code, flags) {
        let (there, waited) = at.gone(cycles + C::taken(op), op.imm, is_flash(op.imm));
        let taken = [finder.jump_to(op.imm, pc, there); 2];
        at.finish(cycles);
        let not_taken = [edge_to(finder, position + width as usize, *at); 2];
        let lost = Lost::Always(C::taken(op) + waited);
        return Some(End::Branch { condition, pc, target: op.imm, lost, taken, not_taken });
    }
    let before = steps.len();
    let target = target(op, steps)?;
    at.access(false, Memory::Any, &mut steps[before..]);
    let link = matches!(op.code, Code::Bl | Code::Blx).then(|| (number(Reg::Lr), following | 1));
    if link.is_some() {
        finder.target(following);
    }
    let kind = Kind::Plain;
    if let Expr::Constant(target) = target {
        let (there, waited) = at.gone(cycles, target, is_flash(target));
        let edges = [finder.jump_to(target, pc, there); 2];
        return Some(End::Jump { pc, target, kind, link, lost: Lost::Always(waited), edges });
    }
    let (near, waited) = at.gone_far(cycles);
    at.finish(cycles);
    let mut exit = |arrival| finder.exit(None, pc, At { arrival, ..at.settled() }, true);
    let (after, unknown) = ([exit(Arrival::Counted); 2], (exit(Arrival::Open), None));
    let tables = [finder.table(At::default()); 2];
    Some(End::Indirect { pc, target, kind, link, lost: Lost::Always(waited), unknown, near, after, tables })
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
