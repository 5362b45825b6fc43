//! 16-bit encodings (DDI 0419, A5.2).

use super::{undefined, Code};
use crate::op::Op;
use crate::registers::Reg;

/// Decodes the 16-bit instruction `word` at `address`.
pub fn decode(word: u16, address: u32) -> Op<Code> {
    let w = u32::from(word);
    match w >> 12 {
        0b0000 | 0b0001 => shift_add_subtract(w),
        0b0010 | 0b0011 => immediate(w),
        0b0100 if w >> 10 == 0b010000 => data_processing(w),
        0b0100 if w >> 10 == 0b010001 => special(w, address),
        0b0100 => {
            let target = (address.wrapping_add(4) & !3).wrapping_add(field(w, 0, 8) * 4);
            Op { d: low(w, 8), ..Op::new(Code::LdrLiteral, target) }
        }
        0b0101 => load_store_register(w),
        0b0110..=0b1001 => load_store_immediate(w),
        0b1010 if w >> 11 & 1 == 0 => {
            let value = (address.wrapping_add(4) & !3).wrapping_add(field(w, 0, 8) * 4);
            Op { d: low(w, 8), ..Op::new(Code::Constant, value) }
        }
        0b1010 => Op { d: low(w, 8), n: Reg::Sp, ..Op::new(Code::AddFromSp, field(w, 0, 8) * 4) },
        0b1011 => miscellaneous(w),
        0b1100 => load_store_multiple(w),
        0b1101 => conditional_branch(w, address),
        // 0b1111 is wide and never comes here; 0b11101 neither.
        _ => Op::new(Code::B, relative(address, field(w, 0, 11), 11)),
    }
}

fn field(word: u32, low_bit: u32, bits: u32) -> u32 {
    word >> low_bit & ((1 << bits) - 1)
}

/// The register in three bits.
fn low(word: u32, low_bit: u32) -> Reg {
    Reg::from_bits(word >> low_bit & 7)
}

/// A branch target: `offset` counts halfwords and has `bits` bits with sign.
fn relative(address: u32, offset: u32, bits: u32) -> u32 {
    let signed = (offset << (32 - bits)) as i32 >> (32 - bits);
    address.wrapping_add(4).wrapping_add((signed as u32) << 1)
}

fn shift_add_subtract(w: u32) -> Op<Code> {
    let (d, m, amount) = (low(w, 0), low(w, 3), field(w, 6, 5));
    let op = |code, imm| Op { d, n: m, m, ..Op::new(code, imm) };
    match w >> 11 {
        0b00000 if amount == 0 => op(Code::MovsReg, 0),
        0b00000 => op(Code::LslsImm, amount),
        0b00001 => op(Code::LsrsImm, if amount == 0 { 32 } else { amount }),
        0b00010 => op(Code::AsrsImm, if amount == 0 { 32 } else { amount }),
        _ => {
            let (n, third) = (low(w, 3), field(w, 6, 3));
            let m = Reg::from_bits(third);
            match w >> 9 & 3 {
                0b00 => Op { d, n, m, ..Op::new(Code::AddsReg, 0) },
                0b01 => Op { d, n, m, ..Op::new(Code::SubsReg, 0) },
                0b10 => Op { d, n, ..Op::new(Code::AddsImm, third) },
                _ => Op { d, n, ..Op::new(Code::SubsImm, third) },
            }
        }
    }
}

fn immediate(w: u32) -> Op<Code> {
    let code = match w >> 11 & 3 {
        0b00 => Code::MovsImm,
        0b01 => Code::CmpImm,
        0b10 => Code::AddsImm,
        _ => Code::SubsImm,
    };
    Op { d: low(w, 8), n: low(w, 8), ..Op::new(code, field(w, 0, 8)) }
}

