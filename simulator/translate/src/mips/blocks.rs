//! Finds the blocks of decoded MIPS32 code.
//!
//! The interpreter checks the budget between a jump and its delay slot. So a delay slot is a block of its own,
//! whose key has the target of the jump. Results that are on their way are part of the key, unless no instruction
//! waits for them.

use pennyweight_mips::core::Core;
use pennyweight_mips::op::{Code, Op, Reg, Unit};
use pennyweight_mips::pipeline::Pipeline;

use super::at::{At, Came, Slot};
use super::lower::{condition, is_likely, lower, value, TARGET};
use crate::blocks::{self, Source, LONGEST};
use crate::ir::{Binary, Block, Edge, End, Expr, Fetch, Kind, Lost, Step, Unary};

/// Decoded code.
pub struct Decoded<'a> {
    /// The core.
    pub core: &'a Core,
    /// The table, a word each.
    pub ops: &'a [Op],
    /// First address of flash.
    pub base: u32,
    /// Bytes of a line as a power of two, if flash reads ahead line by line.
    pub stream_shift: Option<u32>,
    /// Does reading a line of flash again take no time?
    pub reads_lines: bool,
}

type Finder<'a, 'c> = blocks::Finder<'a, Decoded<'c>>;

/// Dividends of 8, 16, 24 and 32 bits.
const DIVIDENDS: [u32; 4] = [1, 0x100, 0x1_0000, 0x100_0000];
/// The largest factor of 16 bits, and one of more.
const FACTORS: [u32; 2] = [0, 0x1_0000];

impl Decoded<'_> {
    fn address(&self, position: usize) -> u32 {
        self.base.wrapping_add(4 * position as u32)
    }

    fn lowers(&self, op: &Op) -> bool {
        lower(op, self.reads_lines, &mut Vec::new())
    }

    /// Is `op` at `pc` translated? No jump is, in a delay slot.
    fn translates(&self, op: &Op, pc: u32, at: &At) -> bool {
        if !op.code.branches() {
            return self.lowers(op);
        }
        if at.slot != Slot::None {
            return false;
        }
        // A jump behind its delay slot is none for the interpreter, and likely ones may skip nothing.
        let goes_on = op.imm == pc.wrapping_add(8);
        match op.code {
            Code::J | Code::Jal | Code::Jalx => !goes_on,
            Code::Jr => true,
            Code::Jalr => op.d != Reg::SP,
            _ => !goes_on && (op.d != Reg::RA || op.s != Reg::RA),
        }
    }

    /// Does no instruction wait for a result that is on its way?
    fn is_idle(&self, position: usize, at: &At) -> bool {
        let (mut with, mut without) = (at.pipeline, Pipeline::default());
        for op in self.ops.get(position..).unwrap_or_default() {
            if with.settled() == without.settled() {
                return true;
            }
            let is_simple = matches!(op.unit, Unit::Integer | Unit::Load) && !op.code.branches();
            if !is_simple || with.issue(op, self.core, 0, 0) != without.issue(op, self.core, 0, 0) {
                return false;
            }
            if at.slot != Slot::None {
                return with.settled() == without.settled();
            }
        }
        false
    }

    /// The line of an address, if flash reads ahead.
    fn line(&self, address: u32) -> Option<u32> {
        self.stream_shift.map(|shift| address >> shift)
    }

    /// Execution comes to an instruction.
    fn fetch(&self, pc: u32, came: &mut Came, steps: &mut Vec<Step>) {
        let Some(line) = self.line(pc) else { return };
        steps.extend(match *came {
            Came::From(last) if last == line => None,
            Came::Any => Some(Step::Fetch(Fetch::Any(line, line))),
            Came::From(last) if last.wrapping_add(1) == line => Some(Step::Fetch(Fetch::Next(line))),
            _ => Some(Step::Fetch(Fetch::Far(line))),
        });
        *came = Came::From(line);
    }

    /// So many cycles pass in a block.
    fn pass(&self, cycles: u32, block: &mut Block) {
        if self.stream_shift.is_some() {
            block.steps.push(Step::Cycles(Expr::Constant(cycles)));
        } else {
            block.cycles += cycles;
        }
    }

    /// The values of operands by which the cost is found of an instruction of this case.
    fn operands(op: &Op, case: Option<u8>) -> (u32, u32) {
        let case = usize::from(case.unwrap_or(0));
        match op.unit {
            Unit::Mul | Unit::Multiply => (0, FACTORS[case & 1]),
            Unit::Divide | Unit::DivideUnsigned => (DIVIDENDS[case & 3], 0),
            _ => (0, 0),
        }
    }
}

