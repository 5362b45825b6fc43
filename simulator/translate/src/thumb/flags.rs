//! Condition flags, which are computed where they are needed.
//!
//! An operation that sets flags notes its operands, not the flags. A condition is then often one comparison of
//! these. What remains at the end of a block is set late: where the code is left, and in front of blocks that
//! need it. A block needs the flags that it reads before it sets them, and those that it does not set, because
//! the code may be left behind it.

use crate::ir::{Binary, Expr, Register, Step};

/// A value whose sign is N and which is zero if Z is set.
pub const NZ: Register = 16;
/// Carry: 0 or 1.
pub const C: Register = 17;
/// Overflow: 0 or 1.
pub const V: Register = 18;
/// Saturation: 0 or 1.
pub const Q: Register = 19;
/// Greater or equal: a bit for each byte.
pub const GE: Register = 20;
/// So many registers are kept; those below are values within a block.
pub const REGISTERS: u32 = 21;

/// Operands and result of the last operation that set all flags.
const LEFT: Register = 21;
const RIGHT: Register = 22;
const RESULT: Register = 23;
/// The carry that it added.
const CARRY_IN: Register = 24;
/// Operands of the last shift that set C.
pub const VALUE: Register = 25;
/// See there.
pub const AMOUNT: Register = 26;
/// What N and Z are of.
const NOTED: Register = 27;
/// Free for an operation's own use.
pub const FREE: Register = 28;
/// The same.
pub const SECOND: Register = 29;
/// The same.
pub const THIRD: Register = 30;
/// The line of data read last from flash behind a bus matrix, where that is kept too.
pub const DATA: Register = 31;
/// What decides how a block ends.
pub const DECIDING: Register = 32;

/// Where C comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Carry {
    /// It is in its register.
    #[default]
    Kept,
    /// Of `LEFT` - `RIGHT`: no borrow.
    Difference,
    /// Of `LEFT` + `RIGHT`.
    Sum,
    /// Of `LEFT` + `RIGHT` + `CARRY_IN`.
    LongSum,
    /// Of a shift.
    Shifted(Expr),
}

/// Where V comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Overflow {
    #[default]
    Kept,
    Difference,
    Sum,
}

/// Where N and Z come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Sign {
    #[default]
    Kept,
    /// `NOTED`, which is `RESULT`.
    Result,
    /// `NOTED`.
    Noted,
}

/// The flags at a place in a block.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    sign: Sign,
    carry: Carry,
    overflow: Overflow,
    /// The flags that are read before they are set, as bits.
    needs: u64,
}

fn register(register: Register) -> Expr {
    Expr::Register(register)
}

fn is_zero(value: Expr) -> Expr {
    Expr::binary(Binary::Equal, value, Expr::Constant(0))
}

fn top_bit(value: Expr) -> Expr {
    Expr::binary(Binary::ShiftRight, value, Expr::Constant(31))
}

/// `left` and `right` of the last operation that set all flags, compared.
fn compared(operation: Binary) -> Expr {
    Expr::binary(operation, register(LEFT), register(RIGHT))
}

impl Flags {
    /// N and Z become those of `value`.
    pub fn note(&mut self, value: Expr, steps: &mut Vec<Step>) {
        steps.push(Step::Set(NOTED, value));
        self.sign = Sign::Noted;
    }

    /// All flags become those of `left` - `right`, which is the result.
    pub fn subtract(&mut self, left: Expr, right: Expr, steps: &mut Vec<Step>) -> Expr {
        steps.push(Step::Set(LEFT, left));
        steps.push(Step::Set(RIGHT, right));
        steps.push(Step::Set(RESULT, compared(Binary::Subtract)));
        self.all(Carry::Difference, Overflow::Difference, steps)
    }

    /// All flags become those of `left` + `right`, which is the result.
    pub fn add(&mut self, left: Expr, right: Expr, steps: &mut Vec<Step>) -> Expr {
        steps.push(Step::Set(LEFT, left));
        steps.push(Step::Set(RIGHT, right));
        steps.push(Step::Set(RESULT, compared(Binary::Add)));
        self.all(Carry::Sum, Overflow::Sum, steps)
    }

    /// All flags become those of `left` + `right` + C, which is the result.
    pub fn add_with_carry(&mut self, left: Expr, right: Expr, steps: &mut Vec<Step>) -> Expr {
        let carry = self.carry();
        steps.push(Step::Set(CARRY_IN, carry));
        steps.push(Step::Set(LEFT, left));
        steps.push(Step::Set(RIGHT, right));
        let sum = Expr::binary(Binary::Add, compared(Binary::Add), register(CARRY_IN));
        steps.push(Step::Set(RESULT, sum));
        self.all(Carry::LongSum, Overflow::Sum, steps)
    }

    fn all(&mut self, carry: Carry, overflow: Overflow, steps: &mut Vec<Step>) -> Expr {
        self.note(register(RESULT), steps);
        (self.sign, self.carry, self.overflow) = (Sign::Result, carry, overflow);
        register(RESULT)
    }

    /// C becomes that of a shift by a constant: an expression in `VALUE`.
    pub fn shift(&mut self, carry: Expr) {
        self.carry = Carry::Shifted(carry);
    }

