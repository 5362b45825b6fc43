//! The shift amount, and shifts by it (ISA reference manual, section 4.3.6): amounts of up to 63 bits.
//!
//! Most of them are constants that an instruction in front has set: then the shifts are ordinary ones.

use pennyweight_xtensa::op::{Code, Op};

use super::lower::{number, value};
use crate::ir::{Binary, Expr, Register, Step};

/// The register of the intermediate form that holds the shift amount.
pub const SAR: Register = 17;
/// One for values within an instruction.
pub const FREE: Register = 18;
/// Registers of cores without windows and loops, these included.
pub const REGISTERS: u32 = 19;

/// The shift amount within a block, if it is a constant.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shifter {
    amount: Option<u32>,
}

fn constant(value: u32) -> Expr {
    Expr::Constant(value)
}

fn masked(value: Expr, mask: u32) -> Expr {
    Expr::binary(Binary::And, value, constant(mask))
}

impl Shifter {
    /// The shift amount takes a value of at most six bits.
    fn set(&mut self, value: Expr, steps: &mut Vec<Step>) {
        self.amount = match value {
            Expr::Constant(amount) => Some(amount),
            _ => None,
        };
        steps.push(Step::Set(SAR, value));
    }

    /// Adds the effects of an instruction that reads or writes the shift amount. False: it is another one.
    pub fn lower(&mut self, op: &Op, steps: &mut Vec<Step>) -> bool {
        let (s, t) = (value(op.s), value(op.t));
        let from_32 = |amount| Expr::binary(Binary::Subtract, constant(32), amount);
        let eights = |value| Expr::binary(Binary::ShiftLeft, masked(value, 3), constant(3));
        match op.code {
            Code::Ssr => self.set(masked(s, 31), steps),
            Code::Ssl => self.set(from_32(masked(s, 31)), steps),
            Code::Ssa8l => self.set(eights(s), steps),
            Code::Ssa8b => self.set(from_32(eights(s)), steps),
            Code::Ssai => self.set(constant(op.imm), steps),
            Code::WsrSar => self.set(masked(t, 63), steps),
            Code::RsrSar => steps.push(Step::Set(number(op.d), Expr::Register(SAR))),
            Code::XsrSar => {
                steps.push(Step::Set(FREE, masked(t, 63)));
                steps.push(Step::Set(number(op.d), Expr::Register(SAR)));
                self.set(Expr::Register(FREE), steps);
            }
            Code::Sll | Code::Srl | Code::Sra | Code::Src => {
                let result = match self.amount {
                    Some(amount) => by_constant(op.code, s, t, amount),
                    None => by_register(op.code, s, t),
                };
                steps.push(Step::Set(number(op.d), result));
            }
            _ => return false,
        }
        true
    }
}

fn by_constant(code: Code, s: Expr, t: Expr, amount: u32) -> Expr {
    let by = |operation, value, amount| match amount {
        0 => value,
        1..32 => Expr::binary(operation, value, constant(amount)),
        _ if operation == Binary::ShiftRightSigned => Expr::binary(operation, value, constant(31)),
        _ => constant(0),
    };
    match (code, amount) {
        (Code::Srl, _) => by(Binary::ShiftRight, t, amount),
        (Code::Sra, _) => by(Binary::ShiftRightSigned, t, amount),
        // The upper word of two is shifted into the lower one.
        (_, 32..) => by(Binary::ShiftRight, s, amount - 32),
        (Code::Sll, _) => by(Binary::ShiftLeft, s, 32 - amount),
        (_, 1..) if s == t => by(Binary::RotateRight, t, amount),
        _ => {
            let low = by(Binary::ShiftRight, t, amount);
            Expr::binary(Binary::Or, low, by(Binary::ShiftLeft, s, 32 - amount))
        }
    }
}

/// In the intermediate form, amounts count modulo 32.
fn by_register(code: Code, s: Expr, t: Expr) -> Expr {
    let amount = Expr::Register(SAR);
    let by = |operation, value| Expr::binary(operation, value, amount.clone());
    let is_long = masked(amount.clone(), 32);
    // To the left by what is missing to 32; by nothing, all bits are lost.
    let to_left = |value| {
        let rest = Expr::binary(Binary::Subtract, constant(0), amount.clone());
        let shifted = Expr::binary(Binary::ShiftLeft, value, rest);
        Expr::choice(masked(amount.clone(), 31), shifted, constant(0))
    };
    let (long, short) = match code {
        Code::Srl => (constant(0), by(Binary::ShiftRight, t)),
        Code::Sra => {
            (Expr::binary(Binary::ShiftRightSigned, t.clone(), constant(31)), by(Binary::ShiftRightSigned, t))
        }
        Code::Sll => (by(Binary::ShiftRight, s.clone()), to_left(s)),
        _ => {
            let low = by(Binary::ShiftRight, t);
            (by(Binary::ShiftRight, s.clone()), Expr::binary(Binary::Or, low, to_left(s)))
        }
    };
    Expr::choice(is_long, long, short)
}
