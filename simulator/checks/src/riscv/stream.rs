//! A random program that keeps its pointers in RAM and comes to an end.
//!
//! Registers with a purpose: x2 the stack pointer, x4 a pointer into RAM, x3 counts the repetitions of
//! the body, x8 counts in inner loops. All others hold whatever comes. The body is a chain of
//! pieces (see [`super::pieces`]); the last pass continues to code that loads the whole of RAM
//! through registers, which is how memory gets compared.

use super::encode::{add, addi, branch, i, jal, lw, r, sw, upper};
use super::pieces;
use super::{Set, FLASH_SIZE, RAM_BASE, RAM_SIZE};
use crate::random::Random;

/// The stack pointer.
pub const STACK: u32 = 2;
/// Counts passes.
const PASSES: u32 = 3;
/// Points into RAM.
pub const POINTER: u32 = 4;
/// Counts in inner loops.
pub const LOOP: u32 = 8;

/// Halfwords kept free behind the body for the end of the program.
const TAIL: usize = 64;

/// A program under construction.
#[derive(Clone, Debug)]
pub struct Stream {
    /// The code by halfword.
    pub code: Vec<u16>,
    /// Random choices.
    pub random: Random,
    /// Whose instructions it has.
    pub set: Set,
}

/// A program ready to run.
#[derive(Clone, Debug)]
pub struct Program {
    /// The code.
    pub bytes: Vec<u8>,
    /// Where it ends, from its start: an instruction that jumps to itself.
    pub end: u32,
}

impl Stream {
    /// Appends a 32-bit instruction.
    pub fn put(&mut self, word: u32) {
        self.code.extend([word as u16, (word >> 16) as u16]);
    }

    /// Appends a compressed instruction.
    pub fn put_short(&mut self, half: u16) {
        self.code.push(half);
    }

    /// The position of the next instruction.
    #[must_use]
    pub fn here(&self) -> usize {
        self.code.len()
    }

    /// Bytes from the instruction at `from` to the next one.
    #[must_use]
    pub fn distance(&self, from: usize) -> i32 {
        2 * (self.code.len() as i32 - from as i32)
    }

    /// Replaces a 32-bit instruction.
    pub fn set(&mut self, at: usize, word: u32) {
        self.code[at] = word as u16;
        self.code[at + 1] = (word >> 16) as u16;
    }

    /// Replaces a compressed instruction.
    pub fn set_short(&mut self, at: usize, half: u16) {
        self.code[at] = half;
    }

    /// Loads a constant.
    pub fn load(&mut self, rd: u32, value: u32) {
        let low = (value << 20) as i32 >> 20;
        self.put(upper(0x37, rd, value.wrapping_sub(low as u32)));
        self.put(addi(rd, rd, low));
    }
}

/// Makes a program of the set with about `halfwords` of body that runs `passes` times.
#[must_use]
pub fn program(set: Set, seed: u64, halfwords: usize, passes: u32) -> Program {
    let stack_home = RAM_BASE + RAM_SIZE - 0x1000;
    let mut s = Stream { code: Vec::new(), random: Random::new(seed), set };
    let limit = (FLASH_SIZE / 2) as usize - TAIL - pieces::LONGEST;
    // Pieces reach from 0x180 below it to 0x180 above it.
    let pointer = RAM_BASE + 0x100 * (2 + s.random.below(0x20));
    fill_ram(&mut s);
    for register in 1..set.registers() {
        let value = s.random.next() as u32;
        s.load(register, value);
    }
    for (register, value) in [(STACK, stack_home), (POINTER, pointer), (PASSES, passes)] {
        s.load(register, value);
    }

    let body = s.here();
    while s.here() < (body + halfwords).min(limit) {
        pieces::any(&mut s);
    }

    // The way back is longer than a conditional branch reaches.
    s.put(addi(PASSES, PASSES, -1));
    s.put(branch(0, PASSES, 0, 8));
    let back = -s.distance(body);
    s.put(jal(0, back));

    load_ram(&mut s);
    let end = 2 * s.here() as u32;
    s.put(jal(0, 0));
    Program { bytes: s.code.iter().flat_map(|half| half.to_le_bytes()).collect(), end }
}

/// Writes a random pattern all over RAM: `value = (value ^ value << 7) + odd` from word to word.
fn fill_ram(s: &mut Stream) {
    let (value, odd) = (s.random.next() as u32, s.random.next() as u32 | 1);
    s.load(10, RAM_BASE);
    s.load(11, RAM_BASE + RAM_SIZE);
    s.load(12, value);
    s.load(13, odd);
    let again = s.here();
    s.put(sw(10, 12, 0));
    s.put(i(0x1013, 14, 12, 7));
    s.put(r(0x4033, 12, 12, 14));
    s.put(add(12, 12, 13));
    s.put(addi(10, 10, 4));
    let back = -s.distance(again);
    s.put(branch(6, 10, 11, back));
}

/// Loads all of RAM through x12 to x15.
fn load_ram(s: &mut Stream) {
    s.load(10, RAM_BASE);
    s.load(11, RAM_BASE + RAM_SIZE);
    let again = s.here();
    for (register, offset) in (12..16).zip([0, 4, 8, 12]) {
        s.put(lw(register, 10, offset));
    }
    s.put(addi(10, 10, 16));
    let back = -s.distance(again);
    s.put(branch(6, 10, 11, back));
}

#[cfg(test)]
mod tests {
    use super::program;
    use crate::riscv::{Set, FLASH_SIZE};
    use pennyweight_riscv::decode::decode;
    use pennyweight_riscv::extensions::Extensions;

    #[test]
    fn a_seed_makes_one_program() {
        for set in Set::ALL {
            assert_eq!(program(set, 5, 500, 2).bytes, program(set, 5, 500, 2).bytes);
            assert_ne!(program(set, 5, 500, 2).bytes, program(set, 6, 500, 2).bytes);
        }
    }

    #[test]
    fn the_longest_program_fits_and_ends_in_a_jump_to_itself() {
        for (set, seed) in Set::ALL.into_iter().flat_map(|set| (0..4).map(move |seed| (set, seed))) {
            let program = program(set, seed, usize::MAX / 4, 1);
            assert!(program.bytes.len() <= FLASH_SIZE as usize);
            let end = program.end as usize;
            assert_eq!(program.bytes[end..], 0x6fu32.to_le_bytes());
        }
    }

    #[test]
    fn programs_have_nearly_every_instruction_in_them() {
        let all = Extensions::EVERY;
        let embedded = ["c", "zicsr", "zifencei"].map(String::from);
        let compressed = ["m", "c", "zicsr", "zifencei"].map(String::from);
        // XW has encodings of Zcb and Zcmp.
        let hazard3 = Extensions { xw: false, ..all };
        // What decoding makes, less what ends a run.
        for (set, extensions, least) in [
            (Set::Rv32imac, all, 91),
            (Set::Rv32imc, Extensions::new(false, &compressed), 54),
            (Set::Rv32ec, Extensions::new(true, &embedded), 45),
            (Set::Zbs, hazard3, 99),
            (Set::Hazard3, hazard3, 105),
        ] {
            let program = program(set, 1, 20_000, 1);
            let halves: Vec<u16> =
                program.bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
            let mut codes: Vec<String> = halves
                .windows(2)
                .map(|pair| format!("{:?}", decode(pair[0], pair[1], 0x100, extensions).code))
                .collect();
            codes.sort();
            codes.dedup();
            assert!(codes.len() >= least, "{}: {codes:?}", codes.len());
        }
    }
}
