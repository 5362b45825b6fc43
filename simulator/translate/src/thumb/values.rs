//! Short names for expressions.

use super::lower::value;
use crate::ir::{Binary, Expr, Unary};
use pennyweight_thumb::registers::Reg;

pub fn constant(value: u32) -> Expr {
    Expr::Constant(value)
}

pub fn equal(left: Expr, right: Expr) -> Expr {
    Expr::binary(Binary::Equal, left, right)
}

pub fn less(left: Expr, right: Expr) -> Expr {
    Expr::binary(Binary::Less, left, right)
}

pub fn and(left: Expr, right: Expr) -> Expr {
    Expr::binary(Binary::And, left, right)
}

pub fn or(left: Expr, right: Expr) -> Expr {
    Expr::binary(Binary::Or, left, right)
}

pub fn xor(left: Expr, right: Expr) -> Expr {
    Expr::binary(Binary::Xor, left, right)
}

pub fn not(value: Expr) -> Expr {
    xor(value, constant(u32::MAX))
}

pub fn add(left: Expr, right: Expr) -> Expr {
    Expr::binary(Binary::Add, left, right)
}

pub fn subtract(left: Expr, right: Expr) -> Expr {
    Expr::binary(Binary::Subtract, left, right)
}

pub fn multiply(left: Expr, right: Expr) -> Expr {
    Expr::binary(Binary::Multiply, left, right)
}

/// `value` shifted left by 0 to 31.
pub fn left(value: Expr, by: u32) -> Expr {
    if by == 0 {
        value
    } else {
        Expr::binary(Binary::ShiftLeft, value, constant(by))
    }
}

/// `value` shifted right by 0 to 31, zeros shifted in.
pub fn right(value: Expr, by: u32) -> Expr {
    if by == 0 {
        value
    } else {
        Expr::binary(Binary::ShiftRight, value, constant(by))
    }
}

/// `value` shifted right by 0 to 31, signs shifted in.
pub fn right_signed(value: Expr, by: u32) -> Expr {
    if by == 0 {
        value
    } else {
        Expr::binary(Binary::ShiftRightSigned, value, constant(by))
    }
}

pub fn rotated(value: Expr, by: u32) -> Expr {
    if by & 31 == 0 {
        value
    } else {
        Expr::binary(Binary::RotateRight, value, constant(by & 31))
    }
}

/// All ones if `value` is negative, else 0.
pub fn sign(value: Expr) -> Expr {
    right_signed(value, 31)
}

/// 1 if `value` is negative, else 0.
pub fn top_bit(value: Expr) -> Expr {
    right(value, 31)
}

pub fn less_signed(left: Expr, right: Expr) -> Expr {
    Expr::binary(Binary::LessSigned, left, right)
}

/// A half of a register, signed.
pub fn half(reg: Reg, upper: bool) -> Expr {
    if upper {
        right_signed(value(reg), 16)
    } else {
        Expr::unary(Unary::SignedHalf, value(reg))
    }
}
