//! MIPS operations in the intermediate form.

use pennyweight_mips::op::{Code, Op, Reg};

use crate::ir::{Addend, Alignment, Binary, Expr, Memory, Register, Step, Unary, Width};

/// The register of the intermediate form that holds HI.
pub const HIGH: Register = 32;
/// LO.
pub const LOW: Register = 33;
/// Where a jump goes whose delay slot comes.
pub const TARGET: Register = 34;
/// For values within an instruction.
const FREE: [Register; 2] = [35, 36];
/// Registers, these included.
pub const REGISTERS: u32 = 37;

/// A register's value.
#[must_use]
pub fn value(reg: Reg) -> Expr {
    if reg == Reg::ZERO {
        Expr::Constant(0)
    } else {
        Expr::Register(reg.0)
    }
}

fn constant(value: u32) -> Expr {
    Expr::Constant(value)
}

fn both(operation: Binary, left: Expr, right: Expr) -> Expr {
    Expr::binary(operation, left, right)
}

/// The condition of a branch.
#[must_use]
pub fn condition(op: &Op) -> Option<Expr> {
    use Binary::{Equal, HigherSigned, LessSigned, NotEqual, NotHigherSigned, NotLessSigned};
    let (s, t, zero) = (value(op.s), value(op.t), constant(0));
    let (operation, other) = match op.code {
        Code::Beq | Code::Beql => (Equal, t),
        Code::Bne | Code::Bnel => (NotEqual, t),
        Code::Blez | Code::Blezl => (NotHigherSigned, zero),
        Code::Bgtz | Code::Bgtzl => (HigherSigned, zero),
        Code::Bltz | Code::Bltzl | Code::Bltzal | Code::Bltzall => (LessSigned, zero),
        Code::Bgez | Code::Bgezl | Code::Bgezal | Code::Bgezall => (NotLessSigned, zero),
        _ => return None,
    };
    Some(both(operation, s, other))
}

/// Does a branch skip its delay slot if it is not taken?
#[must_use]
pub fn is_likely(code: Code) -> bool {
    matches!(
        code,
        Code::Beql
            | Code::Bnel
            | Code::Blezl
            | Code::Bgtzl
            | Code::Bltzl
            | Code::Bgezl
            | Code::Bltzall
            | Code::Bgezall
    )
}

/// Adds the effects of `op`, which does not jump. `reads_lines`: reading a line of flash again takes no time.
/// False: it is not translated.
#[must_use]
pub fn lower(op: &Op, reads_lines: bool, steps: &mut Vec<Step>) -> bool {
    let (s, t, imm) = (value(op.s), value(op.t), op.imm);
    let address = s.clone().plus(imm);
    let signed = matches!(op.code, Code::Mult | Code::Madd | Code::Msub);
    let product = |to, addend| Step::Product { to, factors: [value(op.s), value(op.t)], signed, addend };
    match op.code {
        Code::Nop => {}
        Code::Lb => load(op, address, Width::Byte, true, steps),
        Code::Lbu => load(op, address, Width::Byte, false, steps),
        Code::Lh => load(op, address, Width::Half, true, steps),
        Code::Lhu => load(op, address, Width::Half, false, steps),
        Code::Lw => load(op, address, Width::Word, false, steps),
        Code::Sb => steps.push(store(address, t, Width::Byte)),
        Code::Sh => steps.push(store(address, t, Width::Half)),
        Code::Sw => steps.push(store(address, t, Width::Word)),
        Code::Lwl | Code::Lwr if reads_lines && op.d != Reg::SP => load_part(op, address, steps),
        Code::Swl | Code::Swr => store_part(op, address, steps),
        Code::Mult | Code::Multu => steps.push(product([LOW, HIGH], Addend::None)),
        Code::Madd | Code::Maddu => steps.push(product([LOW, HIGH], Addend::Both)),
        Code::Msub | Code::Msubu => {
            let [low, high] = FREE;
            steps.push(product(FREE, Addend::None));
            let borrow = both(Binary::Less, Expr::Register(LOW), Expr::Register(low));
            let rest = both(Binary::Subtract, Expr::Register(HIGH), Expr::Register(high));
            steps.push(Step::Set(HIGH, both(Binary::Subtract, rest, borrow)));
            let rest = both(Binary::Subtract, Expr::Register(LOW), Expr::Register(low));
            steps.push(Step::Set(LOW, rest));
        }
        Code::Div | Code::Divu => {
            let [quotient, remainder] = match op.code {
                Code::Div => [Binary::QuotientSigned, Binary::RemainderSigned],
                _ => [Binary::Quotient, Binary::Remainder],
            };
            // By zero, nothing changes.
            for (to, operation) in [(LOW, quotient), (HIGH, remainder)] {
                let result = both(operation, s.clone(), t.clone());
                steps.push(Step::Set(to, Expr::choice(t.clone(), result, Expr::Register(to))));
            }
        }
        Code::Mthi => steps.push(Step::Set(HIGH, s)),
        Code::Mtlo => steps.push(Step::Set(LOW, s)),
        Code::Teq => steps.push(Step::Check(both(Binary::NotEqual, s, t))),
        Code::Movz | Code::Movn if op.d == Reg::SP => return false,
        _ => match result(op) {
            Some(result) => set(op.d, result, steps),
            None => return false,
        },
    }
    true
}

