//! Decoding.
//!
//! References: The RISC-V Instruction Set Manual, Volume I (20240411): chapters "RV32I", "M",
//! "A" (Zaamo, Zalrsc), "Zicsr", "Zifencei", "C", "B" (Zba, Zbb, Zbs), "Scalar cryptography" (Zbkb), and
//! "RV32/64G instruction set listings". Those of XW are in [`xw`], those of Zcb and Zcmp in [`zc`].
//!
//! A compressed instruction is expanded to the instruction that the manual names as its meaning
//! and then decoded like any other: so there is one list of operations.

mod bits;
mod compressed;
pub mod xw;
pub mod zc;

use crate::extensions::Extensions;
use crate::op::{Code, Op};
use crate::registers::Reg;

pub use compressed::expand;

/// Is this the first halfword of a 32-bit instruction? Longer ones are undefined here.
#[must_use]
pub fn is_wide(first: u16) -> bool {
    first & 3 == 3
}

/// Decodes the instruction whose first halfword is `first`, at `address`; `second` counts only if
/// the instruction is wide. Whatever is undefined decodes to an operation that faults.
#[must_use]
pub fn decode(first: u16, second: u16, address: u32, extensions: Extensions) -> Op {
    if is_wide(first) {
        wide(u32::from(first) | u32::from(second) << 16, address, extensions)
    } else {
        let short = expand(first)
            .or_else(|| xw::expand(first).filter(|_| extensions.xw))
            .or_else(|| zc::expand(first).filter(|_| extensions.zcb));
        let undefined = Op::new(Code::Undefined, first.into());
        if !extensions.c {
            return undefined;
        }
        match short {
            Some(word) => wide(word, address, extensions),
            None => zc::several(first).filter(|op| extensions.allow(op)).unwrap_or(undefined),
        }
    }
}

/// Decodes a 32-bit instruction, and turns what writes the stack pointer into operations that the
/// stack watch sees.
#[must_use]
pub fn wide(word: u32, address: u32, extensions: Extensions) -> Op {
    let op = plain(word, address, extensions);
    if op.d != Reg::SP {
        return op;
    }
    match op.code {
        Code::Addi => Op { code: Code::AddiSp, ..op },
        Code::Move => Op { code: Code::AddiSp, imm: 0, ..op },
        Code::Add => Op { code: Code::AddSp, ..op },
        // Linking in sp is possible and senseless; a jump cannot be wrapped.
        _ if op.is_jump() => Op::new(Code::Undefined, word),
        Code::Csr => Op::new(Code::Undefined, word),
        Code::Constant => Op { code: Code::AddiSp, n: Reg::X0, ..op },
        _ => Op { code: Code::OtherSp, imm: word, ..op },
    }
}

/// Decodes a 32-bit instruction without regard to the stack pointer.
#[must_use]
pub fn plain(word: u32, address: u32, extensions: Extensions) -> Op {
    let op = of_any_part(word, address, extensions);
    if extensions.allow(&op) {
        op
    } else {
        Op::new(Code::Undefined, word)
    }
}

