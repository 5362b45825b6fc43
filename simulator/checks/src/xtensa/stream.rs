//! A random program that keeps its pointers in RAM and comes to an end.
//!
//! Registers with a purpose: a1 the stack pointer, a13 a pointer into RAM, a14 counts the passes
//! over the body, a15 counts in inner loops. All others hold whatever comes. Literals lie in front
//! of the code. The body is a chain of pieces (see [`super::pieces`]); the last pass continues to
//! code that loads the whole of RAM through registers, which is how memory gets compared.

use super::encode::{addi, b, bz, j, l32i, movi, narrow, rrr, s32i};
use super::pieces;
use super::{pieces_lx6, vectors, Set, FLASH_SIZE, RAM_SIZE};
use crate::random::Random;

/// The stack pointer.
pub const STACK: u32 = 1;
/// Points into RAM.
pub const POINTER: u32 = 13;
/// Counts passes.
pub const PASSES: u32 = 14;
/// Counts in inner loops.
pub const LOOP: u32 = 15;
/// Literal words in front of the code.
pub const LITERALS: u32 = 64;

/// Bytes kept free behind the body for the end of the program.
const TAIL: usize = 256;

/// A program under construction.
#[derive(Clone, Debug)]
pub struct Stream {
    /// The code.
    pub code: Vec<u8>,
    /// Random choices.
    pub random: Random,
    /// Which instructions.
    pub kind: Set,
    /// Where literals begin, from the start of the code.
    pub literals: u32,
    /// What POINTER holds.
    pub pointer: u32,
    /// A windowed function is being made: a0 is its return address.
    pub in_function: bool,
}

/// A program ready to run.
#[derive(Clone, Debug)]
pub struct Program {
    /// Vectors if there are any, literals and code.
    pub bytes: Vec<u8>,
    /// Where it begins, from its start.
    pub entry: u32,
    /// Where it ends: an instruction that jumps to itself.
    pub end: u32,
}

impl Stream {
    /// Appends a 24-bit instruction.
    pub fn put(&mut self, word: u32) {
        self.code.extend(&word.to_le_bytes()[..3]);
    }

    /// Appends a narrow instruction.
    pub fn put_short(&mut self, half: u32) {
        self.code.extend(&half.to_le_bytes()[..2]);
    }

    /// Appends bytes up to a multiple of four; nothing executes them.
    pub fn align(&mut self) {
        while !self.code.len().is_multiple_of(4) {
            self.code.push(0);
        }
    }

    /// The position of the next instruction.
    #[must_use]
    pub fn here(&self) -> usize {
        self.code.len()
    }

    /// Bytes from the instruction at `from` to the next one.
    #[must_use]
    pub fn distance(&self, from: usize) -> i32 {
        self.code.len() as i32 - from as i32
    }

    /// Replaces a 24-bit instruction.
    pub fn set(&mut self, at: usize, word: u32) {
        self.code[at..at + 3].copy_from_slice(&word.to_le_bytes()[..3]);
    }

    /// Replaces a narrow instruction.
    pub fn set_short(&mut self, at: usize, half: u32) {
        self.code[at..at + 2].copy_from_slice(&half.to_le_bytes()[..2]);
    }

    /// Loads a constant: always as many bytes, whatever it is; a12 is lost.
    pub fn load(&mut self, register: u32, value: u32) {
        let parts = [value >> 22, value >> 11 & 0x7ff, value & 0x7ff];
        self.put(movi(register, parts[0] as i32));
        for part in &parts[1..] {
            // SLLI register, register, 11
            self.put(rrr((32 - 11) >> 4, 1, register, register, (32 - 11) & 15));
            self.put(movi(12, *part as i32));
            self.put(rrr(2, 0, register, register, 12));
        }
        self.put_short(narrow(13, 15, 0, 3));
    }
}

/// Makes a program with about `length` bytes of body that runs `passes` times.
#[must_use]
pub fn program(kind: Set, seed: u64, length: usize, passes: u32) -> Program {
    let mut s = Stream {
        code: Vec::new(),
        random: Random::new(seed),
        kind,
        literals: 0,
        pointer: 0,
        in_function: false,
    };
    if kind == Set::Windowed {
        vectors::put(&mut s);
        s.literals = s.here() as u32;
    }
    let limit = FLASH_SIZE as usize - TAIL - pieces::LONGEST;
    for _ in 0..LITERALS {
        let word = s.random.next() as u32;
        s.code.extend(word.to_le_bytes());
    }
    let entry = s.here() as u32;
    // Pieces reach from 0x80 below it to 0x280 above it.
    let pointer = s.kind.ram() + 0x100 * (2 + s.random.below(0x20));
    s.pointer = pointer;
    if kind == Set::Windowed {
        pieces_lx6::start(&mut s);
    }
    fill_ram(&mut s);
    for register in 0..12 {
        let value = s.random.next() as u32;
        s.load(register, value);
    }
    for (register, value) in [(STACK, kind.ram() + RAM_SIZE - 0x1000), (POINTER, pointer), (PASSES, passes)] {
        s.load(register, value);
    }
    s.load(LOOP, 0);

    let body = s.here();
    while s.here() < (body + length).min(limit) {
        pieces::any(&mut s);
    }

    // The way back is longer than a conditional branch reaches.
    s.put(addi(PASSES, PASSES, -1));
    s.put(bz(0, PASSES, 6));
    let back = -s.distance(body);
    s.put(j(back));

    load_ram(&mut s);
    let end = s.here() as u32;
    s.put(j(0));
    Program { bytes: s.code, entry, end }
}

/// Writes a random pattern all over RAM: `value = value * odd + 0x5b` from word to word.
fn fill_ram(s: &mut Stream) {
    let (value, factor) = (s.random.next() as u32, s.random.next() as u32 | 1);
    let ram = s.kind.ram();
    s.load(2, ram);
    s.load(3, ram + RAM_SIZE);
    s.load(4, value);
    s.load(5, factor);
    let again = s.here();
    s.put(s32i(4, 2, 0));
    s.put(rrr(8, 2, 4, 4, 5));
    s.put(addi(4, 4, 0x5b));
    s.put(addi(2, 2, 4));
    let back = -s.distance(again);
    s.put(b(3, 2, 3, back));
}

/// Loads all of RAM through a4 to a7.
fn load_ram(s: &mut Stream) {
    let ram = s.kind.ram();
    s.load(2, ram);
    s.load(3, ram + RAM_SIZE);
    let again = s.here();
    for register in 4..8 {
        s.put(l32i(register, 2, 4 * (register - 4)));
    }
    s.put(addi(2, 2, 16));
    let back = -s.distance(again);
    s.put(b(3, 2, 3, back));
}

#[cfg(test)]
mod tests {
    use super::program;
    use crate::xtensa::{Set, FLASH_SIZE};

    #[test]
    fn a_seed_makes_one_program() {
        assert_eq!(program(Set::Windowed, 5, 500, 2).bytes, program(Set::Windowed, 5, 500, 2).bytes);
        assert_ne!(program(Set::Windowed, 5, 500, 2).bytes, program(Set::Windowed, 6, 500, 2).bytes);
    }

    #[test]
    fn the_longest_program_fits() {
        for (seed, kind) in [(0, Set::Call0), (1, Set::Windowed), (2, Set::Windowed)] {
            assert!(program(kind, seed, usize::MAX / 4, 1).bytes.len() <= FLASH_SIZE as usize);
        }
    }
}
