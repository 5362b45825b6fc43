//! Blocks of code whose flash and RAM are behind a bus matrix.
//!
//! How long code waits depends on where each access goes, and on the cycles of each instruction. A block
//! ends in front of an instruction for which this is not known. Each possibility is a way on, to a block
//! that begins with the instruction and in which it is known. Accesses usually go to aligned addresses in
//! RAM. Their other possibilities would make the code three times as large; they are translated where one
//! of them has come.

mod ways;

use pennyweight_thumb::core::{Core, OpOf};
use pennyweight_thumb::op::{InstructionSet, Work};
use pennyweight_thumb::program;

use super::at::{Arrival, At, Conditional, Decided};
use super::blocks::{edge_to, exit_before, leave_before, link_of, Decoded, Finder};
use super::conditional;
use super::costs;
use super::flags::{Flags, DATA};
use super::lower::number;
use super::operation::Operation;
use super::values::{constant, right};
use crate::blocks::LONGEST;
use crate::ir::{Alignment, Block, Edge, End, Event, Events, Expr, Kind, Lost, Memory, Step};
use ways::{accesses, literal, ways, Choices};

/// An instruction that is translated.
struct Instruction<C: Core> {
    op: OpOf<C>,
    pc: u32,
    position: usize,
    halfwords: u32,
    /// What it takes if it is executed, a conditional branch if it is not taken.
    cycles: u32,
}

/// The block from `position` on.
pub fn build<C>(finder: &mut Finder<'_, '_, C>, mut position: usize, mut at: At) -> Block
where
    C: Core<Set: InstructionSet<Code: Operation>>,
{
    let source = finder.source;
    let program = source.program;
    let mut block = Block { is_entry: at == At::default(), ..Block::new(None) };
    let mut flags = Flags::default();
    loop {
        let each = at.inside.and_then(|Conditional { block, index }| program.block(block).get(index));
        let op = each.map_or(program.ops()[position], |each| each.op);
        let halfwords = C::Set::width(&op);
        if each.is_none() && (block.instructions >= LONGEST || !source.translates(position, &op)) {
            let edge = if source.translates(position, &op) {
                edge_to(finder, position, at)
            } else {
                leave_before(finder, position, at)
            };
            follow(edge, &mut block);
            break;
        }
        let cycles = each.map_or_else(|| program.cycles(position, halfwords as usize), |each| each.cycles);
        let next = Instruction::<C> { op, pc: source.address(position), position, halfwords, cycles };
        let is_open = matches!(at.decided, Decided::Nothing | Decided::Executed);
        if is_open && decide(finder, &next, each, at, &mut flags, &mut block) {
            break;
        }
        let decided = std::mem::take(&mut at.decided);
        block.events.within.push(Event::Instruction(next.pc, halfwords));
        block.instructions += 1;
        if next.execute(finder, each, decided, (&mut flags, &mut block, &mut at)) {
            break;
        }
        position += halfwords as usize;
        let behind = next.pc.wrapping_add(2 * halfwords);
        if let Some(number) = C::Set::block(&op).filter(|_| each.is_none()).map(|_| op.imm) {
            at.inside = Some(Conditional { block: number, index: 0 });
            if program.block(number).is_empty() {
                over(finder, behind, behind, &mut block);
                break;
            }
        } else if let Some(inside) = &mut at.inside {
            inside.index += 1;
            if inside.index == program.block(inside.block).len() {
                over(finder, next.pc, behind, &mut block);
                break;
            }
        }
        // The seldom ways meet the usual one.
        if matches!(decided, Decided::Split(_) | Decided::Again | Decided::Flash | Decided::Busy(_)) {
            let edge = edge_to(finder, position, at);
            follow(edge, &mut block);
            break;
        }
    }
    (block.late, block.needs) = flags.finish();
    block
}

/// Another block follows.
fn follow(edge: Edge, block: &mut Block) {
    block.end = End::Next(edge);
    block.events.ways = vec![Vec::new()];
}

/// The last of the instructions that an IT instruction governs is over.
fn over<C>(finder: &mut Finder<'_, '_, C>, last: u32, next: u32, block: &mut Block)
where
    C: Core<Set: InstructionSet<Code: Operation>>,
{
    let edges = [finder.jump_to(next, last, At::default()); 2];
    let (kind, lost) = (Kind::Plain, Lost::Always(0));
    block.end = End::Jump { pc: last, target: next, kind, link: None, lost, edges };
    block.events.ways = vec![Vec::new()];
}

