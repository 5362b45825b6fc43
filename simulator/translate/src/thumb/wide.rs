//! The operations that ARMv7-M, ARMv7E-M and Armv8-M have beyond ARMv6-M, in the intermediate form.

mod dsp;
mod memory;

use pennyweight_thumb::op::Op;
use pennyweight_thumb::registers::Reg;
use pennyweight_thumb::v6m;
use pennyweight_thumb::v7m::{Code, Kind};

use super::costs::Work;
use super::flags::{Flags, AMOUNT, FREE, SECOND, VALUE};
use super::lower::{number, set_stack, shifted as shifted_by_amount, unless_wide, value};
use super::operation::{Operation, Table};
use super::values::{
    add, and, constant, left, multiply, not, or, right, right_signed, rotated, subtract, top_bit, xor,
};
use crate::ir::{Addend, Alignment, Binary, Expr, Step, Unary};

impl Operation for Code {
    fn condition(op: &Op<Code>, flags: &mut Flags) -> Option<Expr> {
        match op.code.kind {
            Kind::Base(code) => v6m::Code::condition(&small(op, code), flags),
            Kind::Cbz => Some(Expr::binary(Binary::Equal, value(op.n), constant(0))),
            Kind::Cbnz => Some(value(op.n)),
            _ => None,
        }
    }

    fn target(op: &Op<Code>, steps: &mut Vec<Step>) -> Option<Expr> {
        match op.code.kind {
            Kind::Base(code) => v6m::Code::target(&small(op, code), steps),
            _ => memory::target(op, steps),
        }
    }

    fn lower(op: &Op<Code>, flags: &mut Flags, steps: &mut Vec<Step>) -> bool {
        if let Kind::Base(code) = op.code.kind {
            return base(&small(op, code), flags, steps);
        }
        if matches!(op.code.kind, Kind::Hint | Kind::Barrier)
            || memory::lower(op, steps)
            || product(op, steps)
            || dsp::lower(op, steps)
            || stack(op, flags, steps)
            || sets_flags(op, flags, steps)
        {
            return true;
        }
        let Some(result) = result(op, flags, steps) else { return false };
        steps.push(Step::Set(number(op.d), result));
        true
    }

    fn links(op: &Op<Code>) -> bool {
        matches!(op.code.kind, Kind::Base(v6m::Code::Bl | v6m::Code::Blx))
    }

    fn is_constant_load(op: &Op<Code>) -> bool {
        op.code.kind == Kind::Base(v6m::Code::LdrConstant)
    }

    /// No core with these operations has a memory whose time depends on it.
    fn address_read(_: &Op<Code>) -> Option<Expr> {
        None
    }

    fn work(op: &Op<Code>) -> Option<Work> {
        let (divides, signed) = match op.code.kind {
            Kind::Umull | Kind::Umlal | Kind::Umaal => (false, false),
            Kind::Smull | Kind::Smlal => (false, true),
            Kind::Udiv => (true, false),
            Kind::Sdiv => (true, true),
            _ => return None,
        };
        Some(Work { divides, operands: [value(op.n), value(op.m)], signed })
    }

    fn table(op: &Op<Code>) -> Option<Table> {
        let bytes = match op.code.kind {
            Kind::Tbb => 1,
            Kind::Tbh => 2,
            _ => return None,
        };
        (op.n == Reg::Pc).then_some(Table { address: op.imm, bytes })
    }
}

fn small(op: &Op<Code>, code: v6m::Code) -> Op<v6m::Code> {
    Op { code, d: op.d, n: op.n, m: op.m, imm: op.imm }
}

/// An operation of ARMv6-M. Loads and stores of one register need not be aligned.
fn base(op: &Op<v6m::Code>, flags: &mut Flags, steps: &mut Vec<Step>) -> bool {
    use v6m::Code as C;
    let before = steps.len();
    let translated = v6m::Code::lower(op, flags, steps);
    if !matches!(op.code, C::Ldm | C::Stm | C::Push | C::Pop) {
        memory::need_not_be_aligned(&mut steps[before..]);
    }
    translated
}

/// The second operand, a register shifted by a constant. It may read C.
fn shifted(op: &Op<Code>, flags: &mut Flags) -> Expr {
    by_constant(value(op.m), op, flags)
}

