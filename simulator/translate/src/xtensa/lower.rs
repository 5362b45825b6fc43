//! Xtensa's operations in the intermediate form.

use pennyweight_memory::bus::Word;
use pennyweight_xtensa::core::Options;
use pennyweight_xtensa::decode::{plain, B4CONST, B4CONSTU};
use pennyweight_xtensa::op::{Code, Op, Reg};

use super::shifts::Shifter;
use crate::ir::{Alignment, Binary, Expr, Memory, Register, Step, Unary, Width};

/// The register of the intermediate form that holds an address register.
#[must_use]
pub fn number(reg: Reg) -> Register {
    (reg.0 & 15) + 1
}

/// Its value.
#[must_use]
pub fn value(reg: Reg) -> Expr {
    Expr::Register(number(reg))
}

fn constant(value: u32) -> Expr {
    Expr::Constant(value)
}

/// The condition of a branch.
#[must_use]
pub fn condition(op: &Op) -> Option<Expr> {
    use Binary::{And, Equal, Less, LessSigned, NotEqual, NotLess, NotLessSigned, ShiftRight};
    let (s, t) = (value(op.s), value(op.t));
    let index = usize::from(op.d.0 & 15);
    let (signed, unsigned) = (constant(B4CONST[index]), constant(B4CONSTU[index]));
    let zero = || constant(0);
    let both = || Expr::binary(And, s.clone(), t.clone());
    // The bits of t that s lacks.
    let lacking = || {
        let missing = Expr::binary(Binary::Xor, s.clone(), constant(u32::MAX));
        Expr::binary(And, missing, t.clone())
    };
    let bit = |number| Expr::binary(And, Expr::binary(ShiftRight, s.clone(), number), constant(1));
    let (operation, left, right) = match op.code {
        Code::Beqz => (Equal, s, zero()),
        Code::Bnez => (NotEqual, s, zero()),
        Code::Bltz => (LessSigned, s, zero()),
        Code::Bgez => (NotLessSigned, s, zero()),
        Code::Beqi => (Equal, s, signed),
        Code::Bnei => (NotEqual, s, signed),
        Code::Blti => (LessSigned, s, signed),
        Code::Bgei => (NotLessSigned, s, signed),
        Code::Bltui => (Less, s, unsigned),
        Code::Bgeui => (NotLess, s, unsigned),
        Code::Beq => (Equal, s, t),
        Code::Bne => (NotEqual, s, t),
        Code::Blt => (LessSigned, s, t),
        Code::Bge => (NotLessSigned, s, t),
        Code::Bltu => (Less, s, t),
        Code::Bgeu => (NotLess, s, t),
        Code::Bany => (NotEqual, both(), zero()),
        Code::Bnone => (Equal, both(), zero()),
        Code::Ball => (Equal, lacking(), zero()),
        Code::Bnall => (NotEqual, lacking(), zero()),
        Code::Bbc => (Equal, bit(t.clone()), zero()),
        Code::Bbs => (NotEqual, bit(t.clone()), zero()),
        Code::Bbci => (Equal, bit(constant(op.d.0.into())), zero()),
        Code::Bbsi => (NotEqual, bit(constant(op.d.0.into())), zero()),
        _ => return None,
    };
    Some(Expr::binary(operation, left, right))
}

/// Adds the effects of `op`, which does not jump, to `steps`; `flash` begins at `base`. False: it is not
/// translated.
#[must_use]
pub fn lower(op: &Op, (flash, base): (&[Word], u32), shifter: &mut Shifter, steps: &mut Vec<Step>) -> bool {
    if shifter.lower(op, steps) {
        return true;
    }
    let step = match op.code {
        Code::Nop => return true,
        Code::AddiSp => Step::SetStack(value(op.s).plus(op.imm)),
        Code::L8ui => load(op, Width::Byte, false),
        Code::L16ui => load(op, Width::Half, false),
        Code::L16si => load(op, Width::Half, true),
        Code::L32i => load(op, Width::Word, false),
        Code::S8i => store(op, Width::Byte),
        Code::S16i => store(op, Width::Half),
        Code::S32i => store(op, Width::Word),
        Code::L32r => match literal(op.imm, flash, base) {
            Some(word) => Step::Set(number(op.d), constant(word)),
            None => load_at(op, constant(op.imm), Width::Word, false),
        },
        Code::L32rSp => match literal(op.imm, flash, base) {
            Some(word) => Step::SetStack(constant(word)),
            None => return false,
        },
        // As frames of functions that are too large for an immediate.
        Code::OtherSp => match plain(op.imm, 0, Options::ALL) {
            again if divides(again.code) => return false,
            again => match result(&again) {
                Some(pointer) => Step::SetStack(pointer),
                None => return false,
            },
        },
        _ => {
            if divides(op.code) {
                // Division by zero is an exception.
                steps.push(Step::Check(value(op.t)));
            }
            let Some(result) = result(op) else { return false };
            Step::Set(number(op.d), result)
        }
    };
    steps.push(step);
    true
}

