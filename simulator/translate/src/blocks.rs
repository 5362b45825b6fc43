//! Finds the blocks of decoded code, for any instruction set.
//!
//! A block begins at a position of the table of decoded code, in a state of the pipeline, and ends at the next
//! jump or before an operation that is not translated. So its cost is constant. Blocks are found from the
//! addresses where code was entered, along jumps to fixed places; what is behind calls can be reached by
//! computed jumps.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::ir::{Block, Edge, End, Exit, Place, Region};

/// States of the pipeline at computed jumps beyond this number are not translated.
pub const MOST_TABLES: usize = 16;
/// A block does not have more instructions, where a longer one is not needed for its costs.
pub const LONGEST: u32 = 4096;

/// How much code is translated. The interpreter runs what is beyond it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Blocks.
    pub blocks: usize,
    /// Instructions of all blocks together.
    pub instructions: u64,
    /// Blocks of a function, of which the compiler's time grows faster than they do; at least one.
    pub function: usize,
}

impl Default for Limits {
    /// WebAssembly's tables of jumps have 65,520 entries at most. An instruction takes 20 to 60 bytes, and two
    /// microseconds for each.
    fn default() -> Self {
        Limits { blocks: 20_000, instructions: 100_000, function: 512 }
    }
}

/// Decoded code of an instruction set, cut into blocks.
pub trait Source: Sized {
    /// As `Shape::code_shift`.
    const SHIFT: u32 = 1;

    /// The state of the pipeline at a block's beginning.
    type Pending: Copy + PartialEq + Default;

    /// Changes when decoded code is forgotten.
    fn version(&self) -> u32 {
        0
    }

    /// Must there be a block from `position` on, whatever the limits are, because the code cannot be left there?
    /// Such blocks are few.
    fn is_inseparable(&self, position: usize) -> bool {
        let _ = position;
        false
    }

    /// The position of `address`, if it is decoded.
    fn position(&self, address: u32) -> Option<usize>;

    /// The state that the block from `position` on is used for if it is entered in state `pending`, and the
    /// cycles to add then. `None` if the first operation is not translated.
    fn settle(&self, position: usize, pending: &Self::Pending) -> Option<(Self::Pending, u32)>;

    /// The state behind a computed jump to `target`, whose table is that of `pending`.
    fn arrive(&self, target: u32, pending: &Self::Pending) -> Self::Pending {
        let _ = target;
        *pending
    }

    /// The cycles that a computed jump loses in addition because it goes to `target`; `None` if that is not
    /// known for all of them.
    fn lost_by_target(&self, target: u32) -> Option<u32>;

    /// The block from `position` on.
    fn build(finder: &mut Finder<'_, Self>, position: usize, pending: Self::Pending) -> Block;

    /// A block that is left at once, before the operation at `position`.
    fn hollow(finder: &mut Finder<'_, Self>, position: usize, pending: Self::Pending) -> Block;
}

/// Blocks of a program, and where they begin.
#[derive(Clone, Debug)]
pub struct Found<S> {
    /// The blocks.
    pub region: Region,
    /// States of the pipeline, by [`Exit::pending`].
    pub pendings: Vec<S>,
    /// The blocks by their beginnings.
    begins: HashMap<usize, Vec<(S, usize)>>,
    /// [`Source::version`] of the code.
    version: u32,
}

impl<S: Copy + PartialEq> Found<S> {
    /// Where blocks begin.
    pub fn positions(&self) -> impl Iterator<Item = usize> + '_ {
        self.begins.iter().filter(|(_, blocks)| !blocks.is_empty()).map(|(position, _)| *position)
    }

    /// The block that begins at `address` in this state, and the cycles to add.
    #[must_use]
    pub fn block<C: Source<Pending = S>>(
        &self,
        source: &C,
        address: u32,
        pending: &S,
    ) -> Option<(usize, u32)> {
        let position = source.position(address).filter(|_| source.version() == self.version)?;
        let blocks = self.begins.get(&position)?;
        let (rest, extra) = source.settle(position, pending)?;
        let &(_, block) = blocks.iter().find(|(each, _)| *each == rest)?;
        Some((block, extra))
    }
}

/// Finds all blocks that are reached from these addresses through the code that begins at `base`.
#[must_use]
pub fn find<C: Source>(source: &C, base: u32, roots: &BTreeSet<u32>, limits: Limits) -> Found<C::Pending> {
    let mut finder = Finder {
        source,
        base,
        limits,
        instructions: 0,
        keys: Vec::new(),
        begins: HashMap::new(),
        hollow: HashSet::new(),
        exits: Vec::new(),
        pendings: vec![C::Pending::default()],
        tables: Vec::new(),
        targets: Vec::new(),
        known: HashSet::new(),
        waiting: Vec::new(),
    };
    for &root in roots {
        finder.target(root);
    }
    let mut blocks = Vec::new();
    // The last ones are built first: those where code was entered, in order.
    finder.waiting.reverse();
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
struct Table<S> {
    /// The state at the jumps.
    pending: S,
    /// The targets that are in it, the first so many of all.
    seen: usize,
    places: Vec<Place>,
}

/// Blocks that are being found.
pub struct Finder<'a, C: Source> {
    /// The code.
    pub source: &'a C,
    base: u32,
    limits: Limits,
    /// Of the blocks that are built.
    instructions: u64,
    /// The blocks' beginnings.
    keys: Vec<(usize, C::Pending)>,
    begins: HashMap<usize, Vec<(C::Pending, usize)>>,
    /// Blocks beyond the limit.
    hollow: HashSet<usize>,
    exits: Vec<Exit>,
    pendings: Vec<C::Pending>,
    tables: Vec<Table<C::Pending>>,
    /// Where computed jumps may go.
    targets: Vec<u32>,
    known: HashSet<u32>,
    /// Blocks that are not built yet.
    waiting: Vec<usize>,
}

impl<C: Source> Finder<'_, C> {
    /// Notes a target of computed jumps.
    pub fn target(&mut self, address: u32) {
        if let Some(position) = self.source.position(address) {
            if self.known.insert(address) {
                self.targets.push(address);
                let pending = self.source.arrive(address, &C::Pending::default());
                self.block(position, &pending);
            }
        }
    }

