//! 16-bit encodings that ARMv6-M does not have, and what an IT block makes of the others
//! (DDI 0403, A5.2).

use super::{field, Code, Kind};
use crate::op::Op;
use crate::registers::Reg;
use crate::v6m;

/// Decodes the 16-bit instruction `word` at `address`.
pub fn decode(word: u16, address: u32, conditional: bool) -> Op<Code> {
    let w = u32::from(word);
    let narrow = |kind, imm| Op::new(Code { kind, width: 1, a: Reg::R0, s: 0 }, imm);
    let undefined = Code::base(Op::new(v6m::Code::Undefined, w), 1);
    match w {
        _ if w & 0xf500 == 0xb100 => {
            let target = address.wrapping_add(4).wrapping_add(field(w, 3, 5) << 1 | field(w, 9, 1) << 6);
            let kind = if w & 0x800 == 0 { Kind::Cbz } else { Kind::Cbnz };
            if conditional {
                undefined
            } else {
                Op { n: Reg::from_bits(w & 7), ..narrow(kind, target) }
            }
        }
        _ if w & 0xff00 == 0xbf00 && w & 15 != 0 => {
            let (first, mask) = (field(w, 4, 4), w & 15);
            if conditional || first == 15 || first == 14 && !mask.is_power_of_two() {
                undefined
            } else {
                narrow(Kind::It, w & 0xff)
            }
        }
        // CPS: the bits for FAULTMASK and PRIMASK.
        _ if w & 0xffec == 0xb660 => {
            if conditional || w & 3 == 0 {
                undefined
            } else {
                let op = narrow(Kind::Cps, field(w, 4, 1));
                Op { code: Code { s: w as u8 & 3, ..op.code }, ..op }
            }
        }
        _ => {
            let op = v6m::decode_narrow(word, address);
            if conditional {
                in_block(&op, undefined)
            } else {
                Code::base(op, 1)
            }
        }
    }
}

/// In an IT block, 16-bit instructions set no flags, except comparisons.
fn in_block(op: &Op<v6m::Code>, undefined: Op<Code>) -> Op<Code> {
    use v6m::Code as C;
    match op.code {
        C::Beq | C::Bne | C::Bcs | C::Bcc | C::Bmi | C::Bpl | C::Bvs | C::Bvc => undefined,
        C::Bhi | C::Bls | C::Bge | C::Blt | C::Bgt | C::Ble => undefined,
        C::AsrsReg => {
            // d = m shifted by n here, as in the 32-bit instruction.
            let code = Code { kind: Kind::Asr3, width: 1, a: Reg::R0, s: 0 };
            Op { code, d: op.d, n: op.m, m: op.d, imm: 0 }
        }
        _ => Code::base(v6m::without_flags(op), 1),
    }
}
