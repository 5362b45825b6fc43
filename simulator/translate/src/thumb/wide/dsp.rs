//! Saturation, parallel arithmetic, selection, multiplications of halves.

use pennyweight_thumb::op::Op;
use pennyweight_thumb::registers::Reg;
use pennyweight_thumb::v7m::{Code, Kind};

use super::super::flags::{FREE, GE, Q, SECOND, THIRD};
use super::super::lower::{number, value};
use super::super::values::{
    add, and, constant, half, left, less_signed, multiply, not, or, right, right_signed, rotated, sign,
    subtract, top_bit, xor,
};
use crate::ir::{Binary, Expr, Register, Step, Unary};

const TOP: u32 = 1 << 31;

fn register(register: Register) -> Expr {
    Expr::Register(register)
}

fn set(register: Register, value: Expr, steps: &mut Vec<Step>) {
    steps.push(Step::Set(register, value));
}

/// Sets Q if a value is 1, leaves it if it is 0.
fn saturates(condition: Expr, steps: &mut Vec<Step>) {
    set(Q, or(register(Q), condition), steps);
}

/// The lesser of a value that is cheap and a constant, signed.
fn at_most(value: Expr, most: u32) -> Expr {
    Expr::choice(less_signed(value.clone(), constant(most)), value, constant(most))
}

fn at_least(value: Expr, least: u32) -> Expr {
    Expr::choice(less_signed(value.clone(), constant(least)), constant(least), value)
}

/// `FREE` becomes `value` between two bounds; sets Q if that changes it. `SECOND` holds the value.
fn clamp(value: Expr, least: u32, most: u32, steps: &mut Vec<Step>) {
    set(SECOND, value, steps);
    set(FREE, at_least(register(SECOND), least), steps);
    set(FREE, at_most(register(FREE), most), steps);
    saturates(Expr::binary(Binary::NotEqual, register(FREE), register(SECOND)), steps);
}

/// The bounds of signed or unsigned numbers of so many bits, at most 32 or 31.
fn bounds(signed: bool, bits: u32) -> (u32, u32) {
    if signed {
        let top = 1 << (bits.clamp(1, 32) - 1);
        (0u32.wrapping_sub(top), top.wrapping_sub(1))
    } else {
        (0, (1 << (bits & 31)) - 1)
    }
}

/// `FREE` becomes `left` + `right`, or `left` - `right`; saturated, it is the limit that it passes. Sets Q then.
fn saturating_sum(left: Expr, right: Expr, minus: bool, steps: &mut Vec<Step>) {
    let overflows = sum(left.clone(), right, minus, steps);
    set(SECOND, overflows, steps);
    let limit = xor(sign(left), constant(TOP - 1));
    set(FREE, Expr::choice(register(SECOND), limit, register(FREE)), steps);
    saturates(register(SECOND), steps);
}

/// `FREE` becomes `left` + `right`, or `left` - `right`; returns whether that overflows.
fn sum(left: Expr, right: Expr, minus: bool, steps: &mut Vec<Step>) -> Expr {
    let result = if minus { subtract(left.clone(), right.clone()) } else { add(left.clone(), right.clone()) };
    set(FREE, result, steps);
    // The added operands have the same sign, and the result has the other one.
    let differs = xor(left.clone(), right);
    let equal = if minus { differs } else { not(differs) };
    top_bit(and(equal, xor(left, register(FREE))))
}

