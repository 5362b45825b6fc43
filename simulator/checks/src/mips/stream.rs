//! A random program that keeps its pointers in RAM and comes to an end.
//!
//! Registers with a purpose: r29 the stack pointer, r28 a pointer into RAM, r30 counts the repetitions of
//! the body, r27 counts in inner loops, r26 is lost to the generator. All others hold whatever comes.
//! The body is a chain of pieces (see [`super::pieces`]); the last pass continues to code that loads the
//! whole of RAM through registers, which is how memory gets compared.

use super::{pieces, pieces16, Set, FLASH_SIZE, RAM_BASE, RAM_SIZE};
use crate::random::Random;

/// The stack pointer.
pub const STACK: u32 = 29;
/// Points into RAM.
pub const POINTER: u32 = 28;
/// Counts passes.
const PASSES: u32 = 30;
/// Counts in inner loops.
pub const LOOP: u32 = 27;
/// For the generator's own use.
pub const SCRATCH: u32 = 26;

/// Words kept free behind the body for the end of the program.
const TAIL: usize = 64;

/// SLL r0, r0, 0
pub const NOP: u32 = 0;

/// An instruction with an immediate.
#[must_use]
pub fn immediate(op: u32, s: u32, t: u32, imm: i32) -> u32 {
    op << 26 | s << 21 | t << 16 | imm as u32 & 0xffff
}

/// ADDIU t, s, imm
#[must_use]
pub fn addiu(t: u32, s: u32, imm: i32) -> u32 {
    immediate(9, s, t, imm)
}

/// An instruction on registers: of the group with opcode 0.
#[must_use]
pub fn registers(function: u32, d: u32, s: u32, t: u32) -> u32 {
    s << 21 | t << 16 | d << 11 | function
}

/// A program under construction.
#[derive(Clone, Debug)]
pub struct Stream {
    /// The code.
    pub code: Vec<u32>,
    /// Random choices.
    pub random: Random,
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
    /// Appends an instruction.
    pub fn put(&mut self, word: u32) {
        self.code.push(word);
    }

    /// The position of the next instruction.
    #[must_use]
    pub fn here(&self) -> usize {
        self.code.len()
    }

    /// The address of a position.
    #[must_use]
    pub fn address(&self, position: usize) -> u32 {
        super::FLASH_BASE + 4 * position as u32
    }

    /// Words from the delay slot of the branch at `from` to the next instruction.
    #[must_use]
    pub fn ahead(&self, from: usize) -> i32 {
        self.code.len() as i32 - from as i32 - 1
    }

    /// Words from the delay slot of the next instruction back to `to`.
    #[must_use]
    pub fn back(&self, to: usize) -> i32 {
        to as i32 - self.code.len() as i32 - 1
    }

    /// Loads a constant: LUI and ORI.
    pub fn load(&mut self, register: u32, value: u32) {
        self.put(immediate(15, 0, register, (value >> 16) as i32));
        self.put(immediate(13, register, register, (value & 0xffff) as i32));
    }
}

/// Makes a program of that set with about `words` of body that runs `passes` times.
#[must_use]
pub fn program(set: Set, seed: u64, words: usize, passes: u32) -> Program {
    let mut s = Stream { code: Vec::new(), random: Random::new(seed) };
    let limit = (FLASH_SIZE / 4) as usize - TAIL - pieces::LONGEST.max(pieces16::LONGEST);
    // Pieces reach from 0x180 below it to 0x180 above it.
    let pointer = RAM_BASE + 0x100 * (2 + s.random.below(0x20));
    fill_ram(&mut s);
    for register in 1..32 {
        let value = s.random.next() as u32;
        s.load(register, value);
    }
    for (register, value) in [(STACK, RAM_BASE + RAM_SIZE - 0x1000), (POINTER, pointer), (PASSES, passes)] {
        s.load(register, value);
    }

    let body = s.here();
    while s.here() < (body + words).min(limit) {
        // What is MIPS32 there is mostly what goes to and fro.
        if set == Set::Mips16e && !s.random.once_in(4) {
            pieces16::stretch(&mut s);
        } else {
            pieces::any(&mut s);
        }
    }

    s.put(addiu(PASSES, PASSES, -1));
    let back = s.back(body);
    s.put(immediate(5, PASSES, 0, back)); // bne
    s.put(NOP);

    load_ram(&mut s);
    let end = 4 * s.here() as u32;
    s.put(immediate(4, 0, 0, -1)); // b .
    s.put(NOP);
    Program { bytes: s.code.iter().flat_map(|word| word.to_le_bytes()).collect(), end }
}

