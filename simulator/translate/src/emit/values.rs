//! Values, and how long divisions take.

use wasm_encoder::{BlockType, ValType};

use super::{local, Emitter};
use crate::ir::{Addend, Binary, Expr, Register, Unary};
use crate::layout::Division;

impl Emitter<'_, '_> {
    pub(super) fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Constant(value) => {
                self.sink.i32_const(*value as i32);
            }
            Expr::Register(register) => {
                self.sink.local_get(u32::from(*register));
            }
            Expr::Unary(operation, operand) => {
                self.expr(operand);
                match operation {
                    Unary::LeadingZeros => self.sink.i32_clz(),
                    Unary::TrailingZeros => self.sink.i32_ctz(),
                    Unary::Ones => self.sink.i32_popcnt(),
                    Unary::SignedByte => self.sink.i32_extend8_s(),
                    Unary::SignedHalf => self.sink.i32_extend16_s(),
                };
            }
            Expr::Binary(operation, left, right) => self.binary(*operation, left, right),
            Expr::Choice(parts) => {
                let [condition, yes, no] = &**parts;
                self.expr(yes);
                self.expr(no);
                self.expr(condition);
                self.sink.select();
            }
        }
    }

    fn binary(&mut self, operation: Binary, left: &Expr, right: &Expr) {
        match operation {
            Binary::MultiplyHigh => return self.product(left, right, [false, false]),
            Binary::MultiplyHighSigned => return self.product(left, right, [true, true]),
            Binary::MultiplyHighMixed => return self.product(left, right, [true, false]),
            Binary::Quotient | Binary::QuotientSigned | Binary::Remainder | Binary::RemainderSigned => {
                return self.quotient(operation, left, right);
            }
            _ => {}
        }
        self.expr(left);
        self.expr(right);
        match operation {
            Binary::Add => self.sink.i32_add(),
            Binary::Subtract => self.sink.i32_sub(),
            Binary::And => self.sink.i32_and(),
            Binary::Or => self.sink.i32_or(),
            Binary::Xor => self.sink.i32_xor(),
            Binary::ShiftLeft => self.sink.i32_shl(),
            Binary::ShiftRight => self.sink.i32_shr_u(),
            Binary::ShiftRightSigned => self.sink.i32_shr_s(),
            Binary::RotateLeft => self.sink.i32_rotl(),
            Binary::RotateRight => self.sink.i32_rotr(),
            Binary::Equal => self.sink.i32_eq(),
            Binary::NotEqual => self.sink.i32_ne(),
            Binary::Less => self.sink.i32_lt_u(),
            Binary::LessSigned => self.sink.i32_lt_s(),
            Binary::NotLess => self.sink.i32_ge_u(),
            Binary::NotLessSigned => self.sink.i32_ge_s(),
            Binary::Higher => self.sink.i32_gt_u(),
            Binary::HigherSigned => self.sink.i32_gt_s(),
            Binary::NotHigher => self.sink.i32_le_u(),
            Binary::NotHigherSigned => self.sink.i32_le_s(),
            _ => self.sink.i32_mul(),
        };
    }

    /// The high half of a product.
    fn product(&mut self, left: &Expr, right: &Expr, signed: [bool; 2]) {
        self.wide_product([left, right], signed);
        self.sink.i64_const(32).i64_shr_u().i32_wrap_i64();
    }

    /// Pushes a product of 64 bits.
    fn wide_product(&mut self, factors: [&Expr; 2], signed: [bool; 2]) {
        for (operand, signed) in factors.into_iter().zip(signed) {
            self.expr(operand);
            if signed {
                self.sink.i64_extend_i32_s();
            } else {
                self.sink.i64_extend_i32_u();
            }
        }
        self.sink.i64_mul();
    }

    /// Sets the registers `to` to the words of a product and addends.
    pub(super) fn long_product(
        &mut self,
        to: [Register; 2],
        [left, right]: &[Expr; 2],
        signed: bool,
        addend: Addend,
    ) {
        let [low, high] = to.map(u32::from);
        self.wide_product([left, right], [signed; 2]);
        if addend != Addend::None {
            self.sink.local_get(low).i64_extend_i32_u().i64_add();
            self.sink.local_get(high).i64_extend_i32_u();
            if addend == Addend::Both {
                self.sink.i64_const(32).i64_shl();
            }
            self.sink.i64_add();
        }
        self.sink.local_tee(local::PRODUCT).i32_wrap_i64().local_set(low);
        self.sink.local_get(local::PRODUCT).i64_const(32).i64_shr_u().i32_wrap_i64().local_set(high);
    }

    fn quotient(&mut self, operation: Binary, dividend: &Expr, divisor: &Expr) {
        self.expr(divisor);
        self.sink.if_(BlockType::Result(ValType::I32));
        if operation == Binary::QuotientSigned {
            // In 64 bits nothing overflows.
            for operand in [dividend, divisor] {
                self.expr(operand);
                self.sink.i64_extend_i32_s();
            }
            self.sink.i64_div_s().i32_wrap_i64();
        } else {
            self.expr(dividend);
            self.expr(divisor);
            match operation {
                Binary::Quotient => self.sink.i32_div_u(),
                Binary::Remainder => self.sink.i32_rem_u(),
                _ => self.sink.i32_rem_s(),
            };
        }
        self.sink.else_();
        if matches!(operation, Binary::Quotient | Binary::QuotientSigned) {
            self.sink.i32_const(-1);
        } else {
            self.expr(dividend);
        }
        self.sink.end();
    }

    /// Adds the cycles of a division beyond the first.
    pub(super) fn division(&mut self, dividend: &Expr, divisor: &Expr, signed: bool) {
        match self.shape.division {
            Division::ByQuotient(least, most) => self.quotient_bits(dividend, divisor, signed, (least, most)),
            Division::ByDivisor(least) => {
                // Of a negative divisor the zeros of its complement, but the sign.
                self.expr(divisor);
                if signed {
                    self.expr(divisor);
                    self.sink.i32_const(31).i32_shr_s().i32_xor();
                }
                self.sink.i32_clz();
                if signed {
                    self.expr(divisor);
                    self.sink.i32_const(31).i32_shr_u().i32_sub();
                }
                self.sink.i32_const(least as i32).i32_add().local_set(local::VALUE);
            }
            Division::Fixed(cycles) => {
                self.sink.i32_const(cycles as i32);
                if signed {
                    self.expr(dividend);
                    self.sink.i32_const(31).i32_shr_u().i32_add();
                }
                self.sink.local_set(local::VALUE);
            }
        }
        self.sink.local_get(local::VALUE).i32_const(1).i32_sub();
        self.add_counted();
    }

    /// Sets the local variable for values to the bits that a quotient can have and one more, within limits.
    fn quotient_bits(&mut self, dividend: &Expr, divisor: &Expr, signed: bool, (least, most): (u32, u32)) {
        self.absolute(divisor, signed);
        self.sink.local_tee(local::ADDRESS).i32_clz().i32_const(1).i32_add();
        self.absolute(dividend, signed);
        self.sink.i32_clz().i32_sub().local_set(local::VALUE);
        // Bits of the quotient: at least none, and all for a division by zero.
        self.sink.local_get(local::VALUE).i32_const(0);
        self.sink.local_get(local::VALUE).i32_const(0).i32_gt_s().select().local_set(local::VALUE);
        self.sink.i32_const(32).local_get(local::VALUE).local_get(local::ADDRESS).i32_eqz().select();
        self.sink.i32_const(1).i32_add().local_set(local::VALUE);
        for (limit, above) in [(least, false), (most, true)] {
            self.sink.i32_const(limit as i32).local_get(local::VALUE);
            self.sink.local_get(local::VALUE).i32_const(limit as i32);
            if above {
                self.sink.i32_gt_s();
            } else {
                self.sink.i32_lt_s();
            }
            self.sink.select().local_set(local::VALUE);
        }
    }

    fn absolute(&mut self, value: &Expr, signed: bool) {
        self.expr(value);
        if signed {
            // (x ^ sign) - sign
            self.expr(value);
            self.sink.i32_const(31).i32_shr_s().i32_xor();
            self.expr(value);
            self.sink.i32_const(31).i32_shr_s().i32_sub();
        }
    }
}
