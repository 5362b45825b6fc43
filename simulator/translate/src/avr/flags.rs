//! SREG, whose flags are computed where they are needed.
//!
//! An operation sets values that only its block sees; those that nothing uses are removed. What remains at the
//! end of a block is set late: where the code is left, and in front of blocks that need it. The forms of the
//! flags are the interpreter's (`flags` there).

use super::registers::{C, H, IT, N, NEW, V, Z};
use crate::ir::{Binary, Expr, Register, Step};

/// The flags at a place in a block.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// Those that the block has set, as bits.
    set: u64,
    /// Those that it has read before.
    needs: u64,
    /// V may be such that S is not N ^ V.
    odd: bool,
}

/// All but I and T.
const LATE: [Register; 5] = [C, Z, N, V, H];

pub fn constant(value: u32) -> Expr {
    Expr::Constant(value)
}

pub fn and(left: Expr, right: u32) -> Expr {
    Expr::binary(Binary::And, left, constant(right))
}

pub fn or(left: Expr, right: Expr) -> Expr {
    Expr::binary(Binary::Or, left, right)
}

pub fn xor(left: Expr, right: Expr) -> Expr {
    Expr::binary(Binary::Xor, left, right)
}

pub fn left(value: Expr, by: u32) -> Expr {
    Expr::binary(Binary::ShiftLeft, value, constant(by))
}

pub fn right(value: Expr, by: u32) -> Expr {
    Expr::binary(Binary::ShiftRight, value, constant(by))
}

pub fn is_zero(value: Expr) -> Expr {
    Expr::binary(Binary::Equal, value, constant(0))
}

fn it() -> Expr {
    Expr::Register(IT)
}

impl Flags {
    /// A flag becomes a value.
    pub fn set(&mut self, flag: Register, value: Expr, steps: &mut Vec<Step>) {
        steps.push(Step::Set(NEW + (flag - C), value));
        self.set |= 1 << flag;
        if flag == V {
            self.odd = false;
        }
    }

    /// A flag's value.
    pub fn get(&mut self, flag: Register) -> Expr {
        if self.set >> flag & 1 != 0 {
            return Expr::Register(NEW + (flag - C));
        }
        self.needs |= 1 << flag;
        Expr::Register(flag)
    }

    /// Not zero if V is set.
    fn overflow(&mut self) -> Expr {
        let v = self.get(V);
        and(xor(v.clone(), right(v, 1)), 0x80)
    }

    /// Not zero if S is set.
    fn sign(&mut self) -> Expr {
        let is_plain = self.set >> V & 1 != 0 && !self.odd;
        let (n, v) = (self.get(N), self.get(V));
        let sum = xor(xor(n, v.clone()), right(v.clone(), 1));
        if is_plain {
            return and(sum, 0x80);
        }
        and(xor(right(sum, 7), xor(right(v.clone(), 30), right(v, 31))), 1)
    }

    /// SREG.
    pub fn sreg(&mut self) -> Expr {
        let bit = |value: Expr| is_zero(is_zero(value));
        let (overflow, sign) = (bit(self.overflow()), bit(self.sign()));
        let z = is_zero(self.get(Z));
        let n = and(right(self.get(N), 5), 4);
        let h = and(left(self.get(H), 1), 0x20);
        let low = or(or(self.get(C), left(z, 1)), or(n, left(overflow, 3)));
        or(or(low, left(sign, 4)), or(h, it()))
    }

    /// SREG becomes a register's value.
    pub fn set_sreg(&mut self, value: &Expr, steps: &mut Vec<Step>) {
        let value = || value.clone();
        self.set(C, and(value(), 1), steps);
        self.set(Z, and(xor(value(), constant(2)), 2), steps);
        self.set(N, and(left(value(), 5), 0x80), steps);
        let odd = xor(xor(right(value(), 4), right(value(), 3)), right(value(), 2));
        self.set(V, or(and(left(value(), 5), 0x100), left(odd, 31)), steps);
        self.odd = true;
        self.set(H, and(right(value(), 1), 0x10), steps);
        steps.push(Step::Set(IT, and(value(), 0xc0)));
    }

    /// BSET and BCLR: the flags of a mask become 1 or 0. N, V and S leave another one unchanged, so that
    /// these are not translated: false.
    pub fn assign(&mut self, mask: u8, is_set: bool, steps: &mut Vec<Step>) -> bool {
        let choose = |yes, no| constant(if is_set { yes } else { no });
        match mask {
            1 => self.set(C, choose(1, 0), steps),
            2 => self.set(Z, choose(0, 1), steps),
            0x20 => self.set(H, choose(0x10, 0), steps),
            0x40 | 0x80 => {
                let mask = u32::from(mask);
                let value = if is_set { or(it(), constant(mask)) } else { and(it(), mask ^ 0xc0) };
                steps.push(Step::Set(IT, value));
            }
            _ => return false,
        }
        true
    }

    /// N, Z and V become those of the result of a logical operation.
    pub fn logic(&mut self, result: &Expr, steps: &mut Vec<Step>) {
        self.set(Z, result.clone(), steps);
        self.set(N, result.clone(), steps);
        self.set(V, constant(0), steps);
    }

    /// Not zero if the condition holds: the number of the flag in SREG.
    pub fn holds(&mut self, flag: u32, is_set: bool) -> Expr {
        let value = match flag {
            0 => self.get(C),
            1 if is_set => return is_zero(self.get(Z)),
            1 => return self.get(Z),
            2 => and(self.get(N), 0x80),
            3 => self.overflow(),
            4 => self.sign(),
            5 => and(self.get(H), 0x10),
            6 => and(it(), 0x40),
            _ => and(it(), 0x80),
        };
        if is_set {
            value
        } else {
            is_zero(value)
        }
    }

    /// What is set late, and what the block needs.
    pub fn finish(mut self) -> (Vec<(Register, Expr)>, u64) {
        let late = LATE.map(|flag| (flag, self.get(flag)));
        (late.into_iter().filter(|(flag, value)| *value != Expr::Register(*flag)).collect(), self.needs)
    }
}
