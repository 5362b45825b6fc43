//! From instructions to ops: which of the loop's codes does exactly what an instruction does.
//!
//! The rule for addresses: memory at an address known when decoding is memory at register 3, which
//! reads as 0, plus that address.

use crate::instruction::{Alu, Condition, Instruction, Kind, Operand, Unary, CG, PC, SP, SR};
use crate::op::{pairs, Code, Op};

/// The op for an instruction at `address`; `None` if only the general way does it right.
pub fn lower(instruction: &Instruction, address: u16) -> Option<Op> {
    let op = match instruction.kind {
        Kind::Two { alu, byte, source, target } => two(alu, byte, source, target, address)?,
        Kind::One { unary, byte, operand } => one(unary, byte, operand, address)?,
        Kind::Jump(condition, target) => jump(condition, target),
        Kind::Reti => op(Code::Reti, 0, 0, 0, 0),
        Kind::Extended(_) | Kind::Undefined(_) => return None,
    };
    Some(Op { words: instruction.words, ..op })
}

fn op(code: Code, a: u8, b: u8, x: u16, y: u16) -> Op {
    Op { code, a, b, words: 1, x, y }
}

/// May the loop read it as it stands? PC and SR are kept elsewhere.
fn is_plain(register: u8) -> bool {
    register != PC && register != SR
}

fn two(alu: Alu, byte: bool, source: Operand, target: Operand, address: u16) -> Option<Op> {
    match (alu, byte, source, target) {
        (Alu::Mov, false, Operand::Increment(SP), Operand::Register(PC)) => {
            return Some(op(Code::Ret, 0, 0, 0, 0));
        }
        (Alu::Mov, false, Operand::Immediate(to), Operand::Register(PC)) => {
            return Some(op(Code::Jump, 0, 0, 0, to >> 1));
        }
        (Alu::Bic, false, Operand::Constant(1), Operand::Register(SR)) => {
            return Some(op(Code::ClearCarry, 0, 0, 0, 0));
        }
        (Alu::Bis, false, Operand::Constant(1), Operand::Register(SR)) => {
            return Some(op(Code::SetCarry, 0, 0, 0, 0));
        }
        (Alu::Bic, false, Operand::Constant(8), Operand::Register(SR)) => {
            return Some(op(Code::ClearInterrupts, 0, 0, 0, 0));
        }
        (Alu::Mov, false, Operand::Constant(_), Operand::Register(CG)) => {
            return Some(op(Code::Nop, 0, 0, 0, 0));
        }
        _ => {}
    }
    let (from, a, x) = match source {
        // PC when the source is read: behind the first word.
        Operand::Register(PC) if byte => (1, 0, address.wrapping_add(2) & 0xff),
        Operand::Register(PC) => (1, 0, address.wrapping_add(2)),
        Operand::Register(n) if is_plain(n) => (0, n, 0),
        Operand::Constant(value) | Operand::Immediate(value) => (1, 0, value),
        Operand::Symbolic(at) | Operand::Absolute(at) => (2, CG, at),
        Operand::Indexed(n, x) => (2, n, x),
        Operand::Indirect(PC) => (2, CG, address.wrapping_add(2)),
        Operand::Indirect(n) => (2, n, 0),
        Operand::Increment(n) => (3, n, if byte && n != SP { 1 } else { 2 }),
        Operand::Register(_) => return None,
    };
    let (to, b, y) = match target {
        Operand::Register(SP) => {
            let code = match alu {
                Alu::Add => Code::AddSp,
                Alu::Sub => Code::SubSp,
                _ => return None,
            };
            return (from == 1 && !byte).then(|| op(code, 0, 0, x, 0));
        }
        Operand::Register(n) if is_plain(n) && n != CG => (0, n, 0),
        Operand::Symbolic(at) | Operand::Absolute(at) => (4, CG, at),
        Operand::Indexed(n, y) => (4, n, y),
        _ => return None,
    };
    let codes = pairs(alu)?;
    let code = codes.get(usize::from(byte) * 8 + to + from)?;
    Some(op(*code, a, b, x, y))
}

fn one(unary: Unary, byte: bool, operand: Operand, address: u16) -> Option<Op> {
    match (unary, operand) {
        (Unary::Push, Operand::Register(SR)) if !byte => Some(op(Code::PushStatus, 0, 0, 0, 0)),
        (Unary::Push, Operand::Register(n)) if is_plain(n) && !byte => Some(op(Code::PushR, n, 0, 0, 0)),
        (Unary::Push, Operand::Constant(value) | Operand::Immediate(value)) if !byte => {
            Some(op(Code::PushI, 0, 0, value, 0))
        }
        (Unary::Call, Operand::Immediate(to)) => {
            Some(op(Code::CallI, 0, 0, address.wrapping_add(4), to >> 1))
        }
        (Unary::Call, Operand::Register(n)) if is_plain(n) => {
            Some(op(Code::CallR, n, 0, address.wrapping_add(2), 0))
        }
        (_, Operand::Register(n)) if n > CG => {
            let code = match (unary, byte) {
                (Unary::Rrc, false) => Code::RrcR,
                (Unary::Rrc, true) => Code::RrcbR,
                (Unary::Rra, false) => Code::RraR,
                (Unary::Rra, true) => Code::RrabR,
                (Unary::Swpb, _) => Code::SwpbR,
                (Unary::Sxt, _) => Code::SxtR,
                (Unary::Push | Unary::Call, _) => return None,
            };
            Some(op(code, 0, n, 0, 0))
        }
        _ => None,
    }
}

fn jump(condition: Condition, target: u16) -> Op {
    let code = match condition {
        Condition::Jne => Code::Jne,
        Condition::Jeq => Code::Jeq,
        Condition::Jnc => Code::Jnc,
        Condition::Jc => Code::Jc,
        Condition::Jn => Code::Jn,
        Condition::Jge => Code::Jge,
        Condition::Jl => Code::Jl,
        Condition::Jmp => Code::Jump,
    };
    op(code, 0, 0, 0, target >> 1)
}
