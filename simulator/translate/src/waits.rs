//! The cycles that code waits for flash and RAM behind a bus matrix, [`BusMatrix`].
//!
//! How long a block waits depends on the state in which it begins. Pairs of a block and a state are the
//! nodes of a graph in linear memory: a node holds the cycles that its block waits, and for each way on the
//! next node. Translated code adds the cycles and follows the ways. If a next node is missing, the code is
//! left, and the model computes the node. So the model runs once for each node, and the code does not
//! depend on states.
//!
//! A computed jump has many targets. All nodes whose jumps lead to the same states share a row, which holds
//! the next nodes by their blocks. If the target is near, the line in use or the line read ahead may
//! contain it; for such targets, each node has places of its own.

use std::collections::HashMap;

use pennyweight_memory::timing::{BusMatrix, FlashTiming, MatrixKey};

use crate::code::Bytes;
use crate::ir::{Edge, End, Event, Events, Region};
use crate::layout::{self, Layout, Shape, NODES};

/// Cycles that computed jumps lose because of where they go.
const LOST: [u32; 2] = [0, 1];

/// Where a node behind whose block is a computed jump has the nodes at near places, one for each halfword.
pub const NEAR: u32 = 8;

/// What follows a block.
#[derive(Clone, Debug)]
enum Ways {
    /// By the way on, the block; none if the code is left.
    Blocks(Vec<Option<usize>>),
    /// Blocks at the targets in this table. Of those from the address `near` on, so many bytes, the time
    /// depends on how far they are.
    Table(usize, (u32, u32)),
}

/// How code is left.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// On this way.
    On(usize),
    /// By a computed jump to a known target.
    Computed,
}

/// States of flash and RAM at the beginnings of blocks.
#[derive(Clone, Debug)]
pub struct Waits {
    layout: Layout,
    code_base: u32,
    code_shift: u32,
    blocks: Vec<(Events, Ways)>,
    exits: HashMap<usize, Way>,
    /// Bytes that may be used, and those that are.
    room: u32,
    used: u32,
    is_full: bool,
    known: HashMap<(usize, MatrixKey), u32>,
    /// The blocks of nodes, and the states at their ends.
    nodes: HashMap<u32, (usize, BusMatrix)>,
    rows: HashMap<[MatrixKey; LOST.len()], u32>,
}

/// The edges of a block's end, each with its way.
fn edges(end: &End) -> impl Iterator<Item = (usize, &Edge)> {
    // Two edges are one way: without and with cycles lost by prediction.
    let in_pairs = matches!(end, End::Branch { .. } | End::Jump { .. });
    end.edges().into_iter().enumerate().map(move |(number, edge)| (number >> u32::from(in_pairs), edge))
}

fn apply(state: &mut BusMatrix, events: &[Event]) {
    for event in events {
        match *event {
            Event::Instruction(pc, halfwords) => state.instruction(pc, halfwords),
            Event::ReadRam => state.ram_read(),
            Event::WriteRam => state.ram_access(),
            Event::ReadAgain => state.data_read_again(),
            Event::ReadFlash => state.data_read(),
            Event::Finish(cycles) => state.finish(cycles),
            Event::Jump(target, in_flash) => state.jump(target, in_flash),
        }
    }
}

impl Waits {
    /// Without any node.
    #[must_use]
    pub fn new(region: &Region, shape: &Shape, layout: &Layout) -> Waits {
        let mut exits = HashMap::new();
        let mut blocks = Vec::with_capacity(region.blocks.len());
        for block in &region.blocks {
            let mut next = vec![None; block.events.ways.len()];
            for (way, edge) in edges(&block.end) {
                exits.insert(edge.exit, Way::On(way));
                if let Some(place) = next.get_mut(way) {
                    *place = edge.block.map(|(block, _)| block);
                }
            }
            let mut ways = Ways::Blocks(next);
            if let End::Indirect { unknown, after, tables, near, .. } = &block.end {
                exits.insert(unknown.0, Way::On(0));
                exits.extend(after.map(|exit| (exit, Way::Computed)));
                ways = Ways::Table(tables[0], near.unwrap_or_default());
            }
            blocks.push((block.events.clone(), ways));
        }
        Waits {
            layout: *layout,
            code_base: shape.code_base,
            code_shift: shape.code_shift,
            blocks,
            exits,
            room: NODES,
            used: 0,
            is_full: false,
            known: HashMap::new(),
            nodes: HashMap::new(),
            rows: HashMap::new(),
        }
    }