fn set(to: Reg, value: Expr, steps: &mut Vec<Step>) {
    match to {
        Reg::SINK => {}
        Reg::SP => steps.push(Step::SetStack(value)),
        _ => steps.push(Step::Set(to.0, value)),
    }
}

fn load(op: &Op, address: Expr, width: Width, signed: bool, steps: &mut Vec<Step>) {
    let (memory, alignment) = (Memory::Any, Alignment::Strict);
    let to = match op.d {
        Reg::SINK => None,
        Reg::SP => Some(FREE[0]),
        reg => Some(reg.0),
    };
    steps.push(Step::Load { memory, alignment, to, address, width, signed });
    if op.d == Reg::SP {
        steps.push(Step::SetStack(Expr::Register(FREE[0])));
    }
}

fn store(address: Expr, value: Expr, width: Width) -> Step {
    Step::Store { alignment: Alignment::Strict, address, value, width }
}

/// Eight times the place of the address in its word.
fn bits(place: Expr) -> Expr {
    both(Binary::ShiftLeft, place, constant(3))
}

/// LWL and LWR: all of the word is loaded, but part of it is used.
fn load_part(op: &Op, address: Expr, steps: &mut Vec<Step>) {
    let [at, word] = FREE;
    steps.push(Step::Set(at, address));
    let place = both(Binary::And, Expr::Register(at), constant(3));
    let aligned = both(Binary::And, Expr::Register(at), constant(!3));
    let (memory, alignment, to) = (Memory::Any, Alignment::Known, Some(word));
    steps.push(Step::Load { memory, alignment, to, address: aligned, width: Width::Word, signed: false });
    let (shift, by) = if op.code == Code::Lwl {
        (Binary::ShiftLeft, bits(both(Binary::Subtract, constant(3), place)))
    } else {
        (Binary::ShiftRight, bits(place))
    };
    let loaded = both(shift, Expr::Register(word), by.clone());
    let mask = both(Binary::Xor, both(shift, constant(u32::MAX), by), constant(u32::MAX));
    set(op.d, both(Binary::Or, loaded, both(Binary::And, value(op.t), mask)), steps);
}