/// As `plain`, on a part with M, A, Zicsr, Zifencei and all registers.
fn of_any_part(word: u32, address: u32, extensions: Extensions) -> Op {
    let undefined = Op::new(Code::Undefined, word);
    let op = |code, imm| Op {
        code,
        d: Reg::destination(word >> 7),
        n: Reg::source(word >> 15),
        m: Reg::source(word >> 20),
        imm,
    };
    // Without a destination: stores and branches.
    let effect = |code, imm| Op { d: Reg::Sink, ..op(code, imm) };
    match word & 0x7f {
        0b011_0111 => Op { n: Reg::X0, m: Reg::X0, ..op(Code::Constant, word & 0xffff_f000) },
        0b001_0111 => {
            Op { n: Reg::X0, m: Reg::X0, ..op(Code::Constant, address.wrapping_add(word & 0xffff_f000)) }
        }
        0b110_1111 => {
            let target = address.wrapping_add(immediate_j(word));
            let base = Op { n: Reg::X0, m: Reg::X0, ..op(Code::Jump, target) };
            if base.d.is_link() {
                Op { code: Code::Call, ..base }
            } else {
                base
            }
        }
        0b110_0111 if funct3(word) == 0 => {
            let base = Op { m: Reg::X0, ..op(Code::JumpReg, immediate_i(word)) };
            let code = match (base.d.is_link(), base.n.is_link()) {
                (true, _) => Code::CallReg,
                (false, true) => Code::Return,
                (false, false) => Code::JumpReg,
            };
            Op { code, ..base }
        }
        0b110_0011 => {
            let target = address.wrapping_add(immediate_b(word));
            match funct3(word) {
                0 => effect(Code::Beq, target),
                1 => effect(Code::Bne, target),
                4 => effect(Code::Blt, target),
                5 => effect(Code::Bge, target),
                6 => effect(Code::Bltu, target),
                7 => effect(Code::Bgeu, target),
                _ => undefined,
            }
        }
        0b000_0011 => {
            let load = |code| Op { m: Reg::X0, ..op(code, immediate_i(word)) };
            match funct3(word) {
                0 => load(Code::Lb),
                1 => load(Code::Lh),
                2 => load(Code::Lw),
                4 => load(Code::Lbu),
                5 => load(Code::Lhu),
                _ => undefined,
            }
        }
        0b010_0011 => match funct3(word) {
            0 => effect(Code::Sb, immediate_s(word)),
            1 => effect(Code::Sh, immediate_s(word)),
            2 => effect(Code::Sw, immediate_s(word)),
            _ => undefined,
        },
        0b001_0011 => immediate(word, extensions).map_or(undefined, pure),
        0b011_0011 => register(word, extensions).map_or(undefined, pure),
        0b010_1111 if funct3(word) == 2 => atomic(word).unwrap_or(undefined),
        0b000_1111 => match funct3(word) {
            0 => Op::new(Code::Nop, 0),
            1 => Op::new(Code::FenceI, 0),
            _ => undefined,
        },
        0b111_0011 => system(word),
        _ => undefined,
    }
}

/// An instruction that only computes: without a destination it is a hint, and does nothing.
fn pure(op: Op) -> Op {
    match op.code {
        Code::Undefined => op,
        // The cycles of a division depend on its operands even if its result is not used.
        Code::Div | Code::Divu | Code::Rem | Code::Remu => op,
        Code::Mul | Code::Mulh | Code::Mulhsu | Code::Mulhu => op,
        // Some cores wait for its operands all the same.
        _ if op.d == Reg::Sink => Op { code: Code::Nop, imm: 0, ..op },
        Code::Addi if op.imm == 0 => Op { code: Code::Move, ..op },
        Code::Addi if op.n == Reg::X0 => Op { code: Code::Constant, ..op },
        Code::Add if op.n == Reg::X0 => Op { code: Code::Move, n: op.m, m: Reg::X0, ..op },
        _ => op,
    }
}

fn funct3(word: u32) -> u32 {
    word >> 12 & 7
}

/// Operations with an immediate, opcode OP-IMM.
fn immediate(word: u32, extensions: Extensions) -> Option<Op> {
    let op = |code, imm| {
        Some(Op { code, d: Reg::destination(word >> 7), n: Reg::source(word >> 15), m: Reg::X0, imm })
    };
    let amount = word >> 20 & 31;
    match funct3(word) {
        0 => op(Code::Addi, immediate_i(word)),
        2 => op(Code::Slti, immediate_i(word)),
        3 => op(Code::Sltiu, immediate_i(word)),
        4 => op(Code::Xori, immediate_i(word)),
        6 => op(Code::Ori, immediate_i(word)),
        7 => op(Code::Andi, immediate_i(word)),
        1 if word >> 25 == 0 => op(Code::Slli, amount),
        5 if word >> 25 == 0 => op(Code::Srli, amount),
        5 if word >> 25 == 0b010_0000 => op(Code::Srai, amount),
        _ => bits::immediate(word, extensions).and_then(|code| op(code, amount)),
    }
}