/// Adds the effects of `op`. False: it is another operation.
pub fn lower(op: &Op<Code>, steps: &mut Vec<Step>) -> bool {
    use Kind as K;
    let (n, m, a) = (value(op.n), value(op.m), value(op.code.a));
    let s = op.code.s;
    match op.code.kind {
        K::Ssat | K::Usat => {
            let by = op.imm >> 8 & 31;
            let shifted = if s == 0 { left(n, by) } else { right_signed(n, by) };
            let (least, most) = bounds(op.code.kind == K::Ssat, op.imm & 0xff);
            clamp(shifted, least, most, steps);
        }
        K::Ssat16 | K::Usat16 => {
            let (least, most) = bounds(op.code.kind == K::Ssat16, op.imm);
            clamp(half(op.n, false), least, most, steps);
            set(THIRD, and(register(FREE), constant(0xffff)), steps);
            clamp(half(op.n, true), least, most, steps);
            set(FREE, or(register(THIRD), left(register(FREE), 16)), steps);
        }
        K::ExtendSb16 | K::ExtendUb16 => {
            let signed = op.code.kind == K::ExtendSb16;
            set(FREE, rotated(m, op.imm), steps);
            let part = |by| match signed {
                true => Expr::unary(Unary::SignedByte, right(register(FREE), by)),
                false => and(right(register(FREE), by), constant(0xff)),
            };
            let low = and(add(n.clone(), part(0)), constant(0xffff));
            set(FREE, or(low, left(add(right(n, 16), part(16)), 16)), steps);
        }
        K::Sel => {
            // Bit i of GE becomes byte i.
            let spread = multiply(register(GE), constant(0x0020_4081));
            set(FREE, multiply(and(spread, constant(0x0101_0101)), constant(0xff)), steps);
            set(FREE, or(and(n, register(FREE)), and(m, not(register(FREE)))), steps);
        }
        K::Saturating => {
            // QADD, QSUB, QDADD, QDSUB.
            if s & 2 != 0 {
                saturating_sum(n.clone(), n, false, steps);
                set(THIRD, register(FREE), steps);
                saturating_sum(m, register(THIRD), s & 1 != 0, steps);
            } else {
                saturating_sum(m, n, s & 1 != 0, steps);
            }
        }
        K::Parallel => parallel(op, steps),
        K::Usada8 => {
            set(FREE, a, steps);
            for lane in 0..4 {
                let byte = |value| and(right(value, 8 * lane), constant(0xff));
                set(SECOND, subtract(byte(n.clone()), byte(m.clone())), steps);
                let folded = xor(register(SECOND), sign(register(SECOND)));
                let difference = subtract(folded, sign(register(SECOND)));
                set(FREE, add(register(FREE), difference), steps);
            }
        }
        K::SmlaXy => {
            set(SECOND, multiply(half(op.n, s & 2 != 0), half(op.m, s & 1 != 0)), steps);
            accumulate(a, steps);
        }
        K::SmlaW => {
            // The product's upper 32 of 48 bits.
            let half = left(half(op.m, s & 1 != 0), 16);
            set(SECOND, Expr::binary(Binary::MultiplyHighSigned, n, half), steps);
            accumulate(a, steps);
        }
        K::Smlad => {
            set(SECOND, dual(op, false), steps);
            // Only the sum of the two largest products does not fit: then the second sum fits if it seems not to.
            let wrapped = Expr::binary(Binary::Equal, register(SECOND), constant(TOP));
            let overflows = sum(register(SECOND), a, false, steps);
            saturates(xor(overflows, wrapped), steps);
        }
        K::Smlsd => {
            set(SECOND, dual(op, true), steps);
            accumulate(a, steps);
        }
        K::Smmla => {
            let high = Expr::binary(Binary::MultiplyHighSigned, n.clone(), m.clone());
            let sum = add(high, a);
            let rounded = if s & 1 != 0 { add(sum, top_bit(multiply(n, m))) } else { sum };
            set(FREE, rounded, steps);
        }
        K::Smmls => {
            // The words of the product with the sign changed.
            set(SECOND, multiply(n.clone(), m.clone()), steps);
            let high = not(Expr::binary(Binary::MultiplyHighSigned, n, m));
            let carry = Expr::binary(Binary::Equal, register(SECOND), constant(0));
            let sum = add(add(high, carry), a);
            let low = subtract(constant(0), register(SECOND));
            set(FREE, if s & 1 != 0 { add(sum, top_bit(low)) } else { sum }, steps);
        }
        K::SmlalXy | K::Smlald | K::Smlsld => {
            long_sum(op, steps);
            return true;
        }
        _ => return false,
    }
    set(number(op.d), register(FREE), steps);
    true
}

/// `FREE` becomes `SECOND` + `addend`; sets Q if that overflows.
fn accumulate(addend: Expr, steps: &mut Vec<Step>) {
    let overflows = sum(register(SECOND), addend, false, steps);
    saturates(overflows, steps);
}

