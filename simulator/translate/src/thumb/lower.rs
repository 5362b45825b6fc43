//! ARMv6-M's operations in the intermediate form, which the other instruction sets have too.

use pennyweight_thumb::op::Op;
use pennyweight_thumb::registers::Reg;
use pennyweight_thumb::v6m::Code;

use super::flags::{Flags, AMOUNT, FREE, VALUE};
use super::operation::Operation;
use crate::ir::{Alignment, Binary, Expr, Memory, Register, Step, Unary, Width};

/// A register's number in the intermediate form.
#[must_use]
pub fn number(reg: Reg) -> Register {
    reg as Register + 1
}

/// The value of a register. The program counter's is part of constants.
#[must_use]
pub fn value(reg: Reg) -> Expr {
    match reg {
        Reg::Pc => Expr::Constant(0),
        other => Expr::Register(number(other)),
    }
}

/// The condition of a branch.
#[must_use]
pub fn condition(code: Code, flags: &mut Flags) -> Option<Expr> {
    let number = match code {
        Code::Beq => 0,
        Code::Bne => 1,
        Code::Bcs => 2,
        Code::Bcc => 3,
        Code::Bmi => 4,
        Code::Bpl => 5,
        Code::Bvs => 6,
        Code::Bvc => 7,
        Code::Bhi => 8,
        Code::Bls => 9,
        Code::Bge => 10,
        Code::Blt => 11,
        Code::Bgt => 12,
        Code::Ble => 13,
        _ => return None,
    };
    Some(flags.holds(number))
}

impl Operation for Code {
    fn condition(op: &Op<Code>, flags: &mut Flags) -> Option<Expr> {
        condition(op.code, flags)
    }

    fn target(op: &Op<Code>, steps: &mut Vec<Step>) -> Option<Expr> {
        target(op, steps)
    }

    fn lower(op: &Op<Code>, flags: &mut Flags, steps: &mut Vec<Step>) -> bool {
        lower(op, flags, steps)
    }

    fn links(op: &Op<Code>) -> bool {
        matches!(op.code, Code::Bl | Code::Blx)
    }

    fn is_constant_load(op: &Op<Code>) -> bool {
        op.code == Code::LdrConstant
    }

    fn address_read(op: &Op<Code>) -> Option<Expr> {
        let n = value(op.n);
        let address = match op.code {
            Code::LdrImm | Code::LdrhImm | Code::LdrbImm => n.plus(op.imm),
            Code::LdrReg | Code::LdrhReg | Code::LdrbReg | Code::LdrshReg | Code::LdrsbReg => {
                Expr::binary(Binary::Add, n, value(op.m))
            }
            Code::Ldm => n,
            _ => return None,
        };
        (op.n != Reg::Sp).then_some(address)
    }
}

/// As [`Operation::lower`].
#[must_use]
pub fn lower(op: &Op<Code>, flags: &mut Flags, steps: &mut Vec<Step>) -> bool {
    let (d, n, m) = (value(op.d), value(op.n), value(op.m));
    let imm = Expr::Constant(op.imm);
    match op.code {
        Code::Nop | Code::Barrier => {}
        Code::CmpImm => drop(flags.subtract(n, imm, steps)),
        Code::CmpReg => drop(flags.subtract(n, m, steps)),
        Code::Cmn => drop(flags.add(n, m, steps)),
        Code::Tst => flags.note(Expr::binary(Binary::And, n, m), steps),
        Code::MovSp => set_stack(m, steps),
        Code::AddSpReg => set_stack(Expr::binary(Binary::Add, value(Reg::Sp), m), steps),
        Code::AddSpImm => set_stack(value(Reg::Sp).plus(op.imm), steps),
        Code::LdrLiteral => load(op, imm, Width::Word, false, steps),
        Code::LdrImm => load(op, n.plus(op.imm), Width::Word, false, steps),
        Code::LdrhImm => load(op, n.plus(op.imm), Width::Half, false, steps),
        Code::LdrbImm => load(op, n.plus(op.imm), Width::Byte, false, steps),
        Code::LdrReg => load(op, sum(n, m), Width::Word, false, steps),
        Code::LdrhReg => load(op, sum(n, m), Width::Half, false, steps),
        Code::LdrbReg => load(op, sum(n, m), Width::Byte, false, steps),
        Code::LdrshReg => load(op, sum(n, m), Width::Half, true, steps),
        Code::LdrsbReg => load(op, sum(n, m), Width::Byte, true, steps),
        Code::StrImm => store(n.plus(op.imm), d, Width::Word, steps),
        Code::StrhImm => store(n.plus(op.imm), d, Width::Half, steps),
        Code::StrbImm => store(n.plus(op.imm), d, Width::Byte, steps),
        Code::StrReg => store(sum(n, m), d, Width::Word, steps),
        Code::StrhReg => store(sum(n, m), d, Width::Half, steps),
        Code::StrbReg => store(sum(n, m), d, Width::Byte, steps),
        Code::Ldm => {
            steps.push(Step::Set(FREE, n));
            let size = load_multiple(&Expr::Register(FREE), op.imm, steps);
            if op.imm >> (op.n as u32) & 1 == 0 {
                steps.push(Step::Set(number(op.n), Expr::Register(FREE).plus(size)));
            }
        }
        Code::Stm => {
            let size = store_multiple(&n, op.imm, steps);
            steps.push(Step::Set(number(op.n), n.plus(size)));
        }
        Code::Push => {
            steps.push(Step::SetStack(value(Reg::Sp).plus((4 * op.imm.count_ones()).wrapping_neg())));
            store_multiple(&value(Reg::Sp), op.imm, steps);
        }
        Code::Pop => {
            let size = load_multiple(&value(Reg::Sp), op.imm, steps);
            steps.push(Step::SetStack(value(Reg::Sp).plus(size)));
        }
        _ => {
            let Some(result) = result(op, flags, steps) else { return false };
            steps.push(Step::Set(number(op.d), result));
            if sets_sign(op.code) {
                flags.note(value(op.d), steps);
            }
        }
    }
    true
}