fn divides(code: Code) -> bool {
    matches!(code, Code::Quou | Code::Quos | Code::Remu | Code::Rems)
}

/// The word at an address in flash, which never changes.
fn literal(address: u32, flash: &[Word], base: u32) -> Option<u32> {
    let offset = address.wrapping_sub(base);
    let word = flash.get((offset >> 2) as usize).filter(|_| offset & 3 == 0)?;
    Some(u32::from_le_bytes(*word))
}

fn load(op: &Op, width: Width, signed: bool) -> Step {
    load_at(op, value(op.s).plus(op.imm), width, signed)
}

fn load_at(op: &Op, address: Expr, width: Width, signed: bool) -> Step {
    let (memory, alignment, to) = (Memory::Any, Alignment::Strict, Some(number(op.d)));
    Step::Load { memory, alignment, to, address, width, signed }
}

fn store(op: &Op, width: Width) -> Step {
    let (alignment, address) = (Alignment::Strict, value(op.s).plus(op.imm));
    Step::Store { alignment, address, value: value(op.t), width }
}

/// The result of an operation on registers.
fn result(op: &Op) -> Option<Expr> {
    use Binary::{
        Add, And, Less, LessSigned, Multiply, MultiplyHigh, MultiplyHighSigned, Or, Quotient, QuotientSigned,
        Remainder, RemainderSigned, ShiftLeft, ShiftRight, ShiftRightSigned, Subtract, Xor,
    };
    let (s, t, d) = (value(op.s), value(op.t), value(op.d));
    let both = |operation, s, t| Expr::binary(operation, s, t);
    let left = |value, amount| both(ShiftLeft, value, constant(amount));
    let masked = |value, mask| both(And, value, constant(mask));
    // The first one if it is less than the second one.
    let least = |operation, one: Expr, other: Expr| {
        Expr::choice(both(operation, one.clone(), other.clone()), one, other)
    };
    let most = |operation, one: Expr, other: Expr| {
        Expr::choice(both(operation, one.clone(), other.clone()), other, one)
    };
    let sign = |value| both(ShiftRightSigned, value, constant(31));
    let low = op.imm & 31;
    Some(match op.code {
        Code::Constant => constant(op.imm),
        Code::Move => s,
        Code::Addi => s.plus(op.imm),
        Code::Add => both(Add, s, t),
        Code::Addx2 => both(Add, left(s, 1), t),
        Code::Addx4 => both(Add, left(s, 2), t),
        Code::Addx8 => both(Add, left(s, 3), t),
        Code::Sub => both(Subtract, s, t),
        Code::Subx2 => both(Subtract, left(s, 1), t),
        Code::Subx4 => both(Subtract, left(s, 2), t),
        Code::Subx8 => both(Subtract, left(s, 3), t),
        Code::And => both(And, s, t),
        Code::Or => both(Or, s, t),
        Code::Xor => both(Xor, s, t),
        Code::Neg => both(Subtract, constant(0), t),
        Code::Abs => both(Subtract, both(Xor, t.clone(), sign(t.clone())), sign(t)),
        Code::Slli => left(s, low),
        Code::Srli => both(ShiftRight, t, constant(low)),
        Code::Srai => both(ShiftRightSigned, t, constant(low)),
        Code::Extui => masked(both(ShiftRight, t, constant(low)), (1 << (op.imm >> 5 & 31)) - 1),
        Code::Nsa => Expr::unary(Unary::LeadingZeros, both(Xor, s.clone(), sign(s))).plus(u32::MAX),
        Code::Nsau => Expr::unary(Unary::LeadingZeros, s),
        Code::Mul16u => both(Multiply, masked(s, 0xffff), masked(t, 0xffff)),
        Code::Mul16s => {
            let [s, t] = [s, t].map(|each| Expr::unary(Unary::SignedHalf, each));
            both(Multiply, s, t)
        }
        Code::Mull => both(Multiply, s, t),
        Code::Muluh => both(MultiplyHigh, s, t),
        Code::Mulsh => both(MultiplyHighSigned, s, t),
        Code::Quou => both(Quotient, s, t),
        Code::Quos => both(QuotientSigned, s, t),
        Code::Remu => both(Remainder, s, t),
        Code::Rems => both(RemainderSigned, s, t),
        Code::Min => least(LessSigned, s, t),
        Code::Minu => least(Less, s, t),
        Code::Max => most(LessSigned, s, t),
        Code::Maxu => most(Less, s, t),
        Code::Sext => both(ShiftRightSigned, left(s, 31 - low), constant(31 - low)),
        Code::Clamps => {
            let limit = 1u32.wrapping_shl(low);
            let above = most(LessSigned, s, constant(limit.wrapping_neg()));
            least(LessSigned, above, constant(limit.wrapping_sub(1)))
        }
        Code::Moveqz => Expr::choice(t, d, s),
        Code::Movnez => Expr::choice(t, s, d),
        Code::Movltz => Expr::choice(sign(t), s, d),
        Code::Movgez => Expr::choice(sign(t), d, s),
        _ => return None,
    })
}