/// Writes a random pattern all over RAM: `value = value * odd + 0x5b` from word to word.
fn fill_ram(s: &mut Stream) {
    let (value, factor) = (s.random.next() as u32, s.random.next() as u32 | 1);
    s.load(10, RAM_BASE);
    s.load(11, RAM_BASE + RAM_SIZE);
    s.load(12, value);
    s.load(13, factor);
    let again = s.here();
    s.put(immediate(43, 10, 12, 0)); // sw
    s.put(28 << 26 | registers(2, 12, 12, 13)); // mul
    s.put(addiu(12, 12, 0x5b));
    s.put(addiu(10, 10, 4));
    let back = s.back(again);
    s.put(immediate(5, 10, 11, back));
    s.put(NOP);
}

/// Loads all of RAM through r12 to r15.
fn load_ram(s: &mut Stream) {
    s.load(10, RAM_BASE);
    s.load(11, RAM_BASE + RAM_SIZE);
    let again = s.here();
    for (register, offset) in (12..16).zip([0, 4, 8, 12]) {
        s.put(immediate(35, 10, register, offset)); // lw
    }
    s.put(addiu(10, 10, 16));
    let back = s.back(again);
    s.put(immediate(5, 10, 11, back));
    s.put(NOP);
}

#[cfg(test)]
mod tests {
    use super::{addiu, immediate, program, registers};
    use crate::mips::{Set, FLASH_SIZE};
    use pennyweight_mips::decode::decode;
    use pennyweight_mips::short;

    // Against GNU as 2.40 (mipsel-linux-gnu).
    #[test]
    fn encodings() {
        assert_eq!(addiu(2, 3, -5), 0x2462_fffb);
        assert_eq!(immediate(35, 29, 4, 16), 0x8fa4_0010); // lw a0, 16(sp)
        assert_eq!(registers(0x21, 2, 4, 5), 0x0085_1021); // addu v0, a0, a1
    }

    #[test]
    fn the_longest_program_fits() {
        for seed in 0..3 {
            for set in [Set::Mips32, Set::Mips16e] {
                assert!(program(set, seed, usize::MAX / 4, 1).bytes.len() <= FLASH_SIZE as usize);
            }
        }
    }

    #[test]
    fn programs_of_16_bits_have_every_instruction_in_them() {
        let program = program(Set::Mips16e, 1, 20_000, 1);
        let bytes = &program.bytes;
        let half = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let mut names: Vec<&str> = (0..bytes.len() - 4)
            .step_by(2)
            .map(|at| short::decode(half(at), half(at + 2), 0x8010_0000, 0x8010_0000).mnemonic())
            .collect();
        names.sort_unstable();
        names.dedup();
        // Decoding produces at least this many mnemonics.
        assert!(names.len() >= 55, "{}: {names:?}", names.len());
    }

    #[test]
    fn programs_have_nearly_every_instruction_in_them() {
        let program = program(Set::Mips32, 1, 20_000, 1);
        let words = program.bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        let mut codes: Vec<String> =
            words.map(|word| format!("{:?}", decode(word, 0x8010_0000).code)).collect();
        codes.sort();
        codes.dedup();
        // What decoding makes, less what ends a run.
        assert!(codes.len() >= 95, "{}: {codes:?}", codes.len());
    }
}
