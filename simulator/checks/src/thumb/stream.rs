//! A random program that keeps its pointers in RAM and comes to an end.
//!
//! Registers with a purpose: R9 holds the stack pointer's home, R10 a pointer into RAM, R11 counts
//! the repetitions of the body; R8 counts in inner loops. All others hold whatever comes. The body is a
//! chain of pieces (see [`super::pieces`]); the last pass continues to code that loads the whole of
//! RAM through registers, which is how memory gets compared.

use super::encode::{adds, b, b_if, cmp, ldm, lsls, mov, movs, msr, subs};
use super::{pieces, wide};
use super::{FLASH_SIZE, RAM_SIZE};
use crate::random::Random;

/// Halfwords of the vector table.
const VECTORS: usize = 2 * 48;
/// Halfwords kept free behind the body for the end of the program.
const TAIL: usize = 64 + LITERALS;
/// Halfwords of random data behind the program: as far as a literal load at its end reaches.
const LITERALS: usize = 512;

/// Which instructions a program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// ARMv6-M.
    V6m,
    /// ARMv7-M.
    V7m,
    /// ARMv7E-M.
    V7em,
    /// Armv8-M with the Main and DSP extensions.
    V8m,
}

impl Set {
    /// Their names on the command line, in the order of [`Set::ALL`].
    pub const NAMES: [&'static str; 4] = ["v6m", "v7m", "v7em", "v8m"];
    /// All of them.
    pub const ALL: [Set; 4] = [Set::V6m, Set::V7m, Set::V7em, Set::V8m];

    /// The machine of QEMU's that has it.
    #[must_use]
    pub fn machine(self) -> &'static str {
        match self {
            Set::V6m => "microbit",
            Set::V7m => "mps2-an385",
            Set::V7em => "mps2-an386",
            Set::V8m => "mps2-an505",
        }
    }

    /// The first address of its program memory: with `mps2-an505`, as Secure state sees it.
    #[must_use]
    pub fn flash(self) -> u32 {
        if self == Set::V8m {
            0x1000_0000
        } else {
            0
        }
    }

    /// The first address of its RAM.
    #[must_use]
    pub fn ram(self) -> u32 {
        if self == Set::V8m {
            0x3000_0000
        } else {
            0x2000_0000
        }
    }

    /// Does it have the DSP instructions?
    #[must_use]
    pub fn dsp(self) -> bool {
        matches!(self, Set::V7em | Set::V8m)
    }
}

/// A program under construction.
#[derive(Clone, Debug)]
pub struct Stream {
    /// What it may use.
    pub set: Set,
    /// The flash's content by halfword.
    pub code: Vec<u16>,
    /// Random choices.
    pub random: Random,
}

/// A program ready to run.
#[derive(Clone, Debug)]
pub struct Program {
    /// The flash's content.
    pub bytes: Vec<u8>,
    /// Where it ends: an instruction that branches to itself.
    pub end: u32,
}

impl Stream {
    /// Appends an instruction.
    pub fn put(&mut self, word: u16) {
        self.code.push(word);
    }

    /// Appends a 32-bit instruction.
    pub fn put_wide(&mut self, words: [u16; 2]) {
        self.code.extend(words);
    }

    /// The position of the next instruction.
    #[must_use]
    pub fn here(&self) -> usize {
        self.code.len()
    }

    /// Loads a constant into a low register.
    pub fn load(&mut self, rd: u16, value: u32) {
        let bytes = value.to_be_bytes();
        self.put(movs(rd, u16::from(bytes[0])));
        for byte in &bytes[1..] {
            self.put(lsls(rd, rd, 8));
            self.put(adds(rd, u16::from(*byte)));
        }
    }
}

/// Makes a program with about `halfwords` of body that runs `passes` times (1 to 255).
#[must_use]
pub fn program(set: Set, seed: u64, halfwords: usize, passes: u32) -> Program {
    let mut s = Stream { set, code: vec![0; VECTORS], random: Random::new(seed) };
    let limit = (FLASH_SIZE / 2) as usize - TAIL - pieces::LONGEST;
    let stack_home = set.ram() + RAM_SIZE - 0x1000;
    // Pieces reach from 0x17f below it to 0x27b above it.
    let pointer = set.ram() + 0x100 * (2 + s.random.below(0x20));
    vectors(&mut s.code, set);

    fill_ram(&mut s);
    for (high, value) in [(13, stack_home), (9, stack_home), (10, pointer), (11, passes)] {
        s.load(0, value);
        s.put(mov(high, 0));
    }
    for high in [8, 12, 14] {
        let value = s.random.next() as u32;
        s.load(0, value);
        s.put(mov(high, 0));
    }
    for low in 0..8 {
        let value = s.random.next() as u32;
        s.load(low, value);
    }
    let flags = s.random.below(16);
    s.load(7, flags << 28);
    s.put_wide(msr(0, 7));

    let body = s.here();
    while s.here() < (body + halfwords).min(limit) {
        if set == Set::V6m {
            pieces::any(&mut s);
        } else {
            wide::any(&mut s);
        }
    }

    // R11 counts down; the way back is longer than a conditional branch reaches.
    s.put(mov(0, 11));
    s.put(subs(0, 1));
    s.put(mov(11, 0));
    let here = s.here();
    s.put(b_if(0, here, here + 3));
    let from = s.here();
    s.put_wide(super::encode::bl(from, body));

    load_ram(&mut s);
    let end = s.here();
    s.put(b(end, end));
    for _ in 0..LITERALS {
        let word = s.random.next() as u16;
        s.put(word);
    }
    Program {
        bytes: s.code.iter().flat_map(|word| word.to_le_bytes()).collect(),
        end: set.flash() + 2 * end as u32,
    }
}

