//! Finds the blocks of decoded RISC-V code.
//!
//! Results that are pending when a block is entered are part of its key only if they are still noticed at its
//! end; otherwise the block with nothing pending is used, and the cycles of the waits are added on the way in.
//! With a buffer in front of the core, whose state is part of the key, nothing is pending. A load from what may be
//! flash or RAM then begins a block for each.

use pennyweight_memory::bus::Word;
use pennyweight_memory::timing::{FetchBuffer, FlashTiming};
use pennyweight_riscv::core::{Around, Core, JumpCosts, LoopState};
use pennyweight_riscv::decode::is_wide;
use pennyweight_riscv::op::{Code, Op};
use pennyweight_riscv::pipeline::Pending;
use pennyweight_riscv::program::{halfword, is_instruction, Program};
use pennyweight_riscv::registers::Reg;

use super::at::{Arrival, At};
use super::looped;
use super::lower::{address_read, condition, lower, value};
use crate::blocks::{self, Source, LONGEST};
use crate::ir::{Binary, Block, Edge, End, Expr, Kind, Lost, Memory, Step};

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
    /// A buffer like that of flash, in any state, if flash has one.
    pub buffer: Option<FetchBuffer>,
    /// First address of RAM, and its bytes.
    pub ram: (u32, u32),
    /// The code as fetching sees it.
    pub around: &'a dyn Around,
}

pub(super) type Finder<'a, 'c> = blocks::Finder<'a, Decoded<'c>>;

