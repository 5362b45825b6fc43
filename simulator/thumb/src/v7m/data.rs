//! Data processing: modified and plain immediates, shifted registers, registers (DDI 0403, A5.3.1,
//! A5.3.3, A5.3.11, A5.3.12).

use super::{bad, field, register as reg, wide_base, wide_op, Code, Kind};
use crate::op::Op;
use crate::registers::Reg;
use crate::v6m::Code as V6;

/// How `m` encodes the carry: unchanged, clear, set.
const CARRY: [Reg; 3] = [Reg::R0, Reg::R1, Reg::R2];

/// A modified immediate and its carry, as `m` encodes it (A5.3.2).
fn expand(imm12: u32) -> Option<(u32, Reg)> {
    let byte = imm12 & 0xff;
    if imm12 >> 10 != 0 {
        let value = (0x80 | imm12 & 0x7f).rotate_right(imm12 >> 7);
        return Some((value, CARRY[1 + (value >> 31) as usize]));
    }
    let value = match imm12 >> 8 {
        0 => byte,
        _ if byte == 0 => return None,
        1 => byte * 0x0001_0001,
        2 => byte * 0x0100_0100,
        _ => byte * 0x0101_0101,
    };
    Some((value, CARRY[0]))
}

/// A5.3.1.
pub fn modified_immediate(a: u32, b: u32) -> Option<Op<Code>> {
    let (value, m) = expand(field(a, 10, 1) << 11 | field(b, 12, 3) << 8 | b & 0xff)?;
    let (n, d, set) = (reg(a, 0), reg(b, 8), a >> 4 & 1 != 0);
    let op = |kind, value| Some(Op { d, n, m, ..wide_op(kind, value) });
    let base = |code, value| op(Kind::Base(code), value);
    let pick = |without, with| if set { with } else { without };
    let ordinary = !bad(d) && !bad(n);
    match (field(a, 5, 4), d, n) {
        (0b0000, Reg::Pc, _) if set && !bad(n) => op(Kind::TstImm, value),
        (0b0000, ..) if ordinary => op(pick(Kind::AndImm, Kind::AndsImm), value),
        (0b0001, ..) if ordinary => op(pick(Kind::AndImm, Kind::AndsImm), !value),
        (0b0010, _, Reg::Pc) if !bad(d) => op(pick(Kind::Base(V6::Constant), Kind::MovsImm), value),
        (0b0010, ..) if ordinary => op(pick(Kind::OrrImm, Kind::OrrsImm), value),
        (0b0011, _, Reg::Pc) if !bad(d) => op(pick(Kind::Base(V6::Constant), Kind::MovsImm), !value),
        (0b0011, ..) if ordinary => op(pick(Kind::OrrImm, Kind::OrrsImm), !value),
        (0b0100, Reg::Pc, _) if set && !bad(n) => op(Kind::TeqImm, value),
        (0b0100, ..) if ordinary => op(pick(Kind::EorImm, Kind::EorsImm), value),
        (0b1000, Reg::Pc, _) if set && n != Reg::Pc => op(Kind::CmnImm, value),
        (0b1000, Reg::Sp, Reg::Sp) => op(pick(Kind::Base(V6::AddSpImm), Kind::AddsSpImm), value),
        (0b1000, ..) if !bad(d) && n != Reg::Pc => {
            op(pick(Kind::Base(V6::AddImm), Kind::Base(V6::AddsImm)), value)
        }
        (0b1010, ..) if ordinary => op(pick(Kind::AdcImm, Kind::AdcsImm), value),
        (0b1011, ..) if ordinary => op(pick(Kind::AdcImm, Kind::AdcsImm), !value),
        (0b1101, Reg::Pc, _) if set && n != Reg::Pc => base(V6::CmpImm, value),
        (0b1101, Reg::Sp, Reg::Sp) if set => op(Kind::SubsSpImm, value),
        (0b1101, Reg::Sp, Reg::Sp) => base(V6::AddSpImm, value.wrapping_neg()),
        (0b1101, ..) if !bad(d) && n != Reg::Pc && set => base(V6::SubsImm, value),
        (0b1101, ..) if !bad(d) && n != Reg::Pc => base(V6::AddImm, value.wrapping_neg()),
        (0b1110, ..) if ordinary => op(pick(Kind::RsbImm, Kind::RsbsImm), value),
        _ => None,
    }
}

