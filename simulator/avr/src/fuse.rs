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

/// All sequences, those with one first instruction together, longer ones before shorter ones: of those
/// that fit, the first is taken.
const SEQUENCES: &[(Code, &[Code])] = &[
    (Code::LsrRorRorRorDecBrne, &[Code::Lsr, Code::Ror, Code::Ror, Code::Ror, Code::Dec, Code::Brne]),
    (Code::LsrRorDecBrne, &[Code::Lsr, Code::Ror, Code::Dec, Code::Brne]),
    (Code::LsrRorRorRor, &[Code::Lsr, Code::Ror, Code::Ror, Code::Ror]),
    (Code::LsrRorRor, &[Code::Lsr, Code::Ror, Code::Ror]),
    (Code::LsrRor, &[Code::Lsr, Code::Ror]),
    (Code::AddAdcAdcAdcDecBrne, &[Code::Add, Code::Adc, Code::Adc, Code::Adc, Code::Dec, Code::Brne]),
    (Code::AddAdcDecBrne, &[Code::Add, Code::Adc, Code::Dec, Code::Brne]),
    (Code::AddAdcAdcAdc, &[Code::Add, Code::Adc, Code::Adc, Code::Adc]),
    (Code::AddAdcAdc, &[Code::Add, Code::Adc, Code::Adc]),
    (Code::AddAdc, &[Code::Add, Code::Adc]),
    (Code::BstRorRorRorRorBld, &[Code::Bst, Code::Ror, Code::Ror, Code::Ror, Code::Ror, Code::Bld]),
    (Code::AdiwLdLdLdLd, &[Code::Adiw, Code::Ld, Code::Ld, Code::Ld, Code::Ld]),
    (Code::AdiwStStStSt, &[Code::Adiw, Code::St, Code::St, Code::St, Code::St]),
    (Code::AdiwLd, &[Code::Adiw, Code::Ld]),
    (Code::AdiwSt, &[Code::Adiw, Code::St]),
    (Code::AdcAdcAdcAdc, &[Code::Adc, Code::Adc, Code::Adc, Code::Adc]),
    (Code::AdcAdcAdc, &[Code::Adc, Code::Adc, Code::Adc]),
    (Code::AdcAdc, &[Code::Adc, Code::Adc]),
    (Code::SubSbcSbcSbc, &[Code::Sub, Code::Sbc, Code::Sbc, Code::Sbc]),
    (Code::SubSbc, &[Code::Sub, Code::Sbc]),
    (Code::SbcSbc, &[Code::Sbc, Code::Sbc]),
    (Code::SubiSbci, &[Code::Subi, Code::Sbci]),
    (Code::RorRorRorRor, &[Code::Ror, Code::Ror, Code::Ror, Code::Ror]),
    (Code::RorRorRor, &[Code::Ror, Code::Ror, Code::Ror]),
    (Code::RorRor, &[Code::Ror, Code::Ror]),
    (Code::EorEorEorEor, &[Code::Eor, Code::Eor, Code::Eor, Code::Eor]),
    (Code::EorEorEor, &[Code::Eor, Code::Eor, Code::Eor]),
    (Code::EorEor, &[Code::Eor, Code::Eor]),
    (Code::EorSt, &[Code::Eor, Code::St]),
    (Code::EorMov, &[Code::Eor, Code::Mov]),
    (Code::AndAndAndAnd, &[Code::And, Code::And, Code::And, Code::And]),
    (Code::AndAnd, &[Code::And, Code::And]),
    (Code::OrOrOrOr, &[Code::Or, Code::Or, Code::Or, Code::Or]),
    (Code::OrOr, &[Code::Or, Code::Or]),
    (Code::MovMovMovMov, &[Code::Mov, Code::Mov, Code::Mov, Code::Mov]),
    (Code::MovMov, &[Code::Mov, Code::Mov]),
    (Code::MovEor, &[Code::Mov, Code::Eor]),
    (Code::MovLd, &[Code::Mov, Code::Ld]),
    (Code::MovwMovw, &[Code::Movw, Code::Movw]),
    (Code::MovwLdInc, &[Code::Movw, Code::LdInc]),
    (Code::LdiLdi, &[Code::Ldi, Code::Ldi]),
    (Code::LdLdLdLd, &[Code::Ld, Code::Ld, Code::Ld, Code::Ld]),
    (Code::LdLdLd, &[Code::Ld, Code::Ld, Code::Ld]),
    (Code::LdLd, &[Code::Ld, Code::Ld]),
    (Code::LdEor, &[Code::Ld, Code::Eor]),
    (Code::LdMov, &[Code::Ld, Code::Mov]),
    (Code::LdIncLdInc, &[Code::LdInc, Code::LdInc]),
    (Code::LdIncMovw, &[Code::LdInc, Code::Movw]),
    (Code::StStStSt, &[Code::St, Code::St, Code::St, Code::St]),
    (Code::StCpCpcBrne, &[Code::St, Code::Cp, Code::Cpc, Code::Brne]),
    (Code::StStSt, &[Code::St, Code::St, Code::St]),
    (Code::StSt, &[Code::St, Code::St]),
    (Code::PushPush, &[Code::Push, Code::Push]),
    (Code::PopPop, &[Code::Pop, Code::Pop]),
    (Code::DecBrne, &[Code::Dec, Code::Brne]),
    (Code::CpCpcBrne, &[Code::Cp, Code::Cpc, Code::Brne]),
    (Code::CpCpc, &[Code::Cp, Code::Cpc]),
    (Code::CpiCpcBrne, &[Code::Cpi, Code::Cpc, Code::Brne]),
    (Code::CpiCpc, &[Code::Cpi, Code::Cpc]),
    (Code::CpiBrne, &[Code::Cpi, Code::Brne]),
    (Code::SbiwAdiw, &[Code::Sbiw, Code::Adiw]),
    (Code::SbiwEor, &[Code::Sbiw, Code::Eor]),
    (Code::ComCom, &[Code::Com, Code::Com]),
    (Code::LpmIncLpmInc, &[Code::LpmInc, Code::LpmInc]),
];

/// The sequences by the code of their first instruction.
struct ByFirst([&'static [(Code, &'static [Code])]; 256]);

impl ByFirst {
    fn new() -> ByFirst {
        let mut table: [&'static [(Code, &'static [Code])]; 256] = [&[]; 256];
        for group in SEQUENCES.chunk_by(|(_, a), (_, b)| a[0] == b[0]) {
            table[group[0].1[0] as usize] = group;
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

#[cfg(test)]
mod tests;
