//! Finds the blocks of decoded code.

use pennyweight_memory::bus::Word;
use pennyweight_memory::timing::{FetchState, Prefetch};
use pennyweight_thumb::core::{Core, OpOf};
use pennyweight_thumb::op::InstructionSet;
use pennyweight_thumb::program::Program;
use pennyweight_thumb::registers::Reg;

use super::at::{Arrival, At, Came, Fetched};
use super::conditional;
use super::costs;
use super::flags::Flags;
use super::lower::number;
use super::matrix;
use super::operation::{Operation, Table};
use crate::blocks::{self, Source, LONGEST};
use crate::ir::{Ahead, Binary, Block, Edge, End, Events, Expr, Fetch, Kind, Lost, Memory, Register, Step};
use crate::learned::Learned;

/// Decoded code, and the flash that it is from.
pub struct Decoded<'a, C: Core> {
    /// The table.
    pub program: &'a Program<C>,
    /// Flash.
    pub flash: &'a [Word],
    /// Bytes of a line as a power of two, if there is a cache for code and data, or one for each.
    pub line_shift: Option<u32>,
    /// Does data have a cache of its own?
    pub is_split: bool,
    /// Bytes of a line as a power of two, if flash reads ahead line by line.
    pub stream_shift: Option<u32>,
    /// The same, if the core fetches ahead behind a cache.
    pub ahead_shift: Option<u32>,
    /// A prefetch buffer like that of flash, in any state, if flash has one.
    pub prefetch: Option<Prefetch>,
    /// First address of RAM, and its bytes.
    pub ram: (u32, u32),
    /// Bytes of a line as a power of two, if flash and RAM are behind a bus matrix.
    pub matrix_shift: Option<u32>,
    /// Bytes of flash that can be loaded.
    pub shown: u32,
    /// What runs have shown.
    pub learned: &'a Learned,
}

pub(super) type Finder<'a, 'c, C> = blocks::Finder<'a, Decoded<'c, C>>;