/// Ends the block in front of an instruction if it is not known what its time is. `each`: an IT instruction
/// governs it so.
fn decide<C>(
    finder: &mut Finder<'_, '_, C>,
    next: &Instruction<C>,
    each: Option<&program::Conditional<C>>,
    at: At,
    flags: &mut Flags,
    block: &mut Block,
) -> bool
where
    C: Core<Set: InstructionSet<Code: Operation>>,
{
    let source = finder.source;
    let op = &next.op;
    let ways = match each.filter(|_| at.decided == Decided::Nothing) {
        Some(each) => {
            let is_jump = Operation::target(op, &mut Vec::new()).is_some();
            let is_work = Operation::work(op).is_some();
            if !is_jump && !is_work && each.cycles == C::SKIPPED && accesses::<C>(op).is_none() {
                return false;
            }
            (vec![(flags.holds(each.condition), Decided::Executed)], Some(Decided::Skipped))
        }
        None => match ways(source, op, source.learned.unusual.contains(next.pc), &mut block.steps) {
            Some(ways) => ways,
            None => return false,
        },
    };
    end_in(finder, next.position, at, ways, block);
    true
}

/// Ends the block so.
fn end_in<C>(
    finder: &mut Finder<'_, '_, C>,
    position: usize,
    at: At,
    (ways, last): Choices,
    block: &mut Block,
) where
    C: Core<Set: InstructionSet<Code: Operation>>,
{
    block.events.ways = vec![Vec::new(); ways.len() + 1];
    let mut to = |decided| edge_to(finder, position, At { decided, ..at });
    let ways = ways.into_iter().map(|(condition, decided)| (condition, to(decided))).collect();
    let last = match last {
        Some(decided) => to(decided),
        None => {
            let is_unusual = !finder.source.learned.unusual.contains(finder.source.address(position));
            Edge { block: None, exit: exit_before(finder, position, At { is_unusual, ..at }) }
        }
    };
    block.end = End::Ways(ways, last);
}

impl<C: Core<Set: InstructionSet<Code: Operation>>> Instruction<C> {
    /// Adds what the instruction does. True: it ends the block.
    fn execute(
        &self,
        finder: &mut Finder<'_, '_, C>,
        each: Option<&program::Conditional<C>>,
        decided: Decided,
        (flags, block, at): (&mut Flags, &mut Block, &mut At),
    ) -> bool {
        let source = finder.source;
        let op = &self.op;
        if decided == Decided::Skipped {
            block.cycles += C::SKIPPED;
            block.events.within.push(Event::Finish(C::SKIPPED));
            return false;
        }
        if let Some(each) = each.filter(|_| decided == Decided::Nothing) {
            // Whether it is executed or not, its time is the same.
            conditional::add(source, each, flags, (block, at));
            block.events.within.push(Event::Finish(C::SKIPPED));
            return false;
        }
        if each.is_none() && C::Set::block(op).is_some() {
            block.cycles += self.cycles;
            block.events.within.push(Event::Finish(self.cycles));
            return false;
        }
        if decided == Decided::Flash {
            self.note_line(source, &mut block.steps);
        }
        if self.jumps(finder, decided, flags, block) {
            block.cycles += self.cycles;
            return true;
        }
        let before = block.steps.len();
        if let Some((_, word)) = literal(source, op) {
            block.events.within.push(flash_event(decided));
            block.steps.push(Step::Set(number(op.d), constant(word)));
        } else {
            let _translated = Operation::lower(op, flags, &mut block.steps);
            place(&mut block.steps[before..], decided, &mut block.events);
        }
        // What an access is split into is counted where it is made.
        let (counted, more) = match decided {
            Decided::Busy(cycles) => (cycles, 0),
            Decided::Split(parts) => (0, C::busy(op, Work::Unaligned(parts))),
            _ => (Operation::work(op).map_or(0, |work| costs::choices::<C>(op, &work)[0]), 0),
        };
        block.cycles += self.cycles + counted;
        block.events.within.push(Event::Finish(self.cycles + counted + more));
        false
    }