/// As [`Operation::target`].
pub fn target(op: &Op<Code>, steps: &mut Vec<Step>) -> Option<Expr> {
    match op.code {
        Code::B | Code::Bl => Some(Expr::Constant(op.imm)),
        Code::Bx | Code::Blx => Some(interwork(value(op.m), steps)),
        Code::MovPc => Some(even(value(op.m))),
        Code::AddPc => Some(even(value(op.m).plus(op.imm))),
        Code::PopPc => {
            let target = pop(op.imm, steps);
            Some(interwork(target, steps))
        }
        _ => None,
    }
}

fn even(target: Expr) -> Expr {
    Expr::binary(Binary::And, target, Expr::Constant(!1))
}

/// Where a jump goes whose target must have bit 0 set: it selects the only state that there is.
pub fn interwork(target: Expr, steps: &mut Vec<Step>) -> Expr {
    steps.push(Step::Check(Expr::binary(Binary::And, target.clone(), Expr::Constant(1))));
    even(target)
}

/// Adds the effects of a POP of these registers and the program counter, whose value is returned.
pub fn pop(list: u32, steps: &mut Vec<Step>) -> Expr {
    let size = load_multiple(&value(Reg::Sp), list & 0xff, steps);
    load_to(FREE, value(Reg::Sp).plus(size), Width::Word, false, steps);
    steps.push(Step::SetStack(value(Reg::Sp).plus(size + 4)));
    Expr::Register(FREE)
}

fn sum(left: Expr, right: Expr) -> Expr {
    Expr::binary(Binary::Add, left, right)
}

/// The stack pointer is a multiple of four always.
pub fn set_stack(value: Expr, steps: &mut Vec<Step>) {
    steps.push(Step::SetStack(Expr::binary(Binary::And, value, Expr::Constant(!3))));
}

fn load(op: &Op<Code>, address: Expr, width: Width, signed: bool, steps: &mut Vec<Step>) {
    load_to(number(op.d), address, width, signed, steps);
}

/// Whether an address is known to be aligned, or must be.
fn alignment(address: &Expr, width: Width) -> Alignment {
    let is_multiple = |value: u32| value.trailing_zeros() >= width.shift();
    let is_known = match address {
        Expr::Constant(address) => is_multiple(*address),
        Expr::Register(register) => *register == number(Reg::Sp),
        Expr::Binary(Binary::Add, base, offset) => {
            **base == value(Reg::Sp) && matches!(**offset, Expr::Constant(offset) if is_multiple(offset))
        }
        _ => false,
    };
    if is_known {
        Alignment::Known
    } else {
        Alignment::Strict
    }
}

/// Loads from an address that must be aligned.
pub fn load_to(to: Register, address: Expr, width: Width, signed: bool, steps: &mut Vec<Step>) {
    let alignment = alignment(&address, width);
    steps.push(Step::Load { memory: Memory::Any, alignment, to: Some(to), address, width, signed });
}

/// Stores to an address that must be aligned.
pub fn store(address: Expr, value: Expr, width: Width, steps: &mut Vec<Step>) {
    let alignment = alignment(&address, width);
    steps.push(Step::Store { alignment, address, value, width });
}

