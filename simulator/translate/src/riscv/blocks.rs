//! Finds the blocks of decoded RISC-V code.
//!
//! A block begins at a position of the table of decoded code with certain results pending, and ends at the
//! next jump or before an operation that is not translated. So its cost is constant. Results that are pending
//! when a block is entered are part of its key only if they are still noticed at its end; otherwise the block
//! with nothing pending is used, and the cycles of the waits are added on the way in.

use std::collections::{BTreeSet, HashMap, HashSet};

use pennyweight_memory::bus::Word;
use pennyweight_riscv::core::{Core, JumpCosts};
use pennyweight_riscv::decode::is_wide;
use pennyweight_riscv::op::{Code, Op};
use pennyweight_riscv::pipeline::Pending;
use pennyweight_riscv::program::{halfword, is_instruction, Program};
use pennyweight_riscv::registers::Reg;

use super::lower::{condition, lower, value};
use crate::ir::{Binary, Block, Edge, End, Exit, Expr, Kind, Lost, Place, Region, Step};

/// Blocks beyond this number are not translated: the interpreter runs them.
const MOST_BLOCKS: usize = 20_000;
/// States of the pipeline at computed jumps beyond this number are not translated.
const MOST_TABLES: usize = 16;

/// A block's beginning.
type Key = (usize, Pending);

/// Blocks of a program, and where they begin.
#[derive(Clone, Debug)]
pub struct Found {
    /// The blocks.
    pub region: Region,
    /// States of the pipeline, by [`Exit::pending`].
    pub pendings: Vec<Pending>,
    /// The blocks by their beginnings.
    begins: HashMap<usize, Vec<(Pending, usize)>>,
}

impl Found {
    /// The block that begins at `address` with these results pending, and the cycles to add.
    #[must_use]
    pub fn block(&self, program: &Program, address: u32, pending: &Pending) -> Option<(usize, u32)> {
        let position = program.position(address)?;
        let blocks = self.begins.get(&position)?;
        let (rest, extra) = settle(program, position, pending)?;
        let &(_, block) = blocks.iter().find(|(each, _)| *each == rest)?;
        Some((block, extra))
    }
}

