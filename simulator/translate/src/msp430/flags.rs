//! The status register, whose flags are computed where they are needed.
//!
//! An operation sets values that only its block sees; those that nothing uses are removed. What remains at the
//! end of a block is set late: where the code is left, and in front of blocks that need it. The forms of the
//! flags are the interpreter's (`flags` there).

use pennyweight_msp430::Condition;

use super::registers::{value, C, CONTROL, NEW, NZ, V};
use super::values::{constant, is_set, is_zero, left, masked, or, right, xor};
use crate::ir::{Expr, Register, Step};

/// The bits of the status register that are no flags.
pub const CONTROL_BITS: u32 = 0xf8;
/// CPUOFF.
const CPUOFF: u32 = 0x10;

/// The flags at a place in a block.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// Those that the block has set, in the order of [`LATE`].
    set: [bool; 3],
    /// Those that it has read before, as bits.
    needs: u64,
    /// N and Z are those of a result, not of a write to the register.
    plain: bool,
}

/// All of them.
const LATE: [Register; 3] = [C, NZ, V];

fn place(flag: Register) -> usize {
    match flag {
        C => 0,
        NZ => 1,
        _ => 2,
    }
}

impl Flags {
    /// A flag becomes a value.
    pub fn set(&mut self, flag: Register, value: Expr, steps: &mut Vec<Step>) {
        steps.push(Step::Set(NEW[place(flag)], value));
        self.set[place(flag)] = true;
        if flag == NZ {
            self.plain = true;
        }
    }

    /// A flag's value.
    pub fn get(&mut self, flag: Register) -> Expr {
        if self.set[place(flag)] {
            return value(NEW[place(flag)]);
        }
        self.needs |= 1 << flag;
        value(flag)
    }

    /// Not zero unless Z is set.
    fn not_zero(&mut self) -> Expr {
        let nz = self.get(NZ);
        if self.plain {
            nz
        } else {
            masked(nz, 0xffff)
        }
    }

    /// N in bit 15, with other bits.
    fn negative(&mut self) -> Expr {
        let nz = self.get(NZ);
        if self.plain {
            nz
        } else {
            or(nz.clone(), right(nz, 1))
        }
    }

    /// The register.
    pub fn sr(&mut self) -> Expr {
        let v = right(masked(self.get(V), 0x8000), 7);
        let n = right(masked(self.negative(), 0x8000), 13);
        let z = left(is_zero(self.not_zero()), 1);
        or(or(or(v, n), or(z, self.get(C))), value(CONTROL))
    }

    /// The register becomes a value, with a check that the CPU does not stop.
    pub fn set_sr(&mut self, value: &Expr, steps: &mut Vec<Step>) {
        let value = || value.clone();
        self.set(C, masked(value(), 1), steps);
        let not_zero = masked(xor(right(value(), 1), constant(1)), 1);
        self.set(NZ, or(not_zero, masked(left(value(), 14), 0x1_0000)), steps);
        self.plain = false;
        self.set(V, masked(left(value(), 7), 0x8000), steps);
        steps.push(Step::Set(CONTROL, masked(value(), CONTROL_BITS)));
        steps.push(Step::Check(is_zero(masked(value(), CPUOFF))));
    }

    /// Not zero if the condition of a jump holds; none if it always does.
    pub fn holds(&mut self, condition: Condition) -> Option<Expr> {
        let is_signed_less = |flags: &mut Flags| {
            let (n, v) = (flags.negative(), flags.get(V));
            masked(xor(n, v), 0x8000)
        };
        Some(match condition {
            Condition::Jne => self.not_zero(),
            Condition::Jeq => is_zero(self.not_zero()),
            Condition::Jnc => is_zero(self.get(C)),
            Condition::Jc => self.get(C),
            Condition::Jn => masked(self.negative(), 0x8000),
            Condition::Jge => is_zero(is_signed_less(self)),
            Condition::Jl => is_signed_less(self),
            Condition::Jmp => return None,
        })
    }

    /// C becomes 1 if a value is not zero.
    pub fn carry_if(&mut self, value: Expr, steps: &mut Vec<Step>) {
        self.set(C, is_set(value), steps);
    }

    /// What is set late, and what the block needs.
    pub fn finish(mut self) -> (Vec<(Register, Expr)>, u64) {
        let late = LATE.map(|flag| (flag, self.get(flag)));
        (late.into_iter().filter(|(flag, value)| *value != Expr::Register(*flag)).collect(), self.needs)
    }
}