impl<C: Core<Set: InstructionSet<Code: Operation>>> Decoded<'_, C> {
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

    /// Where execution comes from at `position` if a line is in use, as far as it matters.
    fn came_from(&self, line: u32, position: usize) -> Came {
        let Some(op) = self.program.ops().get(position) else { return Came::Far };
        match self.read_lines(self.address(position), C::Set::width(op)) {
            Some([first, last]) if [first.wrapping_sub(1), first, last].contains(&line) => Came::From(line),
            _ => Came::Far,
        }
    }

    /// The same where the core fetches ahead.
    fn fetched_at(&self, fetched: Fetched, position: usize) -> Fetched {
        let (pc, shift) = (self.address(position), self.ahead_shift.unwrap_or(0));
        let width = self.program.ops().get(position).map_or(1, C::Set::width);
        let end = pc.wrapping_add(2 * width - 1);
        let line = fetched.line.filter(|line| [pc >> shift, end >> shift].contains(line));
        let is_same = fetched.branched || fetched.word == pc >> 2;
        let word = (pc >> 2).wrapping_sub(u32::from(!is_same));
        Fetched { branched: fetched.branched, word, line, slack: 0 }
    }

    /// Whether a line contains a computed jump.
    fn has_computed_jump(&self, line: u32) -> bool {
        let Some(shift) = self.line_shift else { return false };
        let addresses = (line << shift..).step_by(2).take(1 << (shift - 1));
        addresses.filter_map(|address| self.position(address)).any(|position| {
            let target = Operation::target(&self.program.ops()[position], &mut Vec::new());
            target.is_some_and(|target| !matches!(target, Expr::Constant(_)))
        })
    }

    /// The address of a position.
    pub(super) fn address(&self, position: usize) -> u32 {
        self.program.base().wrapping_add(2 * position as u32)
    }

    /// Is the instruction at this address known to access a device?
    pub(super) fn accesses_device(&self, address: u32) -> bool {
        self.learned.devices.contains(&address)
    }

    /// Is `op`, at `position`, translated?
    pub(super) fn translates(&self, position: usize, op: &OpOf<C>) -> bool {
        let pc = self.address(position);
        let is_translated = Operation::condition(op, &mut Flags::default()).is_some()
            || Operation::target(op, &mut Vec::new()).is_some()
            || Operation::lower(op, &mut Flags::default(), &mut Vec::new())
            || C::Set::block(op).is_some() && conditional::translates(self, pc, op.imm);
        is_translated && !self.accesses_device(pc)
    }

    /// Cycles that a taken branch waits for its target; `None` if it is not decoded.
    pub(super) fn refill(&self, target: u32) -> Option<u32> {
        self.position(target).map(|position| self.program.refill(position))
    }

    /// Adds the effects of `op`, which does not jump and is translated, at its place.
    pub(super) fn lower(&self, op: &OpOf<C>, at: &mut At, flags: &mut Flags, steps: &mut Vec<Step>) {
        let before = steps.len();
        let memory = std::mem::take(&mut at.memory);
        if let Some(work) = Operation::work(op) {
            costs::add::<C>(op, work, steps);
        }
        if let Some(read) = self.literal(op) {
            steps.extend(read);
            if !self.is_split {
                at.line = None;
            }
        } else {
            let _translated = Operation::lower(op, flags, steps);
            if !self.is_split && steps[before..].iter().any(|step| matches!(step, Step::Load { .. })) {
                // The line of the code may have made room.
                at.line = None;
            }
        }
        at.access(Operation::is_constant_load(op), memory, &mut steps[before..]);
    }

    /// Execution comes to an instruction at `pc` of so many halfwords.
    pub(super) fn enter_lines(&self, pc: u32, halfwords: u32, current: &mut Option<u32>, block: &mut Block) {
        let Some([first, last]) = self.lines(pc, halfwords) else { return };
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

    /// The same, if flash reads ahead.
    pub(super) fn fetch(&self, pc: u32, halfwords: u32, came: &mut Came, block: &mut Block) {
        let Some([first, last]) = self.read_lines(pc, halfwords) else { return };
        let from_first = match *came {
            Came::From(line) if line == last => return,
            Came::Any => {
                block.steps.push(Step::Fetch(Fetch::Any(first, last)));
                *came = Came::From(last);
                return;
            }
            Came::From(line) if line == first => None,
            Came::From(line) if line.wrapping_add(1) == first => Some(Fetch::Next(first)),
            _ => Some(Fetch::Far(first)),
        };
        let to_last = (last != first).then_some(Fetch::Next(last));
        block.steps.extend(from_first.into_iter().chain(to_last).map(Step::Fetch));
        *came = Came::From(last);
    }

    /// An instruction begins, if the core fetches ahead behind a cache.
    pub(super) fn fetch_words(&self, pc: u32, halfwords: u32, at: &mut At, block: &mut Block) {
        let (Some(shift), Some(fetched)) = (self.ahead_shift, &mut at.fetched) else { return };
        let (word, end) = (pc >> 2, pc.wrapping_add(2 * halfwords - 1));
        let (last, first_line, last_line) = (end >> 2, pc >> shift, end >> shift);
        let mut step = |ahead| block.steps.push(Step::Ahead(ahead));
        let mut further = last.wrapping_sub(pc.wrapping_sub(1) >> 2);
        if std::mem::take(&mut fetched.branched) {
            further = 0;
            if last != word {
                step(Ahead::Straddles);
            }
        } else if word != fetched.word && word % FetchState::LEAST_WORDS == FetchState::LEAVER {
            step(Ahead::NearEnd);
        }
        fetched.word = word;
        fetched.slack = fetched.slack.min(8);
        if fetched.line != Some(last_line) {
            let from_first = fetched.line != Some(first_line);
            if from_first {
                step(Ahead::Enter { at: word, word, last });
            }
            if last_line != first_line {
                step(Ahead::Enter { at: last, word, last });
            }
            fetched.line = Some(last_line);
            if from_first && last_line != first_line {
                // The second line may be held where the first one is waited for.
                step(Ahead::Wait(last));
                further = 0;
            }
            // Where a line is waited for, no time is left.
            fetched.slack = fetched.slack.min(further);
        }
        if further > fetched.slack {
            step(Ahead::Wait(last));
            fetched.slack = 0;
        } else {
            fetched.slack -= further;
        }
    }

    /// As [`Self::lines`], if flash reads ahead.
    fn read_lines(&self, pc: u32, halfwords: u32) -> Option<[u32; 2]> {
        self.stream_shift.map(|shift| [pc >> shift, pc.wrapping_add(2 * halfwords - 1) >> shift])
    }

    /// So many cycles, or fewer as a negative number, pass in a block.
    pub(super) fn pass(&self, cycles: u32, block: &mut Block) {
        if self.stream_shift.is_some() || self.ahead_shift.is_some() {
            block.steps.push(Step::Cycles(Expr::Constant(cycles)));
        } else {
            block.cycles = block.cycles.wrapping_add(cycles);
        }
    }

    /// A load of a literal from flash that has a cache or reads ahead; `None` if `op` is something else.
    fn literal(&self, op: &OpOf<C>) -> Option<[Step; 2]> {
        let address = C::Set::literal(op)?;
        let word_shift = self.ahead_shift.map(|_| 2);
        let read = match (self.line_shift, self.stream_shift.or(word_shift)) {
            (Some(shift), _) if !self.is_split => Step::Line(address >> shift),
            (Some(shift), _) | (None, Some(shift)) => Step::ReadLine(address >> shift),
            (None, None) => return None,
        };
        let word = address.wrapping_sub(self.program.base()).rotate_right(2) as usize;
        let word = u32::from_le_bytes(*self.flash.get(word)?);
        Some([read, Step::Set(number(op.d), Expr::Constant(word))])
    }
}