    /// C becomes that of a shift: an expression in `VALUE` and `AMOUNT`, or what it was if `AMOUNT` is zero.
    pub fn shift_by_amount(&mut self, carry: Expr, kept: Expr) {
        self.carry = Carry::Shifted(Expr::choice(register(AMOUNT), carry, kept));
    }

    /// Sets C's register, and returns it.
    pub fn settle_carry(&mut self, steps: &mut Vec<Step>) -> Expr {
        let carry = self.carry();
        if self.carry != Carry::Kept {
            steps.push(Step::Set(C, carry));
            self.carry = Carry::Kept;
        }
        register(C)
    }

    /// Sets the registers of all flags that are not in them.
    pub fn settle(&mut self, steps: &mut Vec<Step>) {
        let overflow = self.overflow();
        self.settle_carry(steps);
        if self.overflow != Overflow::Kept {
            steps.push(Step::Set(V, overflow));
            self.overflow = Overflow::Kept;
        }
        if self.sign != Sign::Kept {
            steps.push(Step::Set(NZ, register(NOTED)));
            self.sign = Sign::Kept;
        }
    }

    /// Does a flag come from elsewhere?
    #[must_use]
    pub fn differs(&self, other: &Flags) -> bool {
        (self.sign, self.overflow) != (other.sign, other.overflow) || self.carry != other.carry
    }

    /// The block needs also what it needs in `other`.
    pub fn also_needs(&mut self, other: &Flags) {
        self.needs |= other.needs;
    }

    /// C as 0 or 1.
    pub fn carry(&mut self) -> Expr {
        match &self.carry {
            Carry::Kept => {
                self.needs |= 1 << C;
                register(C)
            }
            Carry::Difference => compared(Binary::NotLess),
            Carry::Sum => Expr::binary(Binary::Less, register(RESULT), register(LEFT)),
            Carry::LongSum => {
                let [less, equal] = [Binary::Less, Binary::Equal]
                    .map(|operation| Expr::binary(operation, register(RESULT), register(LEFT)));
                Expr::binary(Binary::Or, less, Expr::binary(Binary::And, equal, register(CARRY_IN)))
            }
            Carry::Shifted(carry) => carry.clone(),
        }
    }

    /// V as 0 or 1.
    fn overflow(&mut self) -> Expr {
        let changed = |other| Expr::binary(Binary::Xor, register(LEFT), register(other));
        match self.overflow {
            Overflow::Kept => {
                self.needs |= 1 << V;
                register(V)
            }
            // The operands have different signs, and the result has not the first one's.
            Overflow::Difference => top_bit(Expr::binary(Binary::And, changed(RIGHT), changed(RESULT))),
            // The result has neither operand's sign.
            Overflow::Sum => {
                let other = Expr::binary(Binary::Xor, register(RIGHT), register(RESULT));
                top_bit(Expr::binary(Binary::And, changed(RESULT), other))
            }
        }
    }

    /// A value with the sign N that is zero if Z is set.
    fn sign(&mut self) -> Expr {
        match self.sign {
            Sign::Kept => {
                self.needs |= 1 << NZ;
                register(NZ)
            }
            Sign::Result | Sign::Noted => register(NOTED),
        }
    }

    /// Are all flags those of a difference?
    fn is_difference(&self) -> bool {
        self.sign == Sign::Result && self.carry == Carry::Difference && self.overflow == Overflow::Difference
    }

    /// Not zero if condition `number` holds: 0 to 14, as in an instruction.
    pub fn holds(&mut self, number: u32) -> Expr {
        if number >= 14 {
            return Expr::Constant(1);
        }
        let negate = number & 1 != 0;
        if self.is_difference() {
            let [yes, no] = match number >> 1 {
                1 => [Binary::NotLess, Binary::Less],
                // Higher, or lower or the same.
                4 => [Binary::Higher, Binary::NotHigher],
                5 => [Binary::NotLessSigned, Binary::LessSigned],
                6 => [Binary::HigherSigned, Binary::NotHigherSigned],
                _ => return self.composed(number >> 1, negate),
            };
            return compared(if negate { no } else { yes });
        }
        self.composed(number >> 1, negate)
    }

    fn composed(&mut self, pair: u32, negate: bool) -> Expr {
        let not = |value: Expr| if negate { is_zero(value) } else { value };
        match pair {
            0 if negate => self.sign(),
            0 => is_zero(self.sign()),
            1 => not(self.carry()),
            2 => not(top_bit(self.sign())),
            3 => not(self.overflow()),
            4 => {
                let not_zero = is_zero(is_zero(self.sign()));
                not(Expr::binary(Binary::And, self.carry(), not_zero))
            }
            5 => {
                let less = self.less();
                if negate {
                    less
                } else {
                    is_zero(less)
                }
            }
            _ => {
                let not_higher = Expr::binary(Binary::Or, is_zero(self.sign()), self.less());
                if negate {
                    not_higher
                } else {
                    is_zero(not_higher)
                }
            }
        }
    }

    /// N is not V.
    fn less(&mut self) -> Expr {
        Expr::binary(Binary::Xor, top_bit(self.sign()), self.overflow())
    }

    /// What is set late, and what the block needs.
    #[must_use]
    pub fn finish(mut self) -> (Vec<(Register, Expr)>, u64) {
        let all = [(NZ, self.sign()), (C, self.carry()), (V, self.overflow())];
        let late = all.into_iter().filter(|(flag, value)| *value != register(*flag)).collect();
        (late, self.needs)
    }
}