fn data_processing(w: u32) -> Op<Code> {
    let code = match field(w, 6, 4) {
        0b0000 => Code::Ands,
        0b0001 => Code::Eors,
        0b0010 => Code::LslsReg,
        0b0011 => Code::LsrsReg,
        0b0100 => Code::AsrsReg,
        0b0101 => Code::Adcs,
        0b0110 => Code::Sbcs,
        0b0111 => Code::Rors,
        0b1000 => Code::Tst,
        0b1001 => Code::Rsbs,
        0b1010 => Code::CmpReg,
        0b1011 => Code::Cmn,
        0b1100 => Code::Orrs,
        0b1101 => Code::Muls,
        0b1110 => Code::Bics,
        _ => Code::Mvns,
    };
    let (d, m) = (low(w, 0), low(w, 3));
    // RSBS and MULS have their other operand, Rn, in the field of Rm.
    let n = if matches!(code, Code::Rsbs | Code::Muls) { m } else { d };
    Op { d, n, m, ..Op::new(code, 0) }
}

/// Special data instructions and branch and exchange (A5.2.3).
fn special(w: u32, address: u32) -> Op<Code> {
    let pc = address.wrapping_add(4);
    let m = Reg::from_bits(w >> 3);
    let d = Reg::from_bits(w & 7 | w >> 4 & 8);
    let op = |code, imm| Op { d, n: d, m, ..Op::new(code, imm) };
    match (field(w, 8, 2), d, m) {
        (0b00, Reg::Pc, Reg::Pc) | (0b01, Reg::Pc, _) | (0b01, _, Reg::Pc) => undefined(w),
        (0b00, Reg::Pc, _) => op(Code::AddPc, pc),
        (0b00, Reg::Sp, Reg::Pc) => op(Code::AddSpImm, pc),
        (0b00, Reg::Sp, _) => op(Code::AddSpReg, 0),
        (0b00, _, Reg::Pc) => op(Code::AddConstant, pc),
        (0b00, ..) => op(Code::Add, 0),
        // Two low registers have the other encoding of CMP.
        (0b01, ..) if w & 0xc0 == 0 => undefined(w),
        (0b01, ..) => op(Code::CmpReg, 0),
        (0b10, Reg::Pc, Reg::Pc) => undefined(w),
        (0b10, Reg::Pc, _) => op(Code::MovPc, 0),
        // SP = PC: the stack would lie in the code.
        (0b10, Reg::Sp, Reg::Pc) => undefined(w),
        (0b10, Reg::Sp, _) => op(Code::MovSp, 0),
        (0b10, _, Reg::Pc) => op(Code::Constant, pc),
        (0b10, ..) => op(Code::Mov, 0),
        _ if w & 7 != 0 || m == Reg::Pc => undefined(w),
        _ if w & 0x80 == 0 => op(Code::Bx, 0),
        _ => op(Code::Blx, 0),
    }
}

fn load_store_register(w: u32) -> Op<Code> {
    let code = match w >> 9 & 7 {
        0b000 => Code::StrReg,
        0b001 => Code::StrhReg,
        0b010 => Code::StrbReg,
        0b011 => Code::LdrsbReg,
        0b100 => Code::LdrReg,
        0b101 => Code::LdrhReg,
        0b110 => Code::LdrbReg,
        _ => Code::LdrshReg,
    };
    Op { code, d: low(w, 0), n: low(w, 3), m: low(w, 6), imm: 0 }
}

fn load_store_immediate(w: u32) -> Op<Code> {
    let (d, n, offset) = (low(w, 0), low(w, 3), field(w, 6, 5));
    match w >> 11 {
        0b01100 => Op { d, n, ..Op::new(Code::StrImm, offset * 4) },
        0b01101 => Op { d, n, ..Op::new(Code::LdrImm, offset * 4) },
        0b01110 => Op { d, n, ..Op::new(Code::StrbImm, offset) },
        0b01111 => Op { d, n, ..Op::new(Code::LdrbImm, offset) },
        0b10000 => Op { d, n, ..Op::new(Code::StrhImm, offset * 2) },
        0b10001 => Op { d, n, ..Op::new(Code::LdrhImm, offset * 2) },
        0b10010 => Op { d: low(w, 8), n: Reg::Sp, ..Op::new(Code::StrImm, field(w, 0, 8) * 4) },
        _ => Op { d: low(w, 8), n: Reg::Sp, ..Op::new(Code::LdrImm, field(w, 0, 8) * 4) },
    }
}