/// A5.3.3.
pub fn plain_immediate(a: u32, b: u32, address: u32, dsp: bool) -> Option<Op<Code>> {
    let (n, d) = (reg(a, 0), reg(b, 8));
    let imm12 = field(a, 10, 1) << 11 | field(b, 12, 3) << 8 | b & 0xff;
    let imm16 = (a & 15) << 12 | imm12;
    let pc = address.wrapping_add(4) & !3;
    let (low, msb) = (field(b, 12, 3) << 2 | field(b, 6, 2), field(b, 0, 5));
    let op = |kind, imm| Op { d, n, ..wide_op(kind, imm) };
    let saturate = |kind: Kind, half: Kind, bits| {
        if bad(d) || bad(n) || b & 0x20 != 0 {
            return None;
        }
        if a >> 5 & 1 != 0 && low == 0 {
            return (dsp && b & 0x10 == 0).then(|| op(half, bits));
        }
        let shift = if a >> 5 & 1 != 0 { 2 } else { 0 };
        let op = op(kind, bits | low << 8);
        Some(Op { code: Code { s: shift, ..op.code }, ..op })
    };
    match field(a, 4, 5) {
        0b00000 | 0b01010 => {
            let offset = if field(a, 4, 5) == 0 { imm12 } else { imm12.wrapping_neg() };
            match (d, n) {
                (Reg::Sp, Reg::Sp) => Some(op(Kind::Base(V6::AddSpImm), offset)),
                _ if bad(d) => None,
                (_, Reg::Pc) => Some(op(Kind::Base(V6::Constant), pc.wrapping_add(offset))),
                _ => Some(op(Kind::Base(V6::AddImm), offset)),
            }
        }
        0b00100 if !bad(d) => Some(op(Kind::Base(V6::Constant), imm16)),
        0b01100 if !bad(d) => Some(op(Kind::Movt, imm16 << 16)),
        0b10000 | 0b10010 => saturate(Kind::Ssat, Kind::Ssat16, msb + 1),
        0b11000 | 0b11010 => saturate(Kind::Usat, Kind::Usat16, msb),
        0b10100 | 0b11100 if !bad(d) && !bad(n) && b & 0x20 == 0 && low + msb < 32 => {
            let kind = if field(a, 4, 5) == 0b10100 { Kind::Sbfx } else { Kind::Ubfx };
            Some(op(kind, low | msb << 8))
        }
        0b10110 if !bad(d) && n != Reg::Sp && b & 0x20 == 0 && msb >= low => {
            Some(op(Kind::Bfi, low | (msb - low) << 8))
        }
        _ => None,
    }
}

/// The shift of a register operand: type (4: RRX) and amount (A7.4.2).
fn shift(b: u32) -> (u8, u32) {
    let amount = field(b, 12, 3) << 2 | field(b, 6, 2);
    match (field(b, 4, 2), amount) {
        (0, _) => (0, amount),
        (3, 0) => (4, 1),
        (3, _) => (3, amount),
        (kind, 0) => (kind as u8, 32),
        (kind, _) => (kind as u8, amount),
    }
}