impl Source for Decoded<'_> {
    type Pending = At;

    const SHIFT: u32 = 0;

    fn position(&self, address: u32) -> Option<usize> {
        let number = address.wrapping_sub(self.base).rotate_right(2) as usize;
        (number < self.ops.len()).then_some(number)
    }

    fn settle(&self, position: usize, at: &At) -> Option<(At, u32)> {
        let (op, pc) = (self.ops.get(position)?, self.address(position));
        if at.slot != Slot::Skipped && !self.translates(op, pc, at) {
            return None;
        }
        let came = match (at.came, self.line(pc)) {
            (Came::From(last), Some(line)) if last == line || last.wrapping_add(1) == line => at.came,
            (Came::From(_), Some(_)) => Came::Far,
            (came, _) => came,
        };
        let mut at = At { came, ..at.settled() };
        if at.slot != Slot::Skipped && self.is_idle(position, &at) {
            at.pipeline = Pipeline::default();
        }
        Some((at, 0))
    }

    fn lost_by_target(&self, _: u32) -> Option<u32> {
        Some(0)
    }

    fn build(finder: &mut Finder<'_, '_>, mut position: usize, mut at: At) -> Block {
        let source = finder.source;
        let mut block = Block::new(None);
        if at.slot == Slot::Skipped {
            // It has been fetched: it takes its cycle.
            source.pass(1, &mut block);
            at.pipeline.now += 1;
            let (pc, slot) = (source.address(position), Slot::None);
            let target = pc.wrapping_add(4);
            let edges = [finder.jump_to(target, pc, At { slot, ..at.settled() }); 2];
            let (kind, link, lost) = (Kind::Plain, None, Lost::Always(0));
            block.end = End::Jump { pc, target, kind, link, lost, edges };
            return block;
        }
        loop {
            let pc = source.address(position);
            let op = source.ops.get(position).filter(|op| source.translates(op, pc, &at));
            let Some(op) = op else {
                block.end = End::Next(Edge { block: None, exit: exit_before(finder, position, at) });
                return block;
            };
            if block.instructions >= LONGEST {
                block.end = End::Next(edge_to(finder, position, at));
                return block;
            }
            if let Some(end) = undecided(finder, op, position, at) {
                block.end = end;
                return block;
            }
            source.fetch(pc, &mut at.came, &mut block.steps);
            block.instructions += 1;
            let (s, t) = Decoded::operands(op, at.case.take());
            let cycles = at.pipeline.issue(op, source.core, s, t);
            if op.code.branches() {
                block.end = jump(finder, op, position, at, &mut block.steps);
                source.pass(cycles, &mut block);
                return block;
            }
            let _translated = lower(op, source.reads_lines, &mut block.steps);
            source.pass(cycles, &mut block);
            if at.slot != Slot::None {
                block.end = behind_slot(finder, pc, at, &mut block.steps);
                return block;
            }
            position += 1;
        }
    }

    fn hollow(finder: &mut Finder<'_, '_>, position: usize, at: At) -> Block {
        let exit = exit_before(finder, position, at);
        Block { end: End::Next(Edge { block: None, exit }), ..Block::new(None) }
    }
}

/// A way out in front of the operation at `position`, where no jump leads.
fn exit_before(finder: &mut Finder<'_, '_>, position: usize, at: At) -> usize {
    let pc = finder.source.address(position);
    // Behind a delay slot that is skipped, the interpreter checks the budget.
    let checks_budget = at.slot == Slot::Skipped;
    finder.exit(Some(pc), pc.wrapping_sub(4), At { case: None, ..at.settled() }, checks_budget)
}

/// To the operation at `position`, from the one in front of it.
fn edge_to(finder: &mut Finder<'_, '_>, position: usize, at: At) -> Edge {
    let block = finder.block(position, &at.settled());
    Edge { block, exit: exit_before(finder, position, at) }
}

/// Cases of a division from here on: a larger one than that of the number behind this.
const NOT: u8 = 4;

