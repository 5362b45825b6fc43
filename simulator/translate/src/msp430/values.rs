//! Expressions, of which those of constants only are computed at once.

use crate::ir::{Binary, Expr, Unary};

pub fn constant(value: u32) -> Expr {
    Expr::Constant(value)
}

/// `left` and `right` combined.
pub fn binary(operation: Binary, left: Expr, right: Expr) -> Expr {
    match (&left, &right) {
        (&Expr::Constant(a), &Expr::Constant(b)) => match known(operation, a, b) {
            Some(value) => constant(value),
            None => Expr::binary(operation, left, right),
        },
        (_, Expr::Constant(0)) => match operation {
            Binary::Add | Binary::Subtract | Binary::Or | Binary::Xor => left,
            Binary::ShiftLeft | Binary::ShiftRight | Binary::ShiftRightSigned => left,
            Binary::And => constant(0),
            _ => Expr::binary(operation, left, right),
        },
        (Expr::Constant(0), _) => match operation {
            Binary::Add | Binary::Or | Binary::Xor => right,
            Binary::And => constant(0),
            _ => Expr::binary(operation, left, right),
        },
        _ => Expr::binary(operation, left, right),
    }
}

fn known(operation: Binary, a: u32, b: u32) -> Option<u32> {
    Some(match operation {
        Binary::Add => a.wrapping_add(b),
        Binary::Subtract => a.wrapping_sub(b),
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::ShiftLeft => a.wrapping_shl(b),
        Binary::ShiftRight => a.wrapping_shr(b),
        Binary::Equal => u32::from(a == b),
        Binary::NotLess => u32::from(a >= b),
        _ => return None,
    })
}

pub fn add(left: Expr, right: Expr) -> Expr {
    binary(Binary::Add, left, right)
}

pub fn subtract(left: Expr, right: Expr) -> Expr {
    binary(Binary::Subtract, left, right)
}

pub fn and(left: Expr, right: Expr) -> Expr {
    binary(Binary::And, left, right)
}

/// Some bits of a value.
pub fn masked(value: Expr, mask: u32) -> Expr {
    and(value, constant(mask))
}

pub fn or(left: Expr, right: Expr) -> Expr {
    binary(Binary::Or, left, right)
}

pub fn xor(left: Expr, right: Expr) -> Expr {
    binary(Binary::Xor, left, right)
}

pub fn left(value: Expr, by: u32) -> Expr {
    binary(Binary::ShiftLeft, value, constant(by))
}

pub fn right(value: Expr, by: u32) -> Expr {
    binary(Binary::ShiftRight, value, constant(by))
}

pub fn is_zero(value: Expr) -> Expr {
    binary(Binary::Equal, value, constant(0))
}

pub fn is_set(value: Expr) -> Expr {
    match value {
        Expr::Constant(value) => constant(u32::from(value != 0)),
        value => Expr::binary(Binary::NotEqual, value, constant(0)),
    }
}

pub fn signed_byte(value: Expr) -> Expr {
    Expr::unary(Unary::SignedByte, value)
}

pub fn signed_half(value: Expr) -> Expr {
    Expr::unary(Unary::SignedHalf, value)
}