/// Every exception goes to the reset handler: if one happens, the comparison sees it.
fn vectors(code: &mut [u16], set: Set) {
    let (stack, reset) = (set.ram() + RAM_SIZE, (set.flash() + 2 * VECTORS as u32) | 1);
    for (i, pair) in code.chunks_exact_mut(2).take(VECTORS / 2).enumerate() {
        let word = if i == 0 { stack } else { reset };
        pair.copy_from_slice(&[word as u16, (word >> 16) as u16]);
    }
}

/// Writes a random pattern all over RAM: `value = value * odd + odd` from word to word.
fn fill_ram(s: &mut Stream) {
    let (value, factor) = (s.random.next() as u32, s.random.next() as u32 | 1);
    s.load(0, s.set.ram());
    s.load(1, s.set.ram() + RAM_SIZE);
    s.load(2, value);
    s.load(3, factor);
    let again = s.here();
    s.put(super::encode::stm(0, 1 << 2));
    s.put(0x435a); // MULS r2, r3, r2
    s.put(adds(2, 0x5b));
    s.put(cmp(0, 1));
    let here = s.here();
    s.put(b_if(1, here, again));
}

/// Loads all of RAM through R1 to R4.
fn load_ram(s: &mut Stream) {
    s.load(0, s.set.ram());
    s.load(5, s.set.ram() + RAM_SIZE);
    let again = s.here();
    s.put(ldm(0, 0b1_1110));
    s.put(cmp(0, 5));
    let here = s.here();
    s.put(b_if(1, here, again));
}

#[cfg(test)]
mod tests {
    use super::{program, Set, LITERALS};
    use pennyweight_thumb::op::InstructionSet as _;
    use pennyweight_thumb::v6m::{Code, V6m};

    #[test]
    fn a_seed_makes_one_program() {
        assert_eq!(program(Set::V6m, 5, 500, 2).bytes, program(Set::V6m, 5, 500, 2).bytes);
        assert_ne!(program(Set::V6m, 5, 500, 2).bytes, program(Set::V6m, 6, 500, 2).bytes);
    }

    #[test]
    fn the_longest_program_fits_and_ends_in_a_branch_to_itself() {
        for seed in 0..4 {
            let program = program(Set::V6m, seed, usize::MAX / 4, 1);
            assert!(program.bytes.len() <= super::FLASH_SIZE as usize);
            let end = program.end as usize;
            assert_eq!(program.bytes[end..end + 2], 0xe7feu16.to_le_bytes());
            assert_eq!(program.bytes.len(), end + 2 + 2 * LITERALS);
        }
    }

    #[test]
    fn programs_have_nearly_every_instruction_in_them() {
        let program = program(Set::V6m, 1, 20_000, 1);
        let halves: Vec<u16> =
            program.bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        let mut codes: Vec<String> = halves
            .windows(2)
            .map(|pair| format!("{:?}", V6m::decode(pair[0], pair[1], 0x100, false).code))
            .collect();
        codes.sort();
        codes.dedup();
        // What decoding makes, less what ends a run or is made behind decoding only.
        for code in
            [Code::AddPc, Code::PopPc, Code::Muls, Code::Bl, Code::Blx, Code::Mrs, Code::Msr, Code::Ldm]
        {
            assert!(codes.contains(&format!("{code:?}")), "{code:?}");
        }
        assert!(codes.len() > 85, "{}", codes.len());
    }

    #[test]
    fn programs_have_every_kind_of_instruction_of_v7em_in_them() {
        use pennyweight_thumb::v7m::{Kind, V7em};
        let mut kinds = std::collections::BTreeSet::new();
        for seed in 0..4 {
            let program = program(Set::V7em, seed, 30_000, 1);
            let halves: Vec<u16> =
                program.bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
            for pair in halves.windows(2) {
                let kind = V7em::decode(pair[0], pair[1], 0x100, false).code.kind;
                if !matches!(kind, Kind::Base(_)) {
                    kinds.insert(format!("{kind:?}"));
                }
            }
        }
        // All but two: SP moves by a shifted register, and loads go to SP, in no program.
        assert!(kinds.len() >= 150, "{}: {kinds:?}", kinds.len());
    }

    #[test]
    fn programs_have_what_armv8_m_adds_in_them() {
        let code = program(Set::V8m, 2, 60_000, 1).bytes;
        let has = |pattern: u32, mask: u32| {
            let words = code.windows(4).step_by(2);
            let mut words = words.map(|w| {
                u32::from(w[1]) << 24 | u32::from(w[0]) << 16 | u32::from(w[3]) << 8 | u32::from(w[2])
            });
            words.any(|word| word & mask == pattern)
        };
        // LDA, LDAB, LDAH, STL, STLB, STLH; LDAEX and STLEX of each size; MSR and MRS of MSPLIM.
        for second in [0xfaf, 0xf8f, 0xf9f] {
            assert!(has(0xe8d0_0000 | second, 0xfff0_0fff), "{second:#x}");
            assert!(has(0xe8c0_0000 | second, 0xfff0_0fff), "{second:#x}");
        }
        for second in [0xfef, 0xfcf, 0xfdf] {
            assert!(has(0xe8d0_0000 | second, 0xfff0_0fff), "{second:#x}");
            assert!(has(0xe8c0_0000 | second & !15, 0xfff0_0ff0), "{second:#x}");
        }
        assert!(has(0xf380_880a, 0xfff0_ffff) && has(0xf3ef_800a, 0xffff_f0ff));
    }
}