/// How the block from `position` on is left: what is then pending that would not be there if nothing were
/// pending at its beginning, and how many cycles more it takes. `None` if the first operation is not
/// translated.
fn settle(program: &Program, position: usize, pending: &Pending) -> Option<(Pending, u32)> {
    let core = program.core();
    let (mut with, mut without) = (*pending, Pending::default());
    let mut extra = 0u32;
    for (length, op) in program.ops().get(position..)?.iter().enumerate() {
        if with == without {
            return Some((Pending::default(), extra));
        }
        if matches!(op.code, Code::GoOn | Code::Leave) || !translates(op) {
            if length == 0 && op.code != Code::GoOn {
                return None;
            }
            break;
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

/// Is `op` translated?
fn translates(op: &Op) -> bool {
    op.is_jump() || op.code == Code::Line || lower(op, &mut Vec::new())
}

/// Finds all blocks that are reached from these addresses through decoded code.
#[must_use]
pub fn find(
    program: &Program,
    flash: &[Word],
    base: u32,
    line_shift: Option<u32>,
    roots: &BTreeSet<u32>,
) -> Found {
    let mut finder = Finder {
        program,
        flash,
        base,
        line_shift,
        keys: Vec::new(),
        begins: HashMap::new(),
        exits: Vec::new(),
        pendings: vec![Pending::default()],
        tables: Vec::new(),
        targets: Vec::new(),
        known: HashSet::new(),
        waiting: Vec::new(),
    };
    for &root in roots {
        finder.target(root);
    }
    let mut blocks = Vec::new();
    loop {
        if let Some(number) = finder.waiting.pop() {
            let block = finder.build(number);
            if blocks.len() <= number {
                blocks.resize(number + 1, None);
            }
            blocks[number] = Some(block);
            continue;
        }
        if !finder.fill_tables() {
            break;
        }
    }
    finder.finish(blocks.into_iter().flatten().collect())
}

/// A table of targets under construction.
struct Table {
    /// The number of the pending results at the jumps.
    pending: usize,
    /// The targets that are in it, the first so many of all.
    seen: usize,
    places: Vec<Place>,
}

struct Finder<'a> {
    program: &'a Program,
    flash: &'a [Word],
    base: u32,
    line_shift: Option<u32>,
    keys: Vec<Key>,
    begins: HashMap<usize, Vec<(Pending, usize)>>,
    exits: Vec<Exit>,
    pendings: Vec<Pending>,
    tables: Vec<Table>,
    /// Where computed jumps may go.
    targets: Vec<u32>,
    known: HashSet<u32>,
    /// Blocks that are not built yet.
    waiting: Vec<usize>,
}

impl Finder<'_> {
    fn core(&self) -> &Core {
        self.program.core()
    }

    /// Notes a target of computed jumps.
    fn target(&mut self, address: u32) {
        if let Some(position) = self.program.position(address) {
            if self.known.insert(address) {
                self.targets.push(address);
                self.block(position, &Pending::default());
            }
        }
    }

    fn pending(&mut self, pending: Pending) -> usize {
        if let Some(known) = self.pendings.iter().position(|each| *each == pending) {
            return known;
        }
        self.pendings.push(pending);
        self.pendings.len() - 1
    }

    /// The block from `position` on, and the cycles to add.
    fn block(&mut self, position: usize, pending: &Pending) -> Option<(usize, u32)> {
        let (rest, extra) = settle(self.program, position, pending)?;
        let op = self.program.ops().get(position)?;
        if op.code != Code::GoOn && !translates(op) {
            return None;
        }
        let known = self.begins.entry(position).or_default();
        if let Some(&(_, block)) = known.iter().find(|(each, _)| *each == rest) {
            return Some((block, extra));
        }
        if self.keys.len() >= MOST_BLOCKS {
            return None;
        }
        let block = self.keys.len();
        known.push((rest, block));
        self.keys.push((position, rest));
        self.waiting.push(block);
        Some((block, extra))
    }

    /// A way out behind a jump.
    fn exit(&mut self, pc: Option<u32>, from: u32, pending: Pending) -> usize {
        let pending = self.pending(pending);
        self.exits.push(Exit { pc, from, pending, checks_budget: true });
        self.exits.len() - 1
    }

    /// A way out in front of the operation at `position`, which is not translated. As in the interpreter, the
    /// budget is checked only if the table ends there.
    fn exit_before(&mut self, position: usize, pending: Pending) -> usize {
        let places = self.program.places();
        let pc = places.get(position).map_or(0, |place| place.address);
        let from = position.checked_sub(1).map_or(pc, |before| places[before].address);
        let exit = self.exit(Some(pc), from, pending);
        self.exits[exit].checks_budget =
            self.program.ops().get(position).is_none_or(|op| op.code == Code::Leave);
        exit
    }

    /// To the operation at `position`, from the one in front of it.
    fn edge_to(&mut self, position: usize, pending: Pending) -> Edge {
        let block = self.block(position, &pending);
        Edge { block, exit: self.exit_before(position, pending) }
    }

    /// To the code at `target`, by a jump at `from`.
    fn jump_to(&mut self, target: u32, from: u32, pending: Pending) -> Edge {
        let block = self.program.position(target).and_then(|position| self.block(position, &pending));
        Edge { block, exit: self.exit(Some(target), from, pending) }
    }

    /// The cycles that jumps lose by prediction, if they do.
    fn penalty(&self) -> Option<u32> {
        match self.core().jumps {
            JumpCosts::Predicted { mispredicted, .. } => Some(mispredicted),
            JumpCosts::Refilled(_) | JumpCosts::Looped(_) => None,
        }
    }

    /// What a jump to `target` loses.
    fn lost(&self, target: u32) -> Lost {
        match self.core().jumps {
            JumpCosts::Predicted { .. } => Lost::Predicted,
            // Code of a core that predicts loops is not translated: see `shape`.
            JumpCosts::Refilled(refill) | JumpCosts::Looped(refill) => {
                Lost::Always(refill.taken + self.lost_by_target(target))
            }
        }
    }

    /// What a computed jump loses in addition because it goes to `target`.
    fn lost_by_target(&self, target: u32) -> u32 {
        match self.core().jumps {
            JumpCosts::Refilled(refill) if is_split(self.flash, self.base, target) => refill.split,
            _ => 0,
        }
    }

    /// What is pending behind a jump, without and with cycles lost.
    fn behind(&self, pending: Pending, lost: Lost) -> [Pending; 2] {
        let after = |cycles| {
            let mut pending = pending;
            pending.advance(cycles);
            pending
        };
        match lost {
            Lost::Always(cycles) => [after(cycles); 2],
            Lost::Predicted => [pending, after(self.penalty().unwrap_or(0))],
        }
    }

    fn build(&mut self, number: usize) -> Block {
        let program = self.program;
        let core = program.core();
        let (mut position, mut pending) = self.keys[number];
        let address = program.places()[position].address;
        let mut block = Block {
            line: self.line_shift.map(|shift| address >> shift),
            steps: Vec::new(),
            cycles: 0,
            instructions: 0,
            end: End::Next(Edge { block: None, exit: 0 }),
        };
        loop {
            let op = program.ops()[position];
            let pc = program.places()[position].address;
            if op.code == Code::Line {
                let line = op.imm >> self.line_shift.unwrap_or(0);
                if !block.steps.is_empty() || block.line != Some(line) {
                    block.steps.push(Step::Line(line));
                }
                position += 1;
                continue;
            }
            if op.code == Code::GoOn {
                let from = pc;
                block.end = End::Next(self.jump_to(op.imm, from, pending));
                return block;
            }
            if op.is_jump() {
                let before = pending;
                let own = 1 + pending.issue(&op, core);
                block.cycles += own;
                block.instructions += 1;
                block.end = self.jump(&op, position, own, [before, pending]);
                return block;
            }
            if op.code == Code::Leave || !lower(&op, &mut block.steps) {
                let exit = self.exit_before(position, pending);
                block.end = End::Next(Edge { block: None, exit });
                return block;
            }
            block.cycles += 1 + pending.issue(&op, core);
            block.instructions += 1;
            position += 1;
        }
    }

    /// The end of a block by a jump of so many cycles, with what is pending in front of it and behind it.
    fn jump(&mut self, op: &Op, position: usize, own: u32, [before, pending]: [Pending; 2]) -> End {
        let places = self.program.places();
        let pc = places[position].address;
        let following = places.get(position + 1).map_or(pc, |place| place.address);
        if let Some(condition) = condition(op) {
            let lost = self.lost(op.imm);
            let taken = self.behind(pending, lost).map(|behind| self.jump_to(op.imm, pc, behind));
            let without = if lost == Lost::Predicted { lost } else { Lost::Always(0) };
            let not_taken = self.behind(pending, without).map(|behind| self.edge_to(position + 1, behind));
            return End::Branch { condition, pc, target: op.imm, lost, taken, not_taken };
        }
        let link = (op.d != Reg::Sink).then_some((op.d as u8, following));
        let kind = match op.code {
            Code::Call | Code::CallReg => Kind::Call(following),
            Code::Return => Kind::Return,
            _ => Kind::Plain,
        };
        if link.is_some() {
            self.target(following);
        }
        if matches!(op.code, Code::Jump | Code::Call) {
            let (target, lost) = (op.imm, self.lost(op.imm));
            let edges = self.behind(pending, lost).map(|behind| self.jump_to(target, pc, behind));
            return End::Jump { pc, target, kind, link, lost, edges };
        }
        let lost = match self.core().jumps {
            JumpCosts::Predicted { .. } => Lost::Predicted,
            JumpCosts::Refilled(refill) | JumpCosts::Looped(refill) => Lost::Always(refill.taken),
        };
        let target = Expr::binary(Binary::And, value(op.n).plus(op.imm), Expr::Constant(!1));
        let behind = self.behind(pending, lost);
        let after = behind.map(|behind| self.exit(None, pc, behind));
        let tables = behind.map(|behind| self.table(behind));
        let before = self.exit_before(position, before);
        End::Indirect { pc, target, kind, link, lost, own, before, after, tables }
    }

    /// The table for computed jumps behind which so much is pending.
    fn table(&mut self, pending: Pending) -> usize {
        let pending = self.pending(pending);
        if let Some(known) = self.tables.iter().position(|table| table.pending == pending) {
            return known;
        }
        if self.tables.len() < MOST_TABLES {
            self.tables.push(Table { pending, seen: 0, places: Vec::new() });
            return self.tables.len() - 1;
        }
        MOST_TABLES
    }

    /// Enters new targets into all tables. False: no target is new.
    fn fill_tables(&mut self) -> bool {
        let mut changed = false;
        for number in 0..self.tables.len() {
            let Table { pending, seen, .. } = self.tables[number];
            let pending = self.pendings[pending];
            for index in seen..self.targets.len() {
                changed = true;
                let address = self.targets[index];
                let block = self.program.position(address).and_then(|at| self.block(at, &pending));
                if let Some((block, extra)) = block {
                    let slot = address.wrapping_sub(self.base) >> 1;
                    let lost = self.lost_by_target(address);
                    self.tables[number].places.push(Place { slot, block, extra, lost });
                }
            }
            self.tables[number].seen = self.targets.len();
        }
        changed
    }

    /// Puts the blocks into the order of their addresses.
    fn finish(self, blocks: Vec<Block>) -> Found {
        let mut order: Vec<usize> = (0..blocks.len()).collect();
        order.sort_by_key(|&number| (self.keys[number].0, number));
        let mut place = vec![0; blocks.len()];
        for (new, &old) in order.iter().enumerate() {
            place[old] = new;
        }
        let mut sorted: Vec<Block> = order.iter().map(|&old| blocks[old].clone()).collect();
        for block in &mut sorted {
            each_edge(&mut block.end, |edge| {
                if let Some((block, _)) = &mut edge.block {
                    *block = place[*block];
                }
            });
        }
        let tables = self.tables.into_iter().map(|table| {
            let moved = |each: Place| Place { block: place[each.block], ..each };
            table.places.into_iter().map(moved).collect()
        });
        let region = Region { blocks: sorted, exits: self.exits, tables: tables.collect() };
        let begins = self.begins.into_iter().map(|(position, blocks)| {
            (position, blocks.into_iter().map(|(pending, block)| (pending, place[block])).collect())
        });
        Found { region, pendings: self.pendings, begins: begins.collect() }
    }
}

/// Does something with each edge of a block's end.
fn each_edge(end: &mut End, mut each: impl FnMut(&mut Edge)) {
    match end {
        End::Next(edge) => each(edge),
        End::Branch { taken, not_taken, .. } => taken.iter_mut().chain(not_taken).for_each(each),
        End::Jump { edges, .. } => edges.iter_mut().for_each(each),
        End::Indirect { .. } => {}
    }
}

/// Does a 32-bit instruction begin at `address` in flash and lie in two words?
fn is_split(flash: &[Word], base: u32, address: u32) -> bool {
    address & 2 != 0 && halfword(flash, base, address).is_some_and(is_wide)
}
