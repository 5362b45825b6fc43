//! 32-bit encodings (DDI 0419, A5.3): BL, MSR, MRS, the barriers; everything else is undefined.

use super::{undefined, Code};
use crate::op::Op;
use crate::registers::Reg;
use crate::system::System;

/// Decodes the 32-bit instruction at `address`.
pub fn decode(first: u16, second: u16, address: u32) -> Op<Code> {
    let (a, b) = (u32::from(first), u32::from(second));
    let encoding = a << 16 | b;
    if a >> 11 != 0b11110 || b & 0x8000 == 0 {
        return undefined(encoding);
    }
    if b & 0x5000 == 0x5000 {
        return Op::new(Code::Bl, branch_target(a, b, address));
    }
    if b & 0x5000 != 0 {
        return undefined(encoding);
    }
    let number = b & 0xff;
    match a >> 4 & 0x7f {
        0b0111000 if b & 0x2f00 == 0x0800 => {
            let n = Reg::from_bits(a);
            if matches!(n, Reg::Sp | Reg::Pc) || !System::exists(number) {
                return undefined(encoding);
            }
            Op { n, ..Op::new(Code::Msr, number) }
        }
        0b0111011 if a & 0xf == 0xf && b & 0x2f00 == 0x0f00 && matches!(b >> 4 & 0xf, 4..=6) => {
            Op::new(Code::Barrier, 0)
        }
        0b0111110 if a & 0xf == 0xf && b & 0x2000 == 0 => {
            let d = Reg::from_bits(b >> 8);
            if matches!(d, Reg::Sp | Reg::Pc) || !System::exists(number) {
                return undefined(encoding);
            }
            Op { d, ..Op::new(Code::Mrs, number) }
        }
        _ => undefined(encoding),
    }
}

/// BL: `SignExtend(S:I1:I2:imm10:imm11:'0')` with `I = NOT(J EOR S)`.
fn branch_target(a: u32, b: u32, address: u32) -> u32 {
    let s = a >> 10 & 1;
    let i1 = !(b >> 13 ^ s) & 1;
    let i2 = !(b >> 11 ^ s) & 1;
    let offset = s << 24 | i1 << 23 | i2 << 22 | (a & 0x3ff) << 12 | (b & 0x7ff) << 1;
    let signed = (offset << 7) as i32 >> 7;
    address.wrapping_add(4).wrapping_add(signed as u32)
}