/// A5.3.11.
pub fn shifted_register(a: u32, b: u32, dsp: bool) -> Option<Op<Code>> {
    let (n, d, m, set) = (reg(a, 0), reg(b, 8), reg(b, 0), a >> 4 & 1 != 0);
    let (kind, amount) = shift(b);
    if b & 0x8000 != 0 {
        return None;
    }
    let plain = kind == 0 && amount == 0;
    let op = |code: Kind| {
        let op = Op { d, n, m, ..wide_op(code, amount) };
        Some(Op { code: Code { s: kind, ..op.code }, ..op })
    };
    let pick = |without, with| op(if set { with } else { without });
    // Without a shift, without flags; with a shift; with flags.
    let three = |bare, without, with| if plain && !set { op(bare) } else { pick(without, with) };
    let ordinary = !bad(d) && !bad(n) && !bad(m);
    // ADD and SUB take SP as first operand.
    let sum = !bad(d) && n != Reg::Pc && !bad(m);
    // SP = SP + m LSL 0 to 3.
    let stack = d == Reg::Sp && n == Reg::Sp && !bad(m) && kind == 0 && amount < 4;
    match (field(a, 5, 4), d, n) {
        (0b0000, Reg::Pc, _) if set && !bad(n) && !bad(m) => op(Kind::TstSh),
        (0b0000, ..) if ordinary => three(Kind::And3, Kind::AndSh, Kind::AndsSh),
        (0b0001, ..) if ordinary => three(Kind::Bic3, Kind::BicSh, Kind::BicsSh),
        (0b0010, _, Reg::Pc) => moved(d, m, kind, amount, set),
        (0b0010, ..) if ordinary => three(Kind::Orr3, Kind::OrrSh, Kind::OrrsSh),
        (0b0011, _, Reg::Pc) if !bad(d) && !bad(m) => three(Kind::Base(V6::Mvn), Kind::MvnSh, Kind::MvnsSh),
        (0b0011, ..) if ordinary => three(Kind::Orn3, Kind::OrnSh, Kind::OrnsSh),
        (0b0100, Reg::Pc, _) if set && !bad(n) && !bad(m) => op(Kind::TeqSh),
        (0b0100, ..) if ordinary && kind == 3 && !set => op(Kind::EorRor),
        (0b0100, ..) if ordinary => three(Kind::Eor3, Kind::EorSh, Kind::EorsSh),
        (0b0110, ..) if dsp && ordinary && !set && b & 0x10 == 0 => {
            let op = Op { d, n, m, ..wide_op(Kind::Pkh, amount) };
            Some(Op { code: Code { s: u8::from(b & 0x20 != 0), ..op.code }, ..op })
        }
        (0b1000, Reg::Pc, _) if set && n != Reg::Pc && !bad(m) => op(Kind::CmnSh),
        (0b1000, ..) if stack => pick(Kind::AddSpSh, Kind::AddsSpSh),
        (0b1000, ..) if sum && plain => pick(Kind::Base(V6::AddReg), Kind::Base(V6::AddsReg)),
        (0b1000, ..) if sum && kind == 3 && !set => op(Kind::AddRor),
        (0b1000, ..) if sum => pick(Kind::AddSh, Kind::AddsSh),
        (0b1010, ..) if ordinary => three(Kind::Adc3, Kind::AdcSh, Kind::AdcsSh),
        (0b1011, ..) if ordinary => three(Kind::Sbc3, Kind::SbcSh, Kind::SbcsSh),
        (0b1101, Reg::Pc, _) if set && n != Reg::Pc && !bad(m) => op(Kind::CmpSh),
        (0b1101, ..) if stack => pick(Kind::SubSpSh, Kind::SubsSpSh),
        (0b1101, ..) if sum && plain => pick(Kind::Base(V6::SubReg), Kind::Base(V6::SubsReg)),
        (0b1101, ..) if sum => pick(Kind::SubSh, Kind::SubsSh),
        (0b1110, ..) if ordinary => pick(Kind::RsbSh, Kind::RsbsSh),
        _ => None,
    }
}