/// Operations on registers, opcode OP.
fn register(word: u32, extensions: Extensions) -> Option<Op> {
    let code = match (word >> 25, funct3(word)) {
        (0, 0) => Code::Add,
        (0, 1) => Code::Sll,
        (0, 2) => Code::Slt,
        (0, 3) => Code::Sltu,
        (0, 4) => Code::Xor,
        (0, 5) => Code::Srl,
        (0, 6) => Code::Or,
        (0, 7) => Code::And,
        (0b010_0000, 0) => Code::Sub,
        (0b010_0000, 5) => Code::Sra,
        (1, 0) => Code::Mul,
        (1, 1) => Code::Mulh,
        (1, 2) => Code::Mulhsu,
        (1, 3) => Code::Mulhu,
        (1, 4) => Code::Div,
        (1, 5) => Code::Divu,
        (1, 6) => Code::Rem,
        (1, 7) => Code::Remu,
        _ => bits::register(word, extensions)?,
    };
    Some(Op {
        code,
        d: Reg::destination(word >> 7),
        n: Reg::source(word >> 15),
        m: Reg::source(word >> 20),
        imm: 0,
    })
}

/// Opcode AMO, width of a word. Ordering bits mean nothing to one core.
fn atomic(word: u32) -> Option<Op> {
    let code = match word >> 27 {
        0b00010 if word >> 20 & 31 == 0 => Code::LoadReserved,
        0b00011 => Code::StoreConditional,
        0b00001 => Code::AmoSwap,
        0b00000 => Code::AmoAdd,
        0b00100 => Code::AmoXor,
        0b01100 => Code::AmoAnd,
        0b01000 => Code::AmoOr,
        0b10000 => Code::AmoMin,
        0b10100 => Code::AmoMax,
        0b11000 => Code::AmoMinu,
        0b11100 => Code::AmoMaxu,
        _ => return None,
    };
    Some(Op {
        code,
        d: Reg::destination(word >> 7),
        n: Reg::source(word >> 15),
        m: Reg::source(word >> 20),
        imm: 0,
    })
}

fn system(word: u32) -> Op {
    match (funct3(word), word) {
        // ECALL, EBREAK, MRET (Volume II, "Trap-return instructions")
        (0, 0x0000_0073 | 0x0010_0073 | 0x3020_0073) => Op::new(Code::Trap, word),
        (0, 0x1050_0073) => Op::new(Code::Wfi, word),
        (1..=3, _) => Op {
            code: Code::Csr,
            d: Reg::destination(word >> 7),
            n: Reg::source(word >> 15),
            m: Reg::X0,
            imm: word,
        },
        // The immediate replaces the register.
        (5..=7, _) => {
            Op { code: Code::Csr, d: Reg::destination(word >> 7), n: Reg::X0, m: Reg::X0, imm: word }
        }
        _ => Op::new(Code::Undefined, word),
    }
}

fn immediate_i(word: u32) -> u32 {
    (word as i32 >> 20) as u32
}

fn immediate_s(word: u32) -> u32 {
    (word as i32 >> 20) as u32 & !31 | word >> 7 & 31
}

fn immediate_b(word: u32) -> u32 {
    (word as i32 >> 19) as u32 & !0xfff | word << 4 & 0x800 | word >> 20 & 0x7e0 | word >> 7 & 0x1e
}

fn immediate_j(word: u32) -> u32 {
    (word as i32 >> 11) as u32 & !0xf_ffff | word & 0xf_f000 | word >> 9 & 0x800 | word >> 20 & 0x7fe
}