impl Decoded<'_> {
    /// Is the address in flash?
    pub fn has(&self, address: u32) -> bool {
        address.wrapping_sub(self.base) >> 2 < self.flash.len() as u32
    }

    /// The cycles that a jump loses in addition because it goes to `target`, in flash.
    fn split(&self, target: u32) -> u32 {
        split(self.program.core(), target, halfword(self.flash, self.base, target))
    }

    /// Does the core predict the last backward branch?
    fn predicts_loops(&self) -> bool {
        matches!(self.program.core().jumps, JumpCosts::Looped(_))
    }

    /// Is `op` translated? What a jump loses because of its target is known only in flash.
    pub(super) fn translates(&self, op: &Op) -> bool {
        match op.code {
            Code::JumpReg | Code::CallReg | Code::Return => true,
            Code::PopReturn | Code::PopReturnZero => false,
            Code::Line => true,
            Code::Leave | Code::GoOn => false,
            _ if op.is_jump() => self.has(op.imm) || penalty(self.program.core()).is_some(),
            _ => lower(op, &mut Vec::new()),
        }
    }

    /// How the block from `position` on is left: what is then pending that would not be there if nothing were
    /// pending at its beginning, and how many cycles more it takes.
    fn settle_pending(&self, position: usize, pending: &Pending) -> Option<(Pending, u32)> {
        let core = self.program.core();
        let (mut with, mut without) = (*pending, Pending::default());
        let mut extra = 0u32;
        for (length, op) in self.program.ops().get(position..)?.iter().enumerate() {
            if op.code == Code::GoOn {
                break;
            }
            if !self.translates(op) {
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

    /// If an access's place decides what comes: whether the load `op` reads RAM.
    fn reads_ram(&self, op: &Op, at: &At) -> Option<Expr> {
        at.buffer?;
        let (base, size) = self.ram;
        let address = address_read(op).filter(|_| at.memory == Memory::Any)?;
        let offset = address.plus(base.wrapping_neg());
        Some(Expr::binary(Binary::Less, offset, Expr::Constant(size)))
    }
}

impl Source for Decoded<'_> {
    type Pending = At;

    fn position(&self, address: u32) -> Option<usize> {
        self.program.position(address)
    }

    fn settle(&self, position: usize, at: &At) -> Option<(At, u32)> {
        if at.forgotten.is_some() {
            return Some((*at, 0));
        }
        if at.line.is_some_and(|line| line.queue.is_some()) && !looped::runs_to_jump(self, position) {
            return None;
        }
        if at.buffer.is_some() {
            let op = self.program.ops().get(position)?;
            return (op.code == Code::GoOn || self.translates(op)).then(|| (at.settled(), 0));
        }
        let (pending, extra) = self.settle_pending(position, &at.pending)?;
        Some((At { pending, ..*at }, extra))
    }

    fn arrive(&self, target: u32, at: &At) -> At {
        if self.predicts_loops() {
            return At { line: Some(LoopState::at(target)), ..*at };
        }
        let Some(mut buffer) = self.buffer else { return *at };
        if at.buffer.is_some() {
            return at.led_to(target, true, self.split(target));
        }
        // As a call does.
        buffer.start(target);
        At { buffer: Some(buffer.settled()), ..*at }
    }

    fn lost_by_target(&self, target: u32) -> Option<u32> {
        Some(self.split(target))
    }

    fn build(finder: &mut Finder<'_, '_>, position: usize, mut at: At) -> Block {
        let Decoded { program, line_shift, .. } = *finder.source;
        let address = program.places()[position].address;
        let mut block = Block::new(line_shift.map(|shift| address >> shift));
        block.end = fill(finder, position, &mut at, &mut block);
        block.cycles += at.stalls();
        block
    }

    fn hollow(finder: &mut Finder<'_, '_>, position: usize, at: At) -> Block {
        let exit = exit_before(finder, position, at);
        Block { end: End::Next(Edge { block: None, exit }), ..Block::new(None) }
    }
}

/// Fills a block from `position` on, up to its end.
fn fill(finder: &mut Finder<'_, '_>, mut position: usize, at: &mut At, block: &mut Block) -> End {
    let source = finder.source;
    let (program, core) = (source.program, source.program.core());
    if let Some(lost) = at.forgotten.take() {
        block.cycles += lost;
        block.steps.push(looped::forget());
        return End::Next(edge_to(finder, position, *at));
    }
    loop {
        let op = program.ops()[position];
        let pc = program.places()[position].address;
        if op.code == Code::Line {
            let line = op.imm >> source.line_shift.unwrap_or(0);
            if !block.steps.is_empty() || block.line != Some(line) {
                block.steps.push(Step::Line(line));
            }
            position += 1;
            continue;
        }
        if op.code == Code::GoOn {
            return End::Next(finder.jump_to(op.imm, pc, at.settled()));
        }
        if block.instructions >= LONGEST {
            return End::Next(edge_to(finder, position, *at));
        }
        if !source.translates(&op) {
            return End::Next(Edge { block: None, exit: exit_before(finder, position, *at) });
        }
        if let Some(is_ram) = source.reads_ram(&op, at) {
            let edges =
                [Memory::Ram, Memory::Flash].map(|memory| edge_to(finder, position, At { memory, ..*at }));
            return End::Either(is_ram, edges);
        }
        if let Some(is_predicted) = looped::is_predicted(&op, pc, at) {
            let edges = [true, false].map(|it| edge_to(finder, position, At { predicted: Some(it), ..*at }));
            return End::Either(is_predicted, edges);
        }
        let memory = std::mem::take(&mut at.memory);
        let halfwords =
            program.places().get(position + 1).map_or(1, |next| next.address.wrapping_sub(pc) / 2);
        let before = *at;
        at.begin(pc, halfwords);
        let own = 1 + at.pending.issue(&op, core);
        block.cycles += own;
        block.instructions += 1;
        if op.is_jump() {
            return match before.line {
                Some(line) => looped::end(finder, (&op, position), line, at, &mut block.steps),
                None => jump(finder, &op, position, own, [before, *at]),
            };
        }
        let first = block.steps.len();
        let _translated = lower(&op, &mut block.steps);
        for step in &mut block.steps[first..] {
            if let Step::Load { memory: each, .. } = step {
                *each = memory;
            }
        }
        if memory == Memory::Flash {
            at.read_flash();
        }
        at.finish(own);
        position += 1;
    }
}

/// A way out in front of the operation at `position`, which is not translated. As in the interpreter, the
/// budget is checked only if the table ends there.
fn exit_before(finder: &mut Finder<'_, '_>, position: usize, at: At) -> usize {
    let program = finder.source.program;
    let places = program.places();
    let pc = places.get(position).map_or(0, |place| place.address);
    let from = position.checked_sub(1).map_or(pc, |before| places[before].address);
    let checks_budget = program.ops().get(position).is_none_or(|op| op.code == Code::Leave);
    finder.exit(Some(pc), from, at.settled(), checks_budget)
}

/// To the operation at `position`, from the one in front of it.
pub(super) fn edge_to(finder: &mut Finder<'_, '_>, position: usize, at: At) -> Edge {
    let block = finder.block(position, &at.settled());
    Edge { block, exit: exit_before(finder, position, at) }
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
        JumpCosts::Refilled(refill) | JumpCosts::Looped(refill) => {
            let gone = if is_branch { refill.taken } else { refill.jump };
            Lost::Always(gone + code.split(target))
        }
    }
}