fn by_constant(value: Expr, op: &Op<Code>, flags: &mut Flags) -> Expr {
    match op.code.s {
        0 => left(value, op.imm),
        1 if op.imm > 31 => constant(0),
        1 => right(value, op.imm),
        2 => right_signed(value, op.imm.min(31)),
        3 => rotated(value, op.imm),
        _ => or(left(flags.carry(), 31), right(value, 1)),
    }
}

/// The second operand in a register, if its value must not change when flags are set.
fn settled(op: &Op<Code>, flags: &mut Flags, steps: &mut Vec<Step>) -> Expr {
    let operand = shifted(op, flags);
    if op.code.s <= 3 {
        return operand;
    }
    steps.push(Step::Set(FREE, operand));
    Expr::Register(FREE)
}

/// The second operand of a logical operation, from whose shift C comes.
fn shifted_with_carry(op: &Op<Code>, flags: &mut Flags, steps: &mut Vec<Step>) -> Expr {
    if op.code.s == 0 && op.imm == 0 {
        return value(op.m);
    }
    let operand = settled(op, flags, steps);
    steps.push(Step::Set(VALUE, value(op.m)));
    let bit = |position| and(right(Expr::Register(VALUE), position), constant(1));
    flags.shift(match op.code.s {
        0 => bit(32 - op.imm),
        1..=3 => bit((op.imm - 1) & 31),
        _ => bit(0),
    });
    operand
}

/// What sets the stack pointer.
fn stack(op: &Op<Code>, flags: &mut Flags, steps: &mut Vec<Step>) -> bool {
    let sp = value(Reg::Sp);
    let result = match op.code.kind {
        Kind::AddSpSh => add(sp, shifted(op, flags)),
        Kind::SubSpSh => subtract(sp, shifted(op, flags)),
        Kind::AddsSpSh => {
            let operand = settled(op, flags, steps);
            flags.add(sp, operand, steps)
        }
        Kind::SubsSpSh => {
            let operand = settled(op, flags, steps);
            flags.subtract(sp, operand, steps)
        }
        Kind::AddsSpImm => flags.add(sp, constant(op.imm), steps),
        Kind::SubsSpImm => flags.subtract(sp, constant(op.imm), steps),
        _ => return false,
    };
    set_stack(result, steps);
    true
}

/// Operations that set flags; False: it is another one.
fn sets_flags(op: &Op<Code>, flags: &mut Flags, steps: &mut Vec<Step>) -> bool {
    use Kind as K;
    let (n, imm) = (value(op.n), constant(op.imm));
    // N and Z are those of the result.
    let logical = match op.code.kind {
        K::AndsImm | K::TstImm => Some(and(n.clone(), imm.clone())),
        K::OrrsImm => Some(or(n.clone(), imm.clone())),
        K::EorsImm | K::TeqImm => Some(xor(n.clone(), imm.clone())),
        K::MovsImm => Some(imm.clone()),
        _ => None,
    };
    if let Some(result) = logical {
        if op.m != Reg::R0 {
            flags.shift(constant(u32::from(op.m != Reg::R1)));
        }
        let writes = !matches!(op.code.kind, K::TstImm | K::TeqImm);
        note(op, result, writes, flags, steps);
        return true;
    }
    let combine: fn(Expr, Expr) -> Expr = match op.code.kind {
        K::AndsSh | K::TstSh => and,
        K::BicsSh => |n, m| and(n, not(m)),
        K::OrrsSh => or,
        K::OrnsSh => |n, m| or(n, not(m)),
        K::EorsSh | K::TeqSh => xor,
        K::MvnsSh => |_, m| not(m),
        _ => return sets_all_flags(op, flags, steps),
    };
    let operand = shifted_with_carry(op, flags, steps);
    let writes = !matches!(op.code.kind, K::TstSh | K::TeqSh);
    note(op, combine(n, operand), writes, flags, steps);
    true
}

/// Sets the register, if `op` does, and notes the result.
fn note(op: &Op<Code>, result: Expr, writes: bool, flags: &mut Flags, steps: &mut Vec<Step>) {
    if writes {
        steps.push(Step::Set(number(op.d), result));
        flags.note(value(op.d), steps);
    } else {
        flags.note(result, steps);
    }
}

