//! Sequences: instructions that compilers put side by side, executed as one op.
//!
//! A word of several bytes is added, shifted, moved or loaded by a chain of one instruction per byte.
//! Executing such a chain in one go saves finding the next op's code each time, and the host's
//! compiler sees that the flags of all but the last are never asked for.
//!
//! Only the code of the first op changes; the others stay what they are, keep their operands, and can
//! be jumped to. Costs do not change either: they are a matter of addresses (see `program`).

use crate::decode::SPACE;
use crate::op::{Code, Op};
use crate::sequences::instructions;

macro_rules! patterns {
    ({} methods { $($_methods:tt)* } sequences { $($name:ident = $($part:ident)+;)* }) => {
        &[$((Code::$name, &[$(Code::$part),+])),*]
    };
}

/// All sequences, in the order of the list.
const SEQUENCES: &[Sequence] = instructions!(patterns {});

/// A sequence: its code and those of its instructions.
type Sequence = (Code, &'static [Code]);

/// The sequences by the code of their first instruction, longer ones before shorter ones.
struct ByFirst(Vec<Vec<Sequence>>);

impl ByFirst {
    fn new() -> ByFirst {
        let mut table = vec![Vec::new(); 256];
        for sequence in SEQUENCES {
            table[sequence.1[0] as usize].push(*sequence);
        }
        for group in &mut table {
            group.sort_by_key(|(_, codes)| std::cmp::Reverse(codes.len()));
        }
        ByFirst(table)
    }

    /// The code of the sequence that starts at `pc`, if one does.
    fn at(&self, ops: &[Op; SPACE], pc: usize) -> Option<Code> {
        let fits = |codes: &[Code]| (pc..).zip(codes).all(|(at, code)| ops[at % SPACE].code == *code);
        self.0[ops[pc].code as usize].iter().find(|(_, codes)| fits(codes)).map(|(code, _)| *code)
    }
}

/// The ops with sequences in place of their first instructions. `words` is the size of flash.
pub(crate) fn fuse(ops: &[Op; SPACE], words: usize) -> Box<[Op; SPACE]> {
    let sequences = ByFirst::new();
    let mut fused: Box<[Op; SPACE]> = crate::boxed(Op::OUTSIDE);
    for pc in 0..words {
        fused[pc] = ops[pc];
        if let Some(code) = sequences.at(ops, pc) {
            fused[pc].code = code;
        }
    }
    fused
}

/// A copy of the fused ops that stops when the program counter reaches `mark`: sequences that run over
/// it are taken apart.
pub(crate) fn marked(fused: &[Op; SPACE], ops: &[Op; SPACE], mark: usize) -> Box<[Op; SPACE]> {
    let mut marked: Box<[Op; SPACE]> = crate::boxed(Op::OUTSIDE);
    marked.copy_from_slice(fused);
    let longest = SEQUENCES.iter().map(|(_, codes)| codes.len()).max().unwrap_or(1);
    let start = (mark + 1).saturating_sub(longest);
    marked[start..mark].copy_from_slice(&ops[start..mark]);
    marked[mark] = Op { code: Code::Stop, ..Op::OUTSIDE };
    marked
}

/// Instructions of the longest sequence.
#[cfg(feature = "translator")]
pub(crate) fn longest() -> usize {
    SEQUENCES.iter().map(|(_, codes)| codes.len()).max().unwrap_or(1)
}

#[cfg(test)]
mod tests;