/// MOV and the shifts by an immediate.
fn moved(d: Reg, m: Reg, kind: u8, amount: u32, set: bool) -> Option<Op<Code>> {
    let op = |without, with| Some(Op { d, n: m, m, ..wide_op(if set { with } else { without }, amount) });
    let base = |without, with| op(Kind::Base(without), Kind::Base(with));
    if kind == 0 && amount == 0 && !set && m != Reg::Pc {
        // SP may be moved, but not to itself.
        return match (d, m) {
            (Reg::Pc, _) | (Reg::Sp, Reg::Sp) => None,
            (Reg::Sp, _) => op(Kind::Base(V6::MovSp), Kind::Base(V6::MovSp)),
            _ => base(V6::Mov, V6::Mov),
        };
    }
    if bad(d) || bad(m) {
        return None;
    }
    match kind {
        0 if amount == 0 => base(V6::MovsReg, V6::MovsReg),
        0 => base(V6::LslImm, V6::LslsImm),
        1 => base(V6::LsrImm, V6::LsrsImm),
        2 if set => base(V6::AsrsImm, V6::AsrsImm),
        2 => Some(Op { d, n: m, m, ..wide_base(V6::AsrImm, amount.min(31)) }),
        3 => op(Kind::RorImm, Kind::RorsImm),
        _ => op(Kind::Rrx, Kind::Rrxs),
    }
}

/// A5.3.12 to A5.3.15.
pub fn register(a: u32, b: u32, dsp: bool) -> Option<Op<Code>> {
    let (n, d, m) = (reg(a, 0), reg(b, 8), reg(b, 0));
    let (op1, op2) = (field(a, 4, 4), field(b, 4, 4));
    if b >> 12 != 15 || bad(d) || bad(m) || n == Reg::Sp {
        return None;
    }
    let op = |kind, imm| Some(Op { d, n, m, ..wide_op(kind, imm) });
    let with = |kind, s| op(kind, 0).map(|op| Op { code: Code { s, ..op.code }, ..op });
    // Where n is PC there is nothing to add.
    let accumulates = n != Reg::Pc;
    match (op1, op2) {
        // LSL, LSR, ASR, ROR of n by m: here m is what is shifted and n is the distance.
        (0..=7, 0) if accumulates => {
            let kinds = [
                Kind::Lsl3,
                Kind::Lsls3,
                Kind::Lsr3,
                Kind::Lsrs3,
                Kind::Asr3,
                Kind::Asrs3,
                Kind::Ror3,
                Kind::Rors3,
            ];
            Some(Op { d, n: m, m: n, ..wide_op(kinds[op1 as usize], 0) })
        }
        (0..=5, 8..=15) if b & 0x40 == 0 => {
            let halves = matches!(op1, 2 | 3);
            if (accumulates || halves) && !dsp {
                return None;
            }
            let kinds = [
                Kind::ExtendSh,
                Kind::ExtendUh,
                Kind::ExtendSb16,
                Kind::ExtendUb16,
                Kind::ExtendSb,
                Kind::ExtendUb,
            ];
            op(kinds[op1 as usize], 8 * field(b, 4, 2))
        }
        (8 | 9 | 10 | 12 | 13 | 14, 0..=2 | 4..=6) if dsp && accumulates => {
            with(Kind::Parallel, ((op1 & 7) << 3 | op2) as u8)
        }
        (8, 8..=11) if dsp && accumulates => {
            // QADD, QDADD, QSUB, QDSUB by encoding.
            with(Kind::Saturating, [0, 2, 1, 3][op2 as usize - 8])
        }
        // The register stands twice, and must be the same.
        (9 | 11, 8..=11) if n != m => None,
        (9, 8) => op(Kind::Base(V6::Rev), 0),
        (9, 9) => op(Kind::Base(V6::Rev16), 0),
        (9, 10) => op(Kind::Rbit, 0),
        (9, 11) => op(Kind::Base(V6::Revsh), 0),
        (10, 8) if dsp && accumulates => op(Kind::Sel, 0),
        (11, 8) => op(Kind::Clz, 0),
        _ => None,
    }
}
