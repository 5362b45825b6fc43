//! What the tests of single operations share.

use crate::ir::{Block, Exit, Region};

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z >> 32) as u32
    }

    /// A number that operations treat in a particular way, or any.
    pub fn value(&mut self) -> u32 {
        match self.next() & 15 {
            0 => 0,
            1 => u32::MAX,
            2 => 0x8000_0000,
            3 => 1 << (self.next() & 31),
            4 => u32::MAX >> (self.next() & 31),
            _ => self.next(),
        }
    }
}

/// A region with this block, of ten cycles and an instruction, and a way out.
pub fn region(block: Block) -> Region {
    let exit = Exit { pc: Some(0), from: 0, pending: 0, checks_budget: true };
    let blocks = vec![Block { cycles: 10, instructions: 1, ..block }];
    Region { blocks, exits: vec![exit], tables: Vec::new(), most: 1 }
}
