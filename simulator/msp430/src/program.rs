//! Flash, decoded once.
//!
//! Costs are not counted instruction by instruction. For each word address, `remaining` holds the
//! cycles and instructions from there to the end of flash if nothing ever jumped. Both are in one
//! number, so that one addition moves both counters. A run keeps
//!
//! ```text
//! account = spent + remaining[pc]
//! ```
//!
//! which straight-line code leaves unchanged; only a jump from A to B changes it, by
//! `remaining[B] - remaining[A's successor]`. For jumps whose target is in the instruction that
//! difference is a constant, kept in `jump`. Outside of flash `remaining` is 0 and instructions are
//! counted one by one.

use crate::bus::Memory;
use crate::cpu::Cpu;
use crate::instruction::Instruction;
use crate::lower::lower;
use crate::op::{Code, Op};

/// Words of the address space. A program counter of 16 bits wraps: so do all indices.
pub const SPACE: usize = 1 << 15;

/// Cycles in the lower, instructions in the upper half.
pub const INSTRUCTION: u64 = 1 << 32;

/// Decoded flash with its costs.
#[derive(Clone)]
pub struct Program {
    /// One op for each word address.
    pub ops: Box<[Op; SPACE]>,
    /// The instructions of ops with code `General`.
    pub general: Vec<Instruction>,
    /// Cycles and instructions of straight-line execution from here to the end of flash.
    pub remaining: Box<[u64; SPACE]>,
    /// What taking the jump or call at this address adds to a run's account.
    pub jump: Box<[u64; SPACE]>,
}

/// The four words from a word address on.
pub fn words(memory: &Memory, at: usize) -> [u16; 4] {
    [0, 1, 2, 3].map(|i| u16::from_le_bytes(memory[(at + i) % SPACE]))
}

/// A boxed array, made without a detour over the stack.
fn boxed<T: Clone, const N: usize>(value: T) -> Box<[T; N]> {
    match vec![value; N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("the vector has exactly N entries"),
    }
}

impl Program {
    /// Decodes flash, which begins at the address `flash` and ends with the address space.
    pub fn new<X: Cpu>(memory: &Memory, flash: u16) -> Program {
        let mut program =
            Program { ops: boxed(Op::UNDECODED), general: Vec::new(), remaining: boxed(0), jump: boxed(0) };
        let start = usize::from(flash / 2);
        for at in (start..SPACE).rev() {
            let address = 2 * at as u16;
            let instruction = X::decode(address, words(memory, at));
            let next = at + usize::from(instruction.words);
            if next > SPACE {
                continue; // its last word is not flash: cannot be fetched
            }
            program.ops[at] = lower(&instruction, address).unwrap_or_else(|| {
                program.general.push(instruction);
                let x = (program.general.len() - 1) as u16;
                Op { code: Code::General, words: instruction.words, x, ..Op::UNDECODED }
            });
            program.remaining[at] =
                INSTRUCTION + u64::from(X::cycles(&instruction)) + program.remaining[next % SPACE];
        }
        for at in start..SPACE {
            let op = program.ops[at];
            if op.code.has_target() {
                let next = (at + usize::from(op.words)) % SPACE;
                let target = usize::from(op.y) % SPACE;
                program.jump[at] = program.remaining[target].wrapping_sub(program.remaining[next]);
            }
        }
        program
    }

    /// The ops with a stop at a word address.
    pub fn marked(&self, mark: usize) -> Box<[Op; SPACE]> {
        let mut ops = self.ops.clone();
        ops[mark % SPACE] = Op { code: Code::Stop, ..Op::UNDECODED };
        ops
    }
}

impl Code {
    /// Does it lead to the word address `y`?
    fn has_target(self) -> bool {
        self == Code::CallI || (Code::Jump as u8..=Code::Jl as u8).contains(&(self as u8))
    }
}