/// What is behind a jump that begins so and takes so many cycles, without and with cycles lost: in front of what the
/// buffer does if it jumps.
fn behind(core: &Core, at: At, own: u32, lost: Lost) -> [At; 2] {
    let after = |lost| {
        let mut at = at;
        at.pending.advance(lost);
        at.finish(own + lost);
        at
    };
    match lost {
        Lost::Always(cycles) => [after(cycles); 2],
        Lost::Predicted => [at, At { pending: after(penalty(core).unwrap_or(0)).pending, ..at }],
    }
}

/// Where the computed jump `op` goes.
pub(super) fn computed_target(op: &Op) -> Expr {
    Expr::binary(Binary::And, value(op.n).plus(op.imm), Expr::Constant(!1))
}

/// The register that takes the address behind the jump `op`, and that address.
pub(super) fn link(finder: &mut Finder<'_, '_>, op: &Op, following: u32) -> Option<(u8, u32)> {
    let link = (op.d != Reg::Sink).then_some((op.d as u8, following));
    if link.is_some() {
        finder.target(following);
    }
    link
}

/// The end of a block by a jump of so many cycles, with what is in front of it and when it has begun.
fn jump(finder: &mut Finder<'_, '_>, op: &Op, position: usize, own: u32, [before, begun]: [At; 2]) -> End {
    let code = finder.source;
    let (core, places) = (code.program.core(), code.program.places());
    let pc = places[position].address;
    let following = places.get(position + 1).map_or(pc, |place| place.address);
    let to = |finder: &mut Finder<'_, '_>, target, lost| {
        behind(core, begun, own, lost).map(|mut behind| {
            behind.jump(target, code.has(target));
            finder.jump_to(target, pc, behind.settled())
        })
    };
    if let Some(condition) = condition(op) {
        let lost = lost(code, op.imm, true);
        let taken = to(finder, op.imm, lost);
        let without = if lost == Lost::Predicted { lost } else { Lost::Always(0) };
        let not_taken = behind(core, begun, own, without).map(|behind| edge_to(finder, position + 1, behind));
        return End::Branch { condition, pc, target: op.imm, lost, taken, not_taken };
    }
    let link = link(finder, op, following);
    let kind = match op.code {
        Code::Call | Code::CallReg => Kind::Call(following),
        Code::Return => Kind::Return,
        _ => Kind::Plain,
    };
    if matches!(op.code, Code::Jump | Code::Call) {
        let (target, lost) = (op.imm, lost(code, op.imm, false));
        let edges = to(finder, target, lost);
        return End::Jump { pc, target, kind, link, lost, edges };
    }
    let lost = match core.jumps {
        JumpCosts::Predicted { .. } => Lost::Predicted,
        JumpCosts::Refilled(refill) | JumpCosts::Looped(refill) => Lost::Always(refill.jump),
    };
    let target = computed_target(op);
    let behind = behind(core, begun, own, lost).map(At::open);
    let arriving = |at: At, arrival| At { arrival: at.buffer.map_or(Arrival::None, |_| arrival), ..at };
    let after = behind.map(|behind| finder.exit(None, pc, arriving(behind, Arrival::Counted), true));
    let tables = behind.map(|behind| finder.table(behind));
    let unknown = match lost {
        // Where the buffer is, is known behind the jump only.
        Lost::Always(cycles) if begun.buffer.is_some() => {
            (finder.exit(None, pc, arriving(behind[0], Arrival::Open(cycles)), true), None)
        }
        _ => (exit_before(finder, position, before), Some(own)),
    };
    let then = Vec::new();
    End::Indirect { pc, target, kind, link, lost, unknown, near: None, after, tables, then }
}

/// The cycles that a jump loses in addition because it goes to `target`, where this halfword is: if a 32-bit
/// instruction begins there and is in two words.
#[must_use]
pub fn split(core: &Core, target: u32, half: Option<u16>) -> u32 {
    match core.jumps {
        JumpCosts::Refilled(refill) | JumpCosts::Looped(refill)
            if target & 2 != 0 && half.is_some_and(is_wide) =>
        {
            refill.split
        }
        _ => 0,
    }
}