    fn pending(&mut self, pending: C::Pending) -> usize {
        // Most exits in a row have the same few.
        let recent = self.pendings.len().saturating_sub(8);
        if let Some(known) = self.pendings[recent..].iter().position(|each| *each == pending) {
            return recent + known;
        }
        self.pendings.push(pending);
        self.pendings.len() - 1
    }

    /// The block from `position` on, and the cycles to add.
    pub fn block(&mut self, position: usize, pending: &C::Pending) -> Option<(usize, u32)> {
        let (rest, extra) = self.source.settle(position, pending)?;
        let known = self.begins.entry(position).or_default();
        if let Some(&(_, block)) = known.iter().find(|(each, _)| *each == rest) {
            return Some((block, extra));
        }
        let is_beyond =
            self.keys.len() >= self.limits.blocks || self.instructions >= self.limits.instructions;
        if is_beyond && !self.source.is_inseparable(position) {
            return None;
        }
        let block = self.keys.len();
        known.push((rest, block));
        self.keys.push((position, rest));
        self.waiting.push(block);
        Some((block, extra))
    }

    /// A way out.
    pub fn exit(&mut self, pc: Option<u32>, from: u32, pending: C::Pending, checks_budget: bool) -> usize {
        let pending = self.pending(pending);
        self.exits.push(Exit { pc, from, pending, checks_budget });
        self.exits.len() - 1
    }

    /// To the code at `target`, by a jump at `from`.
    pub fn jump_to(&mut self, target: u32, from: u32, pending: C::Pending) -> Edge {
        let block = self.source.position(target).and_then(|position| self.block(position, &pending));
        Edge { block, exit: self.exit(Some(target), from, pending, true) }
    }

    /// The number of the table for computed jumps behind which so much is pending.
    pub fn table(&mut self, pending: C::Pending) -> usize {
        if let Some(known) = self.tables.iter().position(|table| table.pending == pending) {
            return known;
        }
        if self.tables.len() < MOST_TABLES {
            self.tables.push(Table { pending, seen: 0, places: Vec::new() });
            return self.tables.len() - 1;
        }
        MOST_TABLES
    }

    fn build(&mut self, number: usize) -> Block {
        let (position, pending) = self.keys[number];
        if self.instructions >= self.limits.instructions && !self.source.is_inseparable(position) {
            self.hollow.insert(number);
            return C::hollow(self, position, pending);
        }
        let block = C::build(self, position, pending);
        self.instructions += u64::from(block.instructions);
        block
    }

    /// Enters new targets into all tables. False: no target is new.
    fn fill_tables(&mut self) -> bool {
        let mut changed = false;
        for number in 0..self.tables.len() {
            let Table { pending, seen, .. } = self.tables[number];
            for index in seen..self.targets.len() {
                changed = true;
                let address = self.targets[index];
                let Some(lost) = self.source.lost_by_target(address) else { continue };
                let behind = self.source.arrive(address, &pending);
                let block = self.source.position(address).and_then(|at| self.block(at, &behind));
                if let Some((block, extra)) = block {
                    let slot = address.wrapping_sub(self.base) >> C::SHIFT;
                    self.tables[number].places.push(Place { slot, block, extra, lost });
                }
            }
            self.tables[number].seen = self.targets.len();
        }
        changed
    }

    /// Puts the blocks into the order of their addresses.
    fn finish(self, blocks: Vec<Block>) -> Found<C::Pending> {
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
        let region = Region {
            blocks: sorted,
            exits: self.exits,
            tables: tables.collect(),
            most: self.limits.function,
        };
        let hollow = &self.hollow;
        let begins = self.begins.into_iter().map(|(position, blocks)| {
            let full = blocks.into_iter().filter(|(_, block)| !hollow.contains(block));
            (position, full.map(|(pending, block)| (pending, place[block])).collect())
        });
        let version = self.source.version();
        Found { region, pendings: self.pendings, begins: begins.collect(), version }
    }
}

/// Does something with each edge of a block's end.
fn each_edge(end: &mut End, mut each: impl FnMut(&mut Edge)) {
    match end {
        End::Next(edge) => each(edge),
        End::Either(_, edges) => edges.iter_mut().for_each(each),
        End::Ways(ways, last) => {
            ways.iter_mut().for_each(|(_, edge)| each(edge));
            each(last);
        }
        End::Branch { taken, not_taken, .. } => taken.iter_mut().chain(not_taken).for_each(each),
        End::Jump { edges, .. } => edges.iter_mut().for_each(each),
        End::Indirect { .. } => {}
    }
}