impl<C: Core<Set: InstructionSet<Code: Operation>>> Source for Decoded<'_, C> {
    type Pending = At;

    fn position(&self, address: u32) -> Option<usize> {
        self.program.position(address)
    }

    fn settle(&self, position: usize, at: &At) -> Option<(At, u32)> {
        if at.conditional.is_none() && at.inside.is_none() {
            self.program.ops().get(position).filter(|op| self.translates(position, op))?;
        }
        let second = self.second_line(position).filter(|second| at.line == Some(*second));
        let came = match at.came {
            Came::From(line) => self.came_from(line, position),
            other => other,
        };
        let fetched = at.fetched.map(|fetched| self.fetched_at(fetched, position));
        Some((At { line: second, came, fetched, arrival: Arrival::None, ..*at }, 0))
    }

    /// Branches from afar all lead to the same state.
    fn arrive(&self, target: u32, _: &At) -> At {
        let fetched = self.ahead_shift.map(|_| Fetched::branch(target, None));
        At { fetched, ..At::from_afar(self.prefetch, target) }
    }

    fn lost_by_target(&self, target: u32) -> Option<u32> {
        // Tables are shared by jumps from all lines.
        let line = self.position(target).and_then(|position| self.second_line(position));
        let refill = self.refill(target)?;
        (!line.is_some_and(|line| self.has_computed_jump(line))).then_some(refill)
    }

    fn build(finder: &mut Finder<'_, '_, C>, mut position: usize, mut at: At) -> Block {
        let source = finder.source;
        if source.matrix_shift.is_some() {
            return matrix::build(finder, position, at);
        }
        let program = source.program;
        let mut block = Block::new(None);
        let mut flags = Flags::default();
        if let Some(jump) = at.conditional.take() {
            conditional::jump(finder, jump, position, &mut flags, (&mut block, &mut at));
            (block.late, block.needs) = flags.finish();
            return block;
        }
        loop {
            let op = program.ops()[position];
            let halfwords = C::Set::width(&op);
            let pc = source.address(position);
            if block.instructions >= LONGEST {
                block.end = End::Next(edge_to(finder, position, at));
                break;
            }
            if !source.translates(position, &op) {
                block.end = End::Next(leave_before(finder, position, at));
                break;
            }
            if at.prefetch.is_some() && at.memory == Memory::Any {
                if let Some(address) = Operation::address_read(&op) {
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
            source.enter_lines(pc, halfwords, &mut at.line, &mut block);
            source.fetch(pc, halfwords, &mut at.came, &mut block);
            source.fetch_words(pc, halfwords, &mut at, &mut block);
            at.begin(pc, halfwords);
            let cycles = program.cycles(position, halfwords as usize);
            block.instructions += 1;
            if C::Set::block(&op).is_some() {
                source.pass(cycles, &mut block);
                at.pass(cycles);
                block.end = conditional::block(finder, op.imm, pc, &mut flags, (&mut block, &mut at));
                break;
            }
            let jump = Jump { pc, halfwords, cycles, position };
            if let Some(end) = jump.end(finder, &op, &mut flags, (&mut block.steps, &mut at)) {
                block.end = end;
                source.pass(cycles, &mut block);
                break;
            }
            source.lower(&op, &mut at, &mut flags, &mut block.steps);
            source.pass(cycles, &mut block);
            at.pass(cycles);
            at.finish(cycles);
            position += halfwords as usize;
        }
        block.cycles += at.stalls();
        (block.late, block.needs) = flags.finish();
        block
    }

    fn hollow(finder: &mut Finder<'_, '_, C>, position: usize, at: At) -> Block {
        let exit = exit_before(finder, position, at);
        let (late, needs) = Flags::default().finish();
        let events = Events { within: Vec::new(), ways: vec![Vec::new()] };
        Block { late, needs, end: End::Next(Edge { block: None, exit }), events, ..Block::new(None) }
    }
}

/// A way out in front of the operation at `position`, which is not translated. As in the interpreter, the
/// budget is checked only if the table ends there.
pub(super) fn exit_before<C>(finder: &mut Finder<'_, '_, C>, position: usize, at: At) -> usize
where
    C: Core<Set: InstructionSet<Code: Operation>>,
{
    let source = finder.source;
    let pc = source.address(position);
    let checks_budget = source.program.ops().get(position).is_none_or(|op| *op == C::Set::LEAVE);
    finder.exit(Some(pc), pc.wrapping_sub(2), at.settled(), checks_budget)
}

/// To the interpreter, for the operation at `position`; it may come back behind it.
pub(super) fn leave_before<C>(finder: &mut Finder<'_, '_, C>, position: usize, at: At) -> Edge
where
    C: Core<Set: InstructionSet<Code: Operation>>,
{
    let source = finder.source;
    let exit = exit_before(finder, position, at);
    if source.accesses_device(source.address(position)) {
        let behind = position + C::Set::width(&source.program.ops()[position]) as usize;
        let pc = source.address(behind);
        finder.target(pc);
        if source.ahead_shift.is_some() {
            let fetched = Fetched { branched: false, word: pc.wrapping_sub(1) >> 2, line: None, slack: 0 };
            finder.block(behind, &At { fetched: Some(fetched), ..At::default() });
        }
    }
    Edge { block: None, exit }
}

/// To the operation at `position`, from the one in front of it.
pub(super) fn edge_to<C>(finder: &mut Finder<'_, '_, C>, position: usize, at: At) -> Edge
where
    C: Core<Set: InstructionSet<Code: Operation>>,
{
    let block = finder.block(position, &at.settled());
    Edge { block, exit: exit_before(finder, position, at) }
}

/// An instruction that may be a jump.
pub(super) struct Jump {
    /// Its address.
    pub pc: u32,
    /// Its size.
    pub halfwords: u32,
    /// Its cycles, if it is a branch those of one that is not taken.
    pub cycles: u32,
    /// Its position.
    pub position: usize,
}

impl Jump {
    /// The end of a block by `op`, if that is a jump.
    pub(super) fn end<C>(
        &self,
        finder: &mut Finder<'_, '_, C>,
        op: &OpOf<C>,
        flags: &mut Flags,
        (steps, at): (&mut Vec<Step>, &mut At),
    ) -> Option<End>
    where
        C: Core<Set: InstructionSet<Code: Operation>>,
    {
        let source = finder.source;
        let Jump { pc, halfwords, cycles, position } = *self;
        let following = pc.wrapping_add(2 * halfwords);
        let is_flash =
            |target: u32| target.wrapping_sub(source.program.base()) >> 2 < source.flash.len() as u32;
        // The state at a fixed target, and the cycles lost on the way.
        let gone = |at: &At, cycles, target| {
            let refill = source.refill(target);
            let (there, waited) = at.gone(cycles + refill.unwrap_or(0), target, is_flash(target));
            // What the target waits for is not known yet.
            let arrival = if C::CONTEXT && refill.is_none() { Arrival::Open } else { there.arrival };
            let fetched = match at.fetched {
                Some(fetched) if arrival == Arrival::None => {
                    let line = fetched.line.filter(|_| is_flash(target));
                    Some(Fetched::branch(target, line))
                }
                other => other,
            };
            (At { arrival, fetched, ..there }, refill.unwrap_or(0) + waited)
        };
        // If the target is not known, the way out comes before the fetching turns there.
        let turn = |at: &At, target: Option<u32>, steps: &mut Vec<Step>| {
            let is_known = target.is_none_or(|target| !C::CONTEXT || source.refill(target).is_some());
            if let Some(Fetched { word, line: Some(line), .. }) = at.fetched.filter(|_| is_known) {
                steps.push(Step::Ahead(Ahead::Leave(word, line)));
            }
        };
        if let Some(condition) = Operation::condition(op, flags) {
            turn(at, Some(op.imm), steps);
            let (there, lost) = gone(at, cycles + C::taken(op), op.imm);
            let taken = [finder.jump_to(op.imm, pc, there); 2];
            at.finish(cycles);
            at.pass(cycles);
            let not_taken = [edge_to(finder, position + halfwords as usize, *at); 2];
            let lost = Lost::Always(C::taken(op) + lost);
            return Some(End::Branch { condition, pc, target: op.imm, lost, taken, not_taken });
        }
        let before = steps.len();
        let target = Operation::target(op, steps)?;
        at.access(false, Memory::Any, &mut steps[before..]);
        let link = link_of(finder, op, following);
        let kind = Kind::Plain;
        if let Expr::Constant(target) = target {
            turn(at, Some(target), steps);
            let (there, lost) = gone(at, cycles, target);
            let edges = [finder.jump_to(target, pc, there); 2];
            return Some(End::Jump { pc, target, kind, link, lost: Lost::Always(lost), edges });
        }
        if let Came::From(line) = at.came {
            steps.push(Step::NoteLine(line));
        }
        turn(at, None, steps);
        let (near, waited) = at.gone_far(cycles);
        at.finish(cycles);
        let mut exit = |arrival| finder.exit(None, pc, At { arrival, ..at.settled() }, true);
        let (after, unknown) = ([exit(Arrival::Counted); 2], (exit(Arrival::Open), None));
        let tables = [finder.table(At::default()); 2];
        let lost = Lost::Always(waited);
        let then = Vec::new();
        Some(End::Indirect { pc, target, kind, link, lost, unknown, near, after, tables, then })
    }
}

/// The register and the address for a jump that links. Notes that one, and where the jump's table leads.
pub(super) fn link_of<C>(
    finder: &mut Finder<'_, '_, C>,
    op: &OpOf<C>,
    following: u32,
) -> Option<(Register, u32)>
where
    C: Core<Set: InstructionSet<Code: Operation>>,
{
    let link = Operation::links(op).then(|| (number(Reg::Lr), following | 1));
    if link.is_some() {
        finder.target(following);
    }
    if let Some(table) = Operation::table(op) {
        add_targets(finder, table);
    }
    link
}

/// Notes where a table of offsets leads, as far as it can reach: to its first target.
fn add_targets<C>(finder: &mut Finder<'_, '_, C>, table: Table)
where
    C: Core<Set: InstructionSet<Code: Operation>>,
{
    let (bytes, base) = (finder.source.flash.as_flattened(), finder.source.program.base());
    let mut end = u32::MAX;
    for place in (table.address..).step_by(table.bytes as usize).take(MOST_TARGETS) {
        let entry =
            bytes.get(place.wrapping_sub(base) as usize..).and_then(|rest| rest.get(..table.bytes as usize));
        let Some(entry) = entry.filter(|_| place < end) else { break };
        let offset = entry.iter().rev().fold(0, |offset, &byte| offset << 8 | u32::from(byte));
        let target = table.address.wrapping_add(2 * offset);
        end = end.min(target);
        finder.target(target);
    }
}

/// Entries of a table of offsets that are read.
const MOST_TARGETS: usize = 256;