/// The sum or difference of the products of the lower and the upper halves; of `m`, exchanged if `s` selects that.
fn dual(op: &Op<Code>, minus: bool) -> Expr {
    let exchanges = op.code.s & 1 != 0;
    let low = multiply(half(op.n, false), half(op.m, exchanges));
    let high = multiply(half(op.n, true), half(op.m, !exchanges));
    if minus {
        subtract(low, high)
    } else {
        add(low, high)
    }
}

/// Adds one or two products of halves to a:d.
fn long_sum(op: &Op<Code>, steps: &mut Vec<Step>) {
    let (s, [low, high]) = (op.code.s, [op.d, op.code.a].map(number));
    let value = match op.code.kind {
        Kind::SmlalXy => multiply(half(op.n, s & 2 != 0), half(op.m, s & 1 != 0)),
        kind => dual(op, kind == Kind::Smlsld),
    };
    set(SECOND, value, steps);
    // Only the sum of the two largest products is wrapped: it is positive.
    let is_negative = Expr::binary(Binary::NotEqual, register(SECOND), constant(TOP));
    set(THIRD, and(sign(register(SECOND)), subtract(constant(0), is_negative)), steps);
    set(low, add(register(low), register(SECOND)), steps);
    let carry = Expr::binary(Binary::Less, register(low), register(SECOND));
    set(high, add(add(register(high), register(THIRD)), carry), steps);
}

/// Parallel addition and subtraction; `s` is the operation and the prefix, as encoded.
fn parallel(op: &Op<Code>, steps: &mut Vec<Step>) {
    let (operation, prefix) = (op.code.s >> 3, op.code.s & 7);
    let bits = if operation & 3 == 0 { 8 } else { 16 };
    set(FREE, constant(0), steps);
    let sets_ge = prefix & 3 == 0;
    if sets_ge {
        set(THIRD, constant(0), steps);
    }
    for lane in 0..32 / bits {
        let (minus, is_crossed) = match operation {
            0 | 1 => (false, false),
            4 | 5 => (true, false),
            // ASX subtracts in the lower half, SAX in the upper.
            2 => (lane == 0, true),
            _ => (lane == 1, true),
        };
        let [first, second] = [(op.n, lane), (op.m, if is_crossed { 1 - lane } else { lane })]
            .map(|(reg, lane)| part(reg, lane * bits, bits, prefix & 4 != 0));
        set(SECOND, if minus { subtract(first, second) } else { add(first, second) }, steps);
        if sets_ge {
            let least = if prefix == 4 && !minus { 1 << bits } else { 0 };
            let greater = Expr::binary(Binary::NotLessSigned, register(SECOND), constant(least));
            let places = if bits == 8 { 1 } else { 3 };
            let placed = multiply(greater, constant(places << (lane * bits / 8)));
            set(THIRD, or(register(THIRD), placed), steps);
        }
        let top: u32 = 1 << bits;
        let value = match prefix {
            1 => {
                set(SECOND, at_least(register(SECOND), 0u32.wrapping_sub(top / 2)), steps);
                at_most(register(SECOND), top / 2 - 1)
            }
            5 => {
                set(SECOND, at_least(register(SECOND), 0), steps);
                at_most(register(SECOND), top - 1)
            }
            2 | 6 => right_signed(register(SECOND), 1),
            _ => register(SECOND),
        };
        let placed = left(and(value, constant(top - 1)), lane * bits);
        set(FREE, or(register(FREE), placed), steps);
    }
    if sets_ge {
        set(GE, register(THIRD), steps);
    }
}

/// So many bits of a register from bit `low` on, sign-extended unless `unsigned`.
fn part(reg: Reg, low: u32, bits: u32, unsigned: bool) -> Expr {
    let value = right(value(reg), low);
    match (unsigned, bits) {
        (true, _) => and(value, constant((1 << bits) - 1)),
        (false, 8) => Expr::unary(Unary::SignedByte, value),
        (false, _) => Expr::unary(Unary::SignedHalf, value),
    }
}