/// The end of a block in front of `op`, if its case is not known yet.
fn undecided(finder: &mut Finder<'_, '_>, op: &Op, position: usize, at: At) -> Option<End> {
    if at.case.is_some_and(|case| case < NOT) {
        return None;
    }
    let source = finder.source;
    let (s, t) = (value(op.s), value(op.t));
    let mut to = |case| edge_to(finder, position, At { case: Some(case), ..at });
    match op.unit {
        Unit::Mul | Unit::Multiply if op.t != Reg::ZERO => {
            let half = Expr::unary(Unary::SignedHalf, t.clone());
            Some(End::Either(Expr::binary(Binary::Equal, half, t), [to(0), to(1)]))
        }
        Unit::Divide | Unit::DivideUnsigned => {
            let case = at.case.map_or(0, |case| case - NOT + 1);
            let size = if op.unit == Unit::Divide {
                // Without copies of the sign but one.
                let sign = Expr::binary(Binary::ShiftRightSigned, s.clone(), Expr::Constant(31));
                let folded = Expr::binary(Binary::Xor, s, sign);
                Expr::binary(Binary::ShiftLeft, folded, Expr::Constant(1))
            } else {
                s
            };
            let is_less = Expr::binary(Binary::Less, size, Expr::Constant(1 << (8 * (case + 1))));
            let other = if case == 2 { 3 } else { NOT + case };
            Some(End::Either(is_less, [to(case), to(other)]))
        }
        _ if matches!(op.code, Code::Jr | Code::Jalr) => {
            let behind = Expr::Constant(source.address(position).wrapping_add(8));
            let goes = Expr::binary(Binary::NotEqual, s, behind);
            let on = to(0);
            let exit = exit_before(finder, position, at);
            Some(End::Either(goes, [on, Edge { block: None, exit }]))
        }
        _ => None,
    }
}

/// The end of a block by the jump or branch `op` at `position`: its delay slot comes.
fn jump(finder: &mut Finder<'_, '_>, op: &Op, position: usize, at: At, steps: &mut Vec<Step>) -> End {
    let pc = finder.source.address(position);
    let (slot, back) = (pc.wrapping_add(4), pc.wrapping_add(8));
    let (kind, lost) = (Kind::Plain, Lost::Always(0));
    let links = match op.code {
        Code::Jal | Code::Jalx | Code::Bltzal | Code::Bgezal | Code::Bltzall | Code::Bgezall => Some(Reg::RA),
        Code::Jalr => Some(op.d).filter(|reg| *reg != Reg::SINK),
        _ => None,
    };
    if matches!(op.code, Code::Jr | Code::Jalr) {
        steps.push(Step::Set(TARGET, value(op.s)));
    }
    if let Some(reg) = links {
        finder.target(back);
        steps.push(Step::Set(reg.0, Expr::Constant(back)));
    }
    let to = match op.code {
        Code::Jr | Code::Jalr => Slot::Computed,
        _ => Slot::To(op.imm),
    };
    let edges = [finder.jump_to(slot, pc, At { slot: to, ..at.settled() }); 2];
    let Some(condition) = condition(op) else {
        return End::Jump { pc, target: slot, kind, link: None, lost, edges };
    };
    let other = if is_likely(op.code) { Slot::Skipped } else { Slot::None };
    let not_taken = [edge_to(finder, position + 1, At { slot: other, ..at }); 2];
    End::Branch { condition, pc, target: slot, lost, taken: edges, not_taken }
}

/// The end of a block behind the delay slot at `pc`.
fn behind_slot(finder: &mut Finder<'_, '_>, pc: u32, at: At, steps: &mut Vec<Step>) -> End {
    let there = At { slot: Slot::None, ..at.settled() };
    if let Slot::To(target) = at.slot {
        let block = finder.source.position(target).and_then(|position| finder.block(position, &there));
        return End::Next(Edge { block, exit: finder.exit(Some(target), pc, there, false) });
    }
    if let Some(line) = finder.source.line(pc) {
        steps.push(Step::NoteLine(line));
    }
    let there = At { came: Came::Any, ..there };
    let exit = finder.exit(None, pc, there, false);
    End::Indirect {
        pc,
        target: Expr::Register(TARGET),
        kind: Kind::Plain,
        link: None,
        lost: Lost::Always(0),
        unknown: (exit, None),
        near: None,
        after: [exit; 2],
        tables: [finder.table(there); 2],
        then: Vec::new(),
    }
}
