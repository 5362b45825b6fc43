//! 32-bit encodings (DDI 0403, A5.3): which table one is in; branches and system instructions.

use super::{bad, data, field, memory, multiply, register, undefined, wide_base, wide_op};
use super::{Code, Extensions, Kind};
use crate::op::Op;
use crate::registers::Reg;
use crate::system::System;
use crate::v6m;

/// Decodes the 32-bit instruction at `address` of a set with these extensions.
pub fn decode(first: u16, second: u16, address: u32, conditional: bool, has: Extensions) -> Op<Code> {
    let Extensions { dsp, v8 } = has;
    let (a, b) = (u32::from(first), u32::from(second));
    let encoding = a << 16 | b;
    let found = match (field(a, 11, 2), field(a, 4, 7)) {
        (0b01, op) if op >> 5 == 0b00 && op & 4 == 0 => memory::multiple(a, b),
        (0b01, op) if op >> 5 == 0b00 => memory::dual_or_exclusive(a, b, address, v8),
        (0b01, op) if op >> 5 == 0b01 => data::shifted_register(a, b, dsp),
        (0b10, _) if b & 0x8000 != 0 => branch_or_system(a, b, address, conditional, has),
        (0b10, op) if op & 0x20 == 0 => data::modified_immediate(a, b),
        (0b10, _) => data::plain_immediate(a, b, address, dsp),
        (0b11, op) if op >> 4 == 0b000 && op & 1 == 0 => memory::store(a, b),
        (0b11, op) if op >> 5 == 0b00 && op & 1 == 1 => memory::load(a, b, address),
        (0b11, op) if op >> 4 == 0b010 => data::register(a, b, dsp),
        (0b11, op) if op >> 3 == 0b0110 => multiply::multiply(a, b, dsp),
        (0b11, op) if op >> 3 == 0b0111 => multiply::long(a, b, dsp),
        _ => None,
    };
    found.unwrap_or_else(|| undefined(encoding))
}

/// A5.3.4.
fn branch_or_system(a: u32, b: u32, address: u32, conditional: bool, has: Extensions) -> Option<Op<Code>> {
    match field(b, 12, 3) & 0b101 {
        0b101 => Some(wide_base(v6m::Code::Bl, far(a, b, address))),
        0b001 => Some(wide_base(v6m::Code::B, far(a, b, address))),
        0b000 if field(a, 7, 3) != 7 => {
            if conditional {
                return None;
            }
            let offset = (a >> 10 & 1) << 20
                | (b >> 11 & 1) << 19
                | (b >> 13 & 1) << 18
                | field(a, 0, 6) << 12
                | field(b, 0, 11) << 1;
            let signed = (offset << 11) as i32 >> 11;
            let code = CONDITIONAL.get(field(a, 6, 4) as usize)?;
            Some(wide_base(*code, address.wrapping_add(4).wrapping_add(signed as u32)))
        }
        0b000 => system(a, b, has),
        _ => None,
    }
}

/// The conditional branches by their condition.
const CONDITIONAL: [v6m::Code; 14] = [
    v6m::Code::Beq,
    v6m::Code::Bne,
    v6m::Code::Bcs,
    v6m::Code::Bcc,
    v6m::Code::Bmi,
    v6m::Code::Bpl,
    v6m::Code::Bvs,
    v6m::Code::Bvc,
    v6m::Code::Bhi,
    v6m::Code::Bls,
    v6m::Code::Bge,
    v6m::Code::Blt,
    v6m::Code::Bgt,
    v6m::Code::Ble,
];

/// `SignExtend(S:I1:I2:imm10:imm11:'0')` with `I = NOT(J EOR S)`.
fn far(a: u32, b: u32, address: u32) -> u32 {
    let s = a >> 10 & 1;
    let i1 = !(b >> 13 ^ s) & 1;
    let i2 = !(b >> 11 ^ s) & 1;
    let offset = s << 24 | i1 << 23 | i2 << 22 | field(a, 0, 10) << 12 | field(b, 0, 11) << 1;
    let signed = (offset << 7) as i32 >> 7;
    address.wrapping_add(4).wrapping_add(signed as u32)
}

/// MSR, MRS, hints, barriers.
fn system(a: u32, b: u32, Extensions { dsp, v8 }: Extensions) -> Option<Op<Code>> {
    let number = b & 0xff;
    let exists = System::exists_in_v7m(number) || v8 && System::exists_in_v8m_only(number);
    match field(a, 4, 7) {
        0b0111000 if b & 0x3300 == 0 => {
            let (n, mask) = (register(a, 0), field(b, 10, 2));
            // Only the APSR has parts; the others need the mask 10.
            // GE is one that only the DSP extension has.
            let parts = mask == 2 || number < 4 && dsp && mask != 0;
            if bad(n) || !parts || !exists {
                return None;
            }
            let op = wide_op(Kind::Msr, number);
            Some(Op { n, code: Code { s: mask as u8, ..op.code }, ..op })
        }
        0b0111010 if a & 15 == 15 && b & 0x2f00 == 0 => Some(match number {
            2 => wide_base(v6m::Code::Wfe, 0),
            3 => wide_base(v6m::Code::Wfi, 0),
            4 => wide_base(v6m::Code::Sev, 0),
            _ => wide_op(Kind::Hint, 0),
        }),
        0b0111011 if a & 15 == 15 && b & 0x2f00 == 0x0f00 => match field(b, 4, 4) {
            2 => Some(wide_op(Kind::Clrex, 0)),
            4..=6 => Some(wide_op(Kind::Barrier, 0)),
            _ => None,
        },
        0b0111110 if a & 15 == 15 && b & 0x2000 == 0 => {
            let d = register(b, 8);
            if bad(d) || !exists {
                return None;
            }
            Some(Op { d, n: Reg::R0, ..wide_op(Kind::Mrs, number) })
        }
        _ => None,
    }
}