    /// Notes the line of flash that it reads.
    fn note_line(&self, source: &Decoded<'_, C>, steps: &mut Vec<Step>) {
        let shift = source.matrix_shift.unwrap_or(0);
        let line = match (literal(source, &self.op), accesses::<C>(&self.op)) {
            (Some((address, _)), _) => constant(address >> shift),
            (None, Some(accesses)) => right(accesses.address, shift),
            (None, None) => return,
        };
        steps.push(Step::Set(DATA, line));
    }

    /// Ends the block if it is a jump.
    fn jumps(
        &self,
        finder: &mut Finder<'_, '_, C>,
        decided: Decided,
        flags: &mut Flags,
        block: &mut Block,
    ) -> bool {
        let source = finder.source;
        let Instruction { op, pc, position, halfwords, cycles } = self;
        let (pc, cycles) = (*pc, *cycles);
        let following = pc.wrapping_add(2 * halfwords);
        let base = source.program.base();
        let is_flash = |target: u32| target.wrapping_sub(base) >> 2 < source.flash.len() as u32;
        // The state at a fixed target, what leads there, and the cycles that are lost on the way.
        let gone = |cycles: u32, target| match source.refill(target) {
            Some(refill) => {
                let events = vec![Event::Finish(cycles + refill), Event::Jump(target, is_flash(target))];
                (At::default(), events, refill)
            }
            None => (At { arrival: Arrival::Open, ..At::default() }, vec![Event::Finish(cycles)], 0),
        };
        if let Some(condition) = Operation::condition(op, flags) {
            let (there, events, lost) = gone(cycles + C::taken(op), op.imm);
            let taken = [finder.jump_to(op.imm, pc, there); 2];
            let not_taken = [edge_to(finder, position + *halfwords as usize, At::default()); 2];
            let lost = Lost::Always(C::taken(op) + lost);
            block.events.ways = vec![events, vec![Event::Finish(cycles)]];
            block.end = End::Branch { condition, pc, target: op.imm, lost, taken, not_taken };
            return true;
        }
        let before = block.steps.len();
        let Some(target) = Operation::target(op, &mut block.steps) else { return false };
        place(&mut block.steps[before..], decided, &mut block.events);
        let link = link_of(finder, op, following);
        let kind = Kind::Plain;
        if let Expr::Constant(target) = target {
            let (there, events, lost) = gone(cycles, target);
            let edges = [finder.jump_to(target, pc, there); 2];
            block.events.ways = vec![events];
            block.end = End::Jump { pc, target, kind, link, lost: Lost::Always(lost), edges };
            return true;
        }
        block.events.ways = vec![vec![Event::Finish(cycles)]];
        let mut exit = |arrival| finder.exit(None, pc, At { arrival, ..At::default() }, true);
        let (after, unknown) = ([exit(Arrival::None); 2], (exit(Arrival::Open), None));
        let (tables, near) = ([finder.table(At::default()); 2], Some(self.near(source)));
        let (lost, then) = (Lost::Always(0), Vec::new());
        block.end = End::Indirect { pc, target, kind, link, lost, unknown, near, after, tables, then };
        true
    }

    /// The first address of the lines that may be in use when it jumps, or read ahead, and how many bytes.
    fn near(&self, source: &Decoded<'_, C>) -> (u32, u32) {
        let shift = source.matrix_shift.unwrap_or(0);
        let first = self.pc >> shift;
        let last = (self.pc.wrapping_add(FETCHED) >> shift).wrapping_add(1);
        (first << shift, (last - first + 1) << shift)
    }
}

/// Bytes from an instruction on that are fetched when it is executed, at most.
const FETCHED: u32 = 11;

/// The event of a load that reads flash.
fn flash_event(decided: Decided) -> Event {
    if decided == Decided::Again {
        Event::ReadAgain
    } else {
        Event::ReadFlash
    }
}

/// Notes in the accesses in `steps` where they go, and adds their events.
fn place(steps: &mut [Step], decided: Decided, events: &mut Events) {
    let is_flash = matches!(decided, Decided::Again | Decided::Flash);
    for step in steps {
        let (event, alignment) = match step {
            Step::Load { memory, alignment, .. } => {
                *memory = if is_flash { Memory::Flash } else { Memory::Ram };
                (if is_flash { flash_event(decided) } else { Event::ReadRam }, alignment)
            }
            Step::Store { alignment, .. } => (Event::WriteRam, alignment),
            _ => continue,
        };
        events.within.push(event);
        if *alignment == Alignment::Split && !matches!(decided, Decided::Split(_)) {
            *alignment = Alignment::Known;
        }
    }
}
