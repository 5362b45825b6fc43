//! Random ways through random blocks, by nodes, against the model.

use pennyweight_memory::timing::{BusMatrix, FlashTiming};

use super::{apply, Waits, NEAR};
use crate::code::Bytes;
use crate::ir::{Block, Edge, End, Event, Events, Exit, Expr, Kind, Lost, Place, Region};
use crate::layout::{self, Layout, Shape};
use crate::trial::Random;

const FLASH: u32 = 0x0008_0000;
/// Bytes of code.
const SIZE: u32 = 1024;
const SHIFT: u32 = 4;
const BLOCKS: usize = 24;

const SHAPE: Shape =
    Shape { split: 1, matrix_shift: Some(SHIFT), ..Shape::new(4, 15, (0x2007_0000, 64), (FLASH, SIZE)) };

/// Where a block begins: some blocks are in one line, others far from each other.
fn place(block: usize) -> u32 {
    FLASH + 24 * block as u32 + if block >= BLOCKS / 2 { 384 } else { 0 }
}

/// Blocks that end in each way. The exit of a way has its number, that of a jump to an unknown place follows.
fn region(random: &mut Random) -> Region {
    let mut region = Region { blocks: Vec::new(), exits: Vec::new(), tables: vec![Vec::new()], most: 1 };
    let exit = Exit { pc: None, from: 0, pending: 0, checks_budget: true };
    for number in 0..BLOCKS {
        let mut within = Vec::new();
        let mut pc = place(number);
        for _ in 0..=random.next() % 6 {
            let halfwords = 1 + (random.next() & 1);
            within.push(Event::Instruction(pc, halfwords));
            within.extend(match random.next() & 7 {
                0 => Some(Event::ReadRam),
                1 => Some(Event::WriteRam),
                2 => Some(Event::ReadAgain),
                3 => Some(Event::ReadFlash),
                _ => None,
            });
            within.push(Event::Finish(1 + random.next() % 4));
            pc += 2 * halfwords;
        }
        let mut edge = |target: usize| {
            region.exits.push(exit);
            Edge { block: Some((target, 0)), exit: region.exits.len() - 1 }
        };
        let target = random.next() as usize % BLOCKS;
        let jump = |target: usize| vec![Event::Finish(1), Event::Jump(place(target), true)];
        let (kind, lost) = (Kind::Plain, Lost::Always(1));
        let (end, ways) = match number % 3 {
            0 => {
                let [taken, not_taken] = [edge(target), edge((number + 1) % BLOCKS)].map(|edge| [edge; 2]);
                let ways = vec![jump(target), jump((number + 1) % BLOCKS)];
                let (condition, target) = (Expr::Constant(0), place(target));
                (End::Branch { condition, pc, target, lost, taken, not_taken }, ways)
            }
            1 => {
                let ways = vec![jump(target), jump((target + 7) % BLOCKS), jump((number + 1) % BLOCKS)];
                let first = (Expr::Constant(0), edge(target));
                let second = (Expr::Constant(0), edge((target + 7) % BLOCKS));
                (End::Ways(vec![first, second], edge((number + 1) % BLOCKS)), ways)
            }
            _ => {
                let (after, unknown) = ([edge(0).exit; 2], (edge(0).exit, None));
                let (target, then) = (Expr::Constant(0), Vec::new());
                let near = Some((pc >> SHIFT << SHIFT, 64));
                let tables = [0; 2];
                let link = None;
                let end = End::Indirect { pc, target, kind, link, lost, unknown, near, after, tables, then };
                (end, vec![vec![Event::Finish(2)]])
            }
        };
        region.blocks.push(Block { end, events: Events { within, ways }, ..Block::new(None) });
        let slot = (place(number) - FLASH) >> 1;
        region.tables[0].push(Place { slot, block: number, extra: 0, lost: number as u32 & 1 });
    }
    region
}

/// Follows `steps` blocks by nodes; returns how often a node was not known. `room`: bytes for nodes.
fn walk(seed: u64, room: u32, steps: u32) -> u32 {
    let mut random = Random(seed);
    let region = region(&mut random);
    let layout = Layout::new(&SHAPE, 1);
    let mut memory = vec![0; layout.pages as usize * 0x1_0000];
    let mut bytes = Bytes(&mut memory);
    for place in &region.tables[0] {
        bytes.set(layout.table(0) + 4 * place.slot, (place.block as u32 + 1) | (place.lost << 24));
    }
    let mut waits = Waits::new(&region, &SHAPE, &layout);
    waits.room = room;
    let mut model = BusMatrix::new(4, 1 << SHIFT, 3, 1);
    model.start(place(0));
    let (mut block, mut state) = (0, model);
    assert!(waits.enter(block, &state, &mut bytes), "there is room for a node");
    let (mut unknown, mut waited) = (0, 0);
    let stalls = model.stalls();
    for step in 0..steps {
        let node = bytes.get(layout::NODE);
        let Block { end, events, .. } = &region.blocks[block];
        apply(&mut model, &events.within);
        waited += u64::from(bytes.get(node));
        assert_eq!(waited, model.stalls() - stalls, "step {step}");
        let target = random.next() as usize % BLOCKS;
        let (exit, slot, next) = match end {
            End::Branch { taken, not_taken, .. } => {
                let way = target & 1;
                apply(&mut model, &events.ways[way]);
                let edge = [taken, not_taken][way][0];
                (edge.exit, node + 4 + 4 * way as u32, edge.block)
            }
            End::Ways(ways, last) => {
                let way = target % 3;
                apply(&mut model, &events.ways[way]);
                let edge = ways.get(way).map_or(*last, |(_, edge)| *edge);
                (edge.exit, node + 4 + 4 * way as u32, edge.block)
            }
            End::Indirect { after, near, .. } => {
                let lost = target as u32 & 1;
                apply(&mut model, &events.ways[0]);
                apply(&mut model, &[Event::Finish(lost), Event::Jump(place(target), true)]);
                let (first, size) = near.unwrap_or_default();
                let distance = place(target).wrapping_sub(first);
                let row = bytes.get(node + 4) + 4 * (target as u32 + 1);
                let slot = if distance < size { node + NEAR + 2 * distance } else { row };
                (after[0], slot, Some((target, 0)))
            }
            _ => unreachable!("there are no other ends"),
        };
        block = next.map_or(0, |(block, _)| block);
        let known = bytes.get(slot);
        if known != 0 {
            bytes.set(layout::NODE, known);
            continue;
        }
        unknown += 1;
        let left = waits.leave(exit, place(block), &mut bytes);
        state.resume(&left.expect("the exit is one of the block's"));
        assert_eq!(state.settled().key(), model.settled().key(), "step {step}");
        assert!(waits.enter(block, &state, &mut bytes), "there is room for a node");
    }
    unknown
}

#[test]
fn nodes_wait_as_the_model() {
    for seed in 0..20 {
        let unknown = walk(seed, 1 << 18, 20_000);
        assert!((50..15_000).contains(&unknown), "{unknown}");
    }
}

#[test]
fn without_room_for_more_nodes_they_are_found_again() {
    assert!(walk(1, 1200, 20_000) > 2 * walk(1, 1 << 18, 20_000));
}