/// The same of sums, differences and shifts.
fn sets_all_flags(op: &Op<Code>, flags: &mut Flags, steps: &mut Vec<Step>) -> bool {
    use Kind as K;
    let (n, m, imm) = (value(op.n), value(op.m), constant(op.imm));
    let result = match op.code.kind {
        K::AdcsImm => flags.add_with_carry(n, imm, steps),
        K::RsbsImm => flags.subtract(imm, n, steps),
        K::CmnImm => flags.add(n, imm, steps),
        K::AddsSh | K::CmnSh => {
            let operand = settled(op, flags, steps);
            flags.add(n, operand, steps)
        }
        K::SubsSh | K::CmpSh => {
            let operand = settled(op, flags, steps);
            flags.subtract(n, operand, steps)
        }
        K::RsbsSh => {
            let operand = settled(op, flags, steps);
            flags.subtract(operand, n, steps)
        }
        K::AdcsSh => {
            let operand = settled(op, flags, steps);
            flags.add_with_carry(n, operand, steps)
        }
        K::SbcsSh => {
            let operand = settled(op, flags, steps);
            flags.add_with_carry(n, not(operand), steps)
        }
        K::RorsImm => {
            steps.push(Step::Set(VALUE, m));
            let result = rotated(Expr::Register(VALUE), op.imm);
            flags.shift(top_bit(result.clone()));
            note(op, result, true, flags, steps);
            return true;
        }
        K::Rrxs => {
            steps.push(Step::Set(FREE, or(left(flags.carry(), 31), right(m.clone(), 1))));
            steps.push(Step::Set(VALUE, m));
            flags.shift(and(Expr::Register(VALUE), constant(1)));
            note(op, Expr::Register(FREE), true, flags, steps);
            return true;
        }
        K::Lsls3 | K::Lsrs3 | K::Asrs3 | K::Rors3 => {
            let kept = flags.settle_carry(steps);
            steps.push(Step::Set(VALUE, m));
            steps.push(Step::Set(AMOUNT, and(n, constant(0xff))));
            let (result, carry) = shifted_by_amount(match op.code.kind {
                K::Lsls3 => v6m::Code::LslsReg,
                K::Lsrs3 => v6m::Code::LsrsReg,
                K::Asrs3 => v6m::Code::AsrsReg,
                _ => v6m::Code::Rors,
            });
            flags.shift_by_amount(carry, kept);
            note(op, result, true, flags, steps);
            return true;
        }
        _ => return false,
    };
    if !matches!(op.code.kind, K::CmnImm | K::CmnSh | K::CmpSh) {
        steps.push(Step::Set(number(op.d), result));
    }
    true
}

/// A long multiplication. False: it is another operation.
fn product(op: &Op<Code>, steps: &mut Vec<Step>) -> bool {
    let (signed, addend) = match op.code.kind {
        Kind::Umull => (false, Addend::None),
        Kind::Smull => (true, Addend::None),
        Kind::Umlal => (false, Addend::Both),
        Kind::Smlal => (true, Addend::Both),
        Kind::Umaal => (false, Addend::Each),
        _ => return false,
    };
    let to = [number(op.d), number(op.code.a)];
    steps.push(Step::Product { to, factors: [value(op.n), value(op.m)], signed, addend });
    true
}

