//! Registers in banks, of which a window shows some.

use super::{at, local, Emitter};
use crate::ir::{Expr, Register};
use crate::layout::BANKS;

/// Registers of a bank.
const SIZE: u32 = 4;

impl Emitter<'_, '_> {
    /// Sets `ADDRESS` to the offset of a bank from the first one.
    fn locate_bank(&mut self, bank: &Expr) {
        self.expr(bank);
        self.sink.i32_const(self.shape.banks as i32 - 1).i32_and();
        self.sink.i32_const((4 * SIZE).trailing_zeros() as i32).i32_shl().local_set(local::ADDRESS);
    }

    pub(super) fn save(&mut self, bank: &Expr, first: Register) {
        self.locate_bank(bank);
        for number in 0..SIZE {
            self.sink.local_get(local::ADDRESS).local_get(u32::from(first) + number);
            self.sink.i32_store(at(BANKS + 4 * number, 2));
        }
    }

    pub(super) fn restore(&mut self, bank: &Expr, first: Register) {
        self.locate_bank(bank);
        for number in 0..SIZE {
            self.sink.local_get(local::ADDRESS).i32_load(at(BANKS + 4 * number, 2));
            self.sink.local_set(u32::from(first) + number);
        }
    }
}