/// SWL and SWR, byte by byte.
fn store_part(op: &Op, address: Expr, steps: &mut Vec<Step>) {
    let [at, bytes] = FREE;
    steps.push(Step::Set(at, address));
    let place = || both(Binary::And, Expr::Register(at), constant(3));
    let is_left = op.code == Code::Swl;
    let (first, shifted) = if is_left {
        let by = bits(both(Binary::Subtract, constant(3), place()));
        (both(Binary::And, Expr::Register(at), constant(!3)), both(Binary::ShiftRight, value(op.t), by))
    } else {
        (Expr::Register(at), value(op.t))
    };
    steps.push(Step::Set(bytes, shifted));
    for number in 0..4 {
        let is_stored = if is_left {
            both(Binary::NotLess, place(), constant(number))
        } else {
            both(Binary::Less, place(), constant(4 - number))
        };
        let byte = both(Binary::ShiftRight, Expr::Register(bytes), constant(8 * number));
        steps.push(Step::If(is_stored, vec![store(first.clone().plus(number), byte, Width::Byte)]));
    }
}

/// The result of an operation on registers.
fn result(op: &Op) -> Option<Expr> {
    use Binary::{
        Add, And, Less, LessSigned, Multiply, Or, RotateRight, ShiftLeft, ShiftRight, ShiftRightSigned,
        Subtract, Xor,
    };
    let (s, t, imm) = (value(op.s), value(op.t), op.imm);
    let i = || constant(imm);
    let (low, ones) = (constant(imm & 31), constant(u32::MAX));
    let bits = u32::MAX >> (32u32.wrapping_sub(imm >> 8)).min(31);
    Some(match op.code {
        Code::Constant => i(),
        Code::Addu => both(Add, s, t),
        Code::Addiu => s.plus(imm),
        Code::Subu => both(Subtract, s, t),
        Code::And => both(And, s, t),
        Code::Andi => both(And, s, i()),
        Code::Or => both(Or, s, t),
        Code::Ori => both(Or, s, i()),
        Code::Xor => both(Xor, s, t),
        Code::Xori => both(Xor, s, i()),
        Code::Nor => both(Xor, both(Or, s, t), ones),
        Code::Slt => both(LessSigned, s, t),
        Code::Slti => both(LessSigned, s, i()),
        Code::Sltu => both(Less, s, t),
        Code::Sltiu => both(Less, s, i()),
        Code::Sll => both(ShiftLeft, t, low),
        Code::Srl => both(ShiftRight, t, low),
        Code::Sra => both(ShiftRightSigned, t, low),
        Code::Rotr => both(RotateRight, t, low),
        Code::Sllv => both(ShiftLeft, t, s),
        Code::Srlv => both(ShiftRight, t, s),
        Code::Srav => both(ShiftRightSigned, t, s),
        Code::Rotrv => both(RotateRight, t, s),
        Code::Clz => Expr::unary(Unary::LeadingZeros, s),
        Code::Clo => Expr::unary(Unary::LeadingZeros, both(Xor, s, ones)),
        Code::Seb => Expr::unary(Unary::SignedByte, s),
        Code::Seh => Expr::unary(Unary::SignedHalf, s),
        Code::Wsbh => {
            let mask = || constant(0x00ff_00ff);
            let up = both(ShiftLeft, both(And, s.clone(), mask()), constant(8));
            both(Or, up, both(And, both(ShiftRight, s, constant(8)), mask()))
        }
        Code::Ext => both(And, both(ShiftRight, s, low), constant(bits)),
        Code::Ins => {
            let mask = bits << (imm & 31);
            let kept = both(And, t, constant(!mask));
            both(Or, kept, both(And, both(ShiftLeft, s, low), constant(mask)))
        }
        Code::Movz if op.d == Reg::SINK => constant(0),
        Code::Movn if op.d == Reg::SINK => constant(0),
        Code::Movz => Expr::choice(t, value(op.d), s),
        Code::Movn => Expr::choice(t, s, value(op.d)),
        Code::Mul => both(Multiply, s, t),
        Code::Mfhi => Expr::Register(HIGH),
        Code::Mflo => Expr::Register(LOW),
        _ => return None,
    })
}