/// The registers of a list, and what is added to the address of the first one.
fn places(list: u32) -> impl Iterator<Item = (Reg, u32)> {
    (0..16).filter(move |bit| list >> bit & 1 != 0).map(Reg::from_bits).zip((0..).step_by(4))
}

/// Loads the registers of `list` from `base` on; returns the number of bytes.
pub fn load_multiple(base: &Expr, list: u32, steps: &mut Vec<Step>) -> u32 {
    for (reg, offset) in places(list) {
        load_to(number(reg), base.clone().plus(offset), Width::Word, false, steps);
    }
    4 * list.count_ones()
}

/// Stores the registers of `list` from `base` on; returns the number of bytes.
pub fn store_multiple(base: &Expr, list: u32, steps: &mut Vec<Step>) -> u32 {
    for (reg, offset) in places(list) {
        store(base.clone().plus(offset), value(reg), Width::Word, steps);
    }
    4 * list.count_ones()
}

/// Are N and Z those of the result, apart from what [`Flags`] notes for additions and subtractions?
fn sets_sign(code: Code) -> bool {
    matches!(
        code,
        Code::MovsImm
            | Code::MovsReg
            | Code::LslsImm
            | Code::LsrsImm
            | Code::AsrsImm
            | Code::Ands
            | Code::Eors
            | Code::Orrs
            | Code::Bics
            | Code::Mvns
            | Code::Muls
            | Code::LslsReg
            | Code::LsrsReg
            | Code::AsrsReg
            | Code::Rors
    )
}

/// The value that `op` gives its register.
#[allow(clippy::too_many_lines)] // A line or two for each operation.
fn result(op: &Op<Code>, flags: &mut Flags, steps: &mut Vec<Step>) -> Option<Expr> {
    use Binary::{And, Multiply, Or, RotateRight, ShiftLeft, ShiftRight, ShiftRightSigned, Xor};
    let (d, n, m) = (value(op.d), value(op.n), value(op.m));
    let imm = Expr::Constant(op.imm);
    let both = Expr::binary;
    let not = |value| Expr::binary(Xor, value, Expr::Constant(u32::MAX));
    Some(match op.code {
        Code::MovsImm | Code::Constant | Code::LdrConstant => imm,
        Code::MovsReg | Code::Mov => m,
        Code::AddsReg => flags.add(n, m, steps),
        Code::SubsReg => flags.subtract(n, m, steps),
        Code::AddsImm => flags.add(n, imm, steps),
        Code::SubsImm => flags.subtract(n, imm, steps),
        Code::Rsbs => flags.subtract(Expr::Constant(0), n, steps),
        Code::Adcs => flags.add_with_carry(d, m, steps),
        Code::Sbcs => flags.add_with_carry(d, not(m), steps),
        Code::Ands | Code::And => both(And, d, m),
        Code::Eors | Code::Eor => both(Xor, d, m),
        Code::Orrs | Code::Orr => both(Or, d, m),
        Code::Bics | Code::Bic => both(And, d, not(m)),
        Code::Mvns | Code::Mvn => not(m),
        Code::Muls | Code::Mul => both(Multiply, n, d),
        Code::Add => sum(d, m),
        Code::AddReg => sum(n, m),
        Code::SubReg => both(Binary::Subtract, n, m),
        Code::AddImm => n.plus(op.imm),
        Code::AddConstant => d.plus(op.imm),
        Code::AddFromSp => value(Reg::Sp).plus(op.imm),
        Code::Neg => both(Binary::Subtract, Expr::Constant(0), n),
        Code::Adc => sum(sum(d, m), flags.carry()),
        Code::Sbc => sum(sum(d, not(m)), flags.carry()),
        Code::Sxtb => Expr::unary(Unary::SignedByte, m),
        Code::Sxth => Expr::unary(Unary::SignedHalf, m),
        Code::Uxtb => both(And, m, Expr::Constant(0xff)),
        Code::Uxth => both(And, m, Expr::Constant(0xffff)),
        Code::Rev | Code::Rev16 | Code::Revsh => reversed(op.code, m),
        Code::LslsImm | Code::LsrsImm | Code::AsrsImm => {
            steps.push(Step::Set(VALUE, m));
            let value = Expr::Register(VALUE);
            let last = if op.code == Code::LslsImm { 32 - op.imm } else { op.imm - 1 };
            flags.shift(both(And, both(ShiftRight, value.clone(), Expr::Constant(last)), Expr::Constant(1)));
            match op.code {
                Code::LslsImm => both(ShiftLeft, value, imm),
                Code::LsrsImm if op.imm < 32 => both(ShiftRight, value, imm),
                Code::LsrsImm => Expr::Constant(0),
                _ => both(ShiftRightSigned, value, Expr::Constant(op.imm.min(31))),
            }
        }
        Code::LslImm => both(ShiftLeft, m, imm),
        Code::LsrImm if op.imm < 32 => both(ShiftRight, m, imm),
        Code::LsrImm => Expr::Constant(0),
        Code::AsrImm => both(ShiftRightSigned, m, imm),
        Code::LslReg | Code::LsrReg => {
            let operation = if op.code == Code::LslReg { ShiftLeft } else { ShiftRight };
            steps.push(Step::Set(FREE, both(And, m, Expr::Constant(0xff))));
            unless_wide(operation, d, FREE)
        }
        Code::Ror => both(RotateRight, d, m),
        Code::LslsReg | Code::LsrsReg | Code::AsrsReg | Code::Rors => {
            let kept = flags.settle_carry(steps);
            steps.push(Step::Set(VALUE, d));
            steps.push(Step::Set(AMOUNT, both(And, m, Expr::Constant(0xff))));
            let (result, carry) = shifted(op.code);
            flags.shift_by_amount(carry, kept);
            result
        }
        _ => return None,
    })
}