/// The value that `op` gives its register without setting flags.
#[allow(clippy::too_many_lines)] // A line or two for each operation.
fn result(op: &Op<Code>, flags: &mut Flags, steps: &mut Vec<Step>) -> Option<Expr> {
    use Kind as K;
    let (d, n, m) = (value(op.d), value(op.n), value(op.m));
    let (a, imm) = (value(op.code.a), constant(op.imm));
    Some(match op.code.kind {
        K::AndImm => and(n, imm),
        K::OrrImm => or(n, imm),
        K::EorImm => xor(n, imm),
        K::AdcImm => add(add(n, imm), flags.carry()),
        K::RsbImm => subtract(imm, n),
        K::And3 => and(n, m),
        K::Bic3 => and(n, not(m)),
        K::Orr3 => or(n, m),
        K::Orn3 => or(n, not(m)),
        K::Eor3 => xor(n, m),
        K::Adc3 => add(add(n, m), flags.carry()),
        K::Sbc3 => add(add(n, not(m)), flags.carry()),
        K::AndSh => and(n, shifted(op, flags)),
        K::BicSh => and(n, not(shifted(op, flags))),
        K::OrrSh => or(n, shifted(op, flags)),
        K::OrnSh => or(n, not(shifted(op, flags))),
        K::EorSh => xor(n, shifted(op, flags)),
        K::MvnSh => not(shifted(op, flags)),
        K::AddSh => add(n, shifted(op, flags)),
        K::SubSh => subtract(n, shifted(op, flags)),
        K::RsbSh => subtract(shifted(op, flags), n),
        K::AdcSh => add(add(n, shifted(op, flags)), flags.carry()),
        K::SbcSh => add(add(n, not(shifted(op, flags))), flags.carry()),
        K::EorRor => xor(n, rotated(m, op.imm)),
        K::AddRor => add(n, rotated(m, op.imm)),
        K::RorImm => rotated(m, op.imm),
        K::Rrx => or(left(flags.carry(), 31), right(m, 1)),
        K::Lsl3 | K::Lsr3 => {
            let operation = if op.code.kind == K::Lsl3 { Binary::ShiftLeft } else { Binary::ShiftRight };
            steps.push(Step::Set(FREE, and(n, constant(0xff))));
            unless_wide(operation, m, FREE)
        }
        K::Asr3 => {
            steps.push(Step::Set(FREE, and(n, constant(0xff))));
            let amount = Expr::Register(FREE);
            let is_narrow = Expr::binary(Binary::Less, amount.clone(), constant(31));
            Expr::binary(Binary::ShiftRightSigned, m, Expr::choice(is_narrow, amount, constant(31)))
        }
        K::Ror3 => Expr::binary(Binary::RotateRight, m, n),
        K::Movt => or(and(d, constant(0xffff)), imm),
        K::Sbfx => {
            let (low, rest) = (op.imm & 31, 31 - (op.imm >> 8 & 31));
            right_signed(left(right(n, low), rest), rest)
        }
        K::Ubfx => and(right(n, op.imm & 31), constant(u32::MAX >> (31 - (op.imm >> 8 & 31)))),
        K::Bfi => {
            let low = op.imm & 31;
            let mask = u32::MAX >> (31 - (op.imm >> 8 & 31)) << low;
            or(and(d, constant(!mask)), and(left(n, low), constant(mask)))
        }
        K::Clz => Expr::unary(Unary::LeadingZeros, m),
        K::Rbit => {
            steps.push(Step::Set(FREE, m));
            for (by, mask) in [(1, 0x5555_5555), (2, 0x3333_3333), (4, 0x0f0f_0f0f), (8, 0x00ff_00ff)] {
                let free = || Expr::Register(FREE);
                let swapped =
                    or(and(right(free(), by), constant(mask)), left(and(free(), constant(mask)), by));
                steps.push(Step::Set(FREE, swapped));
            }
            rotated(Expr::Register(FREE), 16)
        }
        K::ExtendSb => add(n, Expr::unary(Unary::SignedByte, rotated(m, op.imm))),
        K::ExtendSh => add(n, Expr::unary(Unary::SignedHalf, rotated(m, op.imm))),
        K::ExtendUb => add(n, and(rotated(m, op.imm), constant(0xff))),
        K::ExtendUh => add(n, and(rotated(m, op.imm), constant(0xffff))),
        K::Mul3 => multiply(n, m),
        K::Mla => add(multiply(n, m), a),
        K::Mls => subtract(a, multiply(n, m)),
        K::Udiv | K::Sdiv => {
            let operation = if op.code.kind == K::Udiv { Binary::Quotient } else { Binary::QuotientSigned };
            // The quotient by zero is zero here.
            steps.push(Step::Set(SECOND, m));
            let quotient = Expr::binary(operation, n, Expr::Register(SECOND));
            Expr::choice(Expr::Register(SECOND), quotient, constant(0))
        }
        K::Pkh if op.code.s == 0 => or(and(n, constant(0xffff)), and(left(m, op.imm), constant(0xffff_0000))),
        K::Pkh => {
            let low = right_signed(m, op.imm.min(31));
            or(and(n, constant(0xffff_0000)), and(low, constant(0xffff)))
        }
        _ => return None,
    })
}

/// Loads and stores that need not be aligned, where it is not known that they are.
const fn relaxed(alignment: Alignment) -> Alignment {
    match alignment {
        Alignment::Strict => Alignment::Split,
        other => other,
    }
}
