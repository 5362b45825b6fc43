//! Which blocks of RAM differ between the machine and the copy that translated code works on.

use std::ops::Range;

use crate::layout::MOST_RAM;

/// Bytes of a block as a power of two.
pub const SHIFT: u32 = 10;
/// Bytes of a block.
const BLOCK: u32 = 1 << SHIFT;
/// Blocks of the largest RAM.
const MOST: usize = MOST_RAM >> SHIFT;

/// A set of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks([u64; MOST / 64]);

impl Blocks {
    /// None.
    pub const NONE: Blocks = Blocks([0; MOST / 64]);
    /// All of them.
    pub const ALL: Blocks = Blocks([u64::MAX; MOST / 64]);

    /// Adds those that hold any of so many bytes from an offset in RAM on.
    pub fn add(&mut self, offset: u32, size: u32) {
        let Some(last) = size.checked_sub(1) else { return };
        let last = offset.saturating_add(last) >> SHIFT;
        for number in (offset >> SHIFT)..=last.min(MOST as u32 - 1) {
            self.0[number as usize / 64] |= 1 << (number % 64);
        }
    }

    /// Adds those of another set.
    pub fn add_all(&mut self, other: &Blocks) {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word |= more;
        }
    }

    /// The offsets of the blocks in a RAM of `size` bytes.
    pub fn ranges(&self, size: u32) -> impl Iterator<Item = Range<usize>> + '_ {
        (0..size.div_ceil(BLOCK))
            .filter(|&number| self.0[number as usize / 64] >> (number % 64) & 1 != 0)
            .map(move |number| {
                let start = number << SHIFT;
                start as usize..(start + BLOCK).min(size) as usize
            })
    }
}

#[cfg(test)]
mod tests {
    use super::Blocks;

    #[test]
    fn blocks_hold_all_bytes_that_are_added() {
        let mut blocks = Blocks::NONE;
        blocks.add(0, 0);
        assert_eq!(blocks, Blocks::NONE);
        blocks.add(1023, 2);
        blocks.add(70 << 10, 1);
        let ranges: Vec<_> = blocks.ranges(70 << 10 | 100).collect();
        assert_eq!(ranges, [0..1024, 1024..2048, 70 << 10..(70 << 10) + 100]);
        blocks.add(5, u32::MAX);
        assert_eq!(blocks, Blocks::ALL);
        blocks.add(u32::MAX, 4);
        assert_eq!(blocks, Blocks::ALL);
    }
}