/// `value` shifted by an amount that is in a register; 0 if that is 32 or more.
pub fn unless_wide(operation: Binary, value: Expr, amount: Register) -> Expr {
    let narrow = Expr::binary(Binary::Less, Expr::Register(amount), Expr::Constant(32));
    Expr::choice(narrow, Expr::binary(operation, value, Expr::Register(amount)), Expr::Constant(0))
}

/// `VALUE` shifted by `AMOUNT`, and the last bit shifted out if `AMOUNT` is not 0.
pub fn shifted(code: Code) -> (Expr, Expr) {
    use Binary::{And, Less, RotateRight, ShiftLeft, ShiftRight, ShiftRightSigned};
    let (value, amount) = (Expr::Register(VALUE), Expr::Register(AMOUNT));
    let by = |operation, amount| Expr::binary(operation, Expr::Register(VALUE), amount);
    let bit = |value| Expr::binary(And, value, Expr::Constant(1));
    // At 32, the last bit is still one of the value's.
    let within = |carry| {
        let most = Expr::binary(Less, Expr::Register(AMOUNT), Expr::Constant(33));
        Expr::choice(most, carry, Expr::Constant(0))
    };
    let before = amount.clone().plus(u32::MAX);
    match code {
        Code::LslsReg => {
            let rest = Expr::binary(Binary::Subtract, Expr::Constant(32), amount.clone());
            (unless_wide(ShiftLeft, value, AMOUNT), within(bit(by(ShiftRight, rest))))
        }
        Code::LsrsReg => (unless_wide(ShiftRight, value, AMOUNT), within(bit(by(ShiftRight, before)))),
        Code::AsrsReg => {
            let at_most = |amount: Expr| {
                let fits = Expr::binary(Less, amount.clone(), Expr::Constant(31));
                Expr::choice(fits, amount, Expr::Constant(31))
            };
            (by(ShiftRightSigned, at_most(amount)), bit(by(ShiftRightSigned, at_most(before))))
        }
        _ => {
            let result = Expr::binary(RotateRight, value, amount);
            (result.clone(), Expr::binary(ShiftRight, result, Expr::Constant(31)))
        }
    }
}

/// Bytes in reverse order: of the word, of each half, of the lower half and then sign-extended.
fn reversed(code: Code, value: Expr) -> Expr {
    use Binary::{And, Or, RotateLeft, RotateRight, ShiftLeft, ShiftRight};
    let masked = |value, mask| Expr::binary(And, value, Expr::Constant(mask));
    let by = |operation, value, amount| Expr::binary(operation, value, Expr::Constant(amount));
    match code {
        Code::Rev => {
            // The odd bytes come from one rotation, the even ones from the other.
            let left = masked(by(RotateLeft, value.clone(), 8), 0x00ff_00ff);
            Expr::binary(Or, left, masked(by(RotateRight, value, 8), 0xff00_ff00))
        }
        _ => {
            let up = masked(by(ShiftLeft, value.clone(), 8), 0xff00_ff00);
            let swapped = Expr::binary(Or, up, masked(by(ShiftRight, value, 8), 0x00ff_00ff));
            if code == Code::Rev16 {
                swapped
            } else {
                Expr::unary(Unary::SignedHalf, swapped)
            }
        }
    }
}