    /// Begins with `block`. False: there is no room.
    pub fn enter(&mut self, block: usize, state: &BusMatrix, bytes: &mut Bytes<'_>) -> bool {
        if self.is_full {
            bytes.slice(self.layout.nodes, self.room).fill(0);
            self.known.clear();
            self.nodes.clear();
            self.rows.clear();
            (self.used, self.is_full) = (0, false);
        }
        let node = self.node(block, &state.settled(), bytes);
        bytes.set(layout::NODE, node.unwrap_or(0));
        node.is_some()
    }

    /// Code was left by `exit`, and the jump that it may be went to `target`. Returns the state then; what
    /// comes behind a block waits for nothing.
    pub fn leave(&mut self, exit: usize, target: u32, bytes: &mut Bytes<'_>) -> Option<BusMatrix> {
        let node = bytes.get(layout::NODE);
        let &(block, mut state) = self.nodes.get(&node)?;
        let counted = state.stalls();
        let way = *self.exits.get(&exit)?;
        let number = if let Way::On(number) = way { number } else { 0 };
        let (events, ways) = self.blocks.get(block)?;
        apply(&mut state, events.ways.get(number)?);
        match (way, ways) {
            (Way::On(_), Ways::Blocks(next)) => {
                if let Some(next) = next[number] {
                    let known = self.node(next, &state.settled(), bytes);
                    bytes.set(node + 4 + 4 * number as u32, known.unwrap_or(0));
                }
            }
            (Way::Computed, &Ways::Table(table, (first, size))) => {
                let slot = target.wrapping_sub(self.code_base) >> self.code_shift;
                let place = bytes.get(self.layout.table(table) + 4 * slot);
                let (lost, number) = (place >> 24, place & 0xffff);
                apply(&mut state, &[Event::Finish(lost), Event::Jump(target, true)]);
                let near = target.wrapping_sub(first);
                if number > 0 && (near < size || LOST.contains(&lost)) {
                    let known = self.node(number as usize - 1, &state.settled(), bytes);
                    let row = bytes.get(node + 4);
                    let place = if near < size { node + NEAR + 2 * near } else { row + 4 * number };
                    bytes.set(place, known.unwrap_or(0));
                }
            }
            _ => {}
        }
        debug_assert_eq!(state.stalls(), counted, "an instruction has ended, or jumps");
        Some(state)
    }

    /// The offset of the node of a block and a settled state.
    fn node(&mut self, block: usize, state: &BusMatrix, bytes: &mut Bytes<'_>) -> Option<u32> {
        let key = (block, state.key());
        if let Some(&node) = self.known.get(&key) {
            return Some(node);
        }
        let (events, ways) = self.blocks.get(block)?;
        let mut end = *state;
        apply(&mut end, &events.within);
        let (size, row) = match ways {
            Ways::Blocks(next) => (4 + 4 * next.len() as u32, None),
            &Ways::Table(_, (_, size)) => {
                let mut jumping = end;
                apply(&mut jumping, events.ways.first()?);
                (NEAR + 2 * size, Some(self.row(&jumping)?))
            }
        };
        let node = self.place(size)?;
        bytes.set(node, (end.stalls() - state.stalls()) as u32);
        if let Some(row) = row {
            bytes.set(node + 4, row);
        }
        self.known.insert(key, node);
        self.nodes.insert(node, (block, end));
        Some(node)
    }

    /// The offset of the row of nodes behind computed jumps from this state to places that are not near.
    fn row(&mut self, state: &BusMatrix) -> Option<u32> {
        let keys = LOST.map(|lost| {
            let mut state = *state;
            let far = state.far_target();
            apply(&mut state, &[Event::Finish(lost), Event::Jump(far, true)]);
            let mut key = state.settled().key();
            // Where they go does not matter.
            key[..2].fill(0);
            key
        });
        if let Some(&row) = self.rows.get(&keys) {
            return Some(row);
        }
        let row = self.place(4 * (self.blocks.len() as u32 + 1))?;
        self.rows.insert(keys, row);
        Some(row)
    }

    /// Takes so many bytes.
    fn place(&mut self, size: u32) -> Option<u32> {
        if self.used + size > self.room {
            self.is_full = true;
            return None;
        }
        self.used += size;
        Some(self.layout.nodes + self.used - size)
    }
}

#[cfg(test)]
mod tests;