/// A5.2.5.
fn miscellaneous(w: u32) -> Op<Code> {
    let (d, m) = (low(w, 0), low(w, 3));
    let two = |code| Op { d, n: m, m, ..Op::new(code, 0) };
    let stack = field(w, 0, 7) * 4;
    match field(w, 5, 7) {
        0b0000000..=0b0000011 => Op { d: Reg::Sp, n: Reg::Sp, ..Op::new(Code::AddSpImm, stack) },
        0b0000100..=0b0000111 => {
            Op { d: Reg::Sp, n: Reg::Sp, ..Op::new(Code::AddSpImm, stack.wrapping_neg()) }
        }
        0b0010000 | 0b0010001 => two(Code::Sxth),
        0b0010010 | 0b0010011 => two(Code::Sxtb),
        0b0010100 | 0b0010101 => two(Code::Uxth),
        0b0010110 | 0b0010111 => two(Code::Uxtb),
        0b0100000..=0b0101111 => list(w, Code::Push, field(w, 0, 8) | (w & 0x100) << 6),
        // CPS: only the i bit exists.
        0b0110011 if w & 0xf == 0b0010 => Op::new(Code::Cps, field(w, 4, 1)),
        0b1010000 | 0b1010001 => two(Code::Rev),
        0b1010010 | 0b1010011 => two(Code::Rev16),
        0b1010110 | 0b1010111 => two(Code::Revsh),
        0b1100000..=0b1100111 => list(w, Code::Pop, field(w, 0, 8)),
        0b1101000..=0b1101111 => list(w, Code::PopPc, field(w, 0, 8) | 0x8000),
        0b1110000..=0b1110111 => Op::new(Code::Trap, w),
        0b1111000..=0b1111111 if w & 0xf == 0 => hint(w),
        _ => undefined(w),
    }
}

fn hint(w: u32) -> Op<Code> {
    Op::new(
        match field(w, 4, 4) {
            2 => Code::Wfe,
            3 => Code::Wfi,
            4 => Code::Sev,
            _ => Code::Nop,
        },
        0,
    )
}

/// PUSH and POP: an empty list is unpredictable.
fn list(w: u32, code: Code, registers: u32) -> Op<Code> {
    if registers == 0 {
        undefined(w)
    } else {
        Op { n: Reg::Sp, ..Op::new(code, registers) }
    }
}

fn load_store_multiple(w: u32) -> Op<Code> {
    let code = if w >> 11 & 1 == 0 { Code::Stm } else { Code::Ldm };
    match field(w, 0, 8) {
        0 => undefined(w),
        registers => Op { n: low(w, 8), ..Op::new(code, registers) },
    }
}

/// A5.2.6.
fn conditional_branch(w: u32, address: u32) -> Op<Code> {
    let code = match field(w, 8, 4) {
        0b0000 => Code::Beq,
        0b0001 => Code::Bne,
        0b0010 => Code::Bcs,
        0b0011 => Code::Bcc,
        0b0100 => Code::Bmi,
        0b0101 => Code::Bpl,
        0b0110 => Code::Bvs,
        0b0111 => Code::Bvc,
        0b1000 => Code::Bhi,
        0b1001 => Code::Bls,
        0b1010 => Code::Bge,
        0b1011 => Code::Blt,
        0b1100 => Code::Bgt,
        0b1101 => Code::Ble,
        0b1110 => return undefined(w),
        _ => return Op::new(Code::Trap, w),
    };
    Op::new(code, relative(address, field(w, 0, 8), 8))
}
