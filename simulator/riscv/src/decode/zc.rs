//! The extensions Zcb and Zcmp: compressed instructions in the encodings that C leaves to floating-point loads
//! and stores and reserves.
//!
//! Reference: The RISC-V Instruction Set Manual, Volume I (20240411), chapter "Zc*" (version 1.0.0).

use super::compressed::{i_type, r_type, s_type, LOAD, OP_IMM, STORE};
use crate::op::{Code, Frame, Op};
use crate::registers::Reg;

/// FUNCT3 of loads.
const LH: u32 = 1;
const LBU: u32 = 4;
const LHU: u32 = 5;
/// FUNCT3 of stores.
const SB: u32 = 0;
const SH: u32 = 1;
/// FUNCT3 of ANDI, XORI and of what extends signs.
const ANDI: u32 = 7;
const XORI: u32 = 4;
const SEXT: u32 = 1;

/// Zcb: the instruction that a compressed one expands to; `None` if it is not in the extension.
#[must_use]
pub fn expand(half: u16) -> Option<u32> {
    let c = u32::from(half);
    // The registers of three bits are x8 to x15.
    let (base, data) = (8 + (c >> 7 & 7), 8 + (c >> 2 & 7));
    let byte = c >> 6 & 1 | c >> 4 & 2;
    let half = c >> 4 & 2;
    Some(match (c & 3, c >> 10) {
        (0, 0b10_0000) => i_type(LOAD, LBU, data, base, byte),
        (0, 0b10_0001) => i_type(LOAD, if c >> 6 & 1 == 0 { LHU } else { LH }, data, base, half),
        (0, 0b10_0010) => s_type(STORE, SB, base, data, byte),
        (0, 0b10_0011) if c >> 6 & 1 == 0 => s_type(STORE, SH, base, data, half),
        (1, 0b10_0111) => match (c >> 5 & 3, c >> 2 & 7) {
            // C.MUL
            (2, _) => r_type(1, 0, base, base, data),
            // C.ZEXT.B, C.SEXT.B, C.ZEXT.H, C.SEXT.H, C.NOT
            (3, 0) => i_type(OP_IMM, ANDI, base, base, 0xff),
            (3, 1) => i_type(OP_IMM, SEXT, base, base, 0x604),
            (3, 2) => r_type(4, 4, base, base, 0),
            (3, 3) => i_type(OP_IMM, SEXT, base, base, 0x605),
            (3, 5) => i_type(OP_IMM, XORI, base, base, u32::MAX),
            _ => return None,
        },
        _ => return None,
    })
}

/// Zcmp: an instruction that does what several others do; `None` if it is not in the extension.
#[must_use]
pub fn several(half: u16) -> Option<Op> {
    let c = u32::from(half);
    if c & 3 != 2 || c >> 13 != 5 {
        return None;
    }
    let op = |code, d, n, m| Some(Op { code, d, n, m, imm: 0 });
    if c >> 10 == 0b10_1011 {
        let (first, second) = (saved(c >> 7), saved(c >> 2));
        return match c >> 5 & 3 {
            1 if first != second => op(Code::MoveFromArguments, first, Reg::A0, second),
            3 => op(Code::MoveToArguments, Reg::A0, first, second),
            _ => None,
        };
    }
    let code = match c >> 8 & 0x1f {
        0b1_1000 => Code::Push,
        0b1_1010 => Code::Pop,
        0b1_1110 => Code::PopReturn,
        0b1_1100 => Code::PopReturnZero,
        _ => return None,
    };
    let registers = match c >> 4 & 15 {
        0..4 => return None,
        // s10 comes with s11 only.
        15 => 13,
        list => list - 3,
    };
    let bytes = (4 * registers).next_multiple_of(16) + (c >> 2 & 3) * 16;
    Some(Op { code, d: Reg::Sink, n: Reg::SP, m: Reg::X0, imm: Frame { registers, bytes }.imm() })
}

/// The register of CM.PUSH's list with this number: ra, s0 to s11.
#[must_use]
pub fn listed(number: u32) -> Reg {
    match number {
        0 => Reg::RA,
        1 | 2 => Reg::source(7 + number),
        _ => Reg::source(15 + number),
    }
}

/// s0 to s7, in the low three bits.
fn saved(bits: u32) -> Reg {
    listed(1 + (bits & 7))
}
