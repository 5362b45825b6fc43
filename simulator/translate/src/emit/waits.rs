//! Flash and RAM behind a bus matrix in translated code: nodes of the graph that [`Waits`] keeps are
//! followed.
//!
//! [`Waits`]: crate::waits::Waits

use wasm_encoder::{BlockType, ValType};

use super::{at, local, Emitter};
use crate::ir::Events;
use crate::waits::NEAR;

impl Emitter<'_, '_> {
    /// Adds the cycles that the block waits.
    pub(super) fn wait_as_known(&mut self, events: &Events) {
        if self.shape.matrix_shift.is_some() && !events.within.is_empty() {
            self.sink.local_get(local::NODE).i32_load(at(0, 2));
            self.add_counted();
        }
    }

    /// Continues with the node behind the block on this way; leaves the code if it is not known.
    pub(super) fn next_node(&mut self, way: usize, exit: usize) {
        if self.shape.matrix_shift.is_none() {
            return;
        }
        self.find_node(way);
        self.sink.local_get(local::VALUE).i32_eqz();
        self.if_();
        self.leave(exit);
        self.end_if();
        self.take_node();
    }

    /// Sets `VALUE` to the node behind the block on this way, or to 0 if it is not known.
    pub(super) fn find_node(&mut self, way: usize) {
        self.sink.local_get(local::NODE).i32_load(at(4 + 4 * way as u32, 2)).local_set(local::VALUE);
    }

    /// The same behind a computed jump to the block whose number, counted from one, is in `PLACE`. So many
    /// bytes from the address `near` on are near.
    pub(super) fn find_node_at_target(&mut self, (first, bytes): (u32, u32)) {
        self.sink.local_get(local::TARGET).i32_const(first as i32).i32_sub().local_tee(local::VALUE);
        self.sink.i32_const(bytes as i32).i32_lt_u().if_(BlockType::Result(ValType::I32));
        self.sink.local_get(local::VALUE).i32_const(1).i32_shl();
        self.sink.local_get(local::NODE).i32_add().i32_load(at(NEAR, 2));
        self.sink.else_();
        self.sink.local_get(local::NODE).i32_load(at(4, 2));
        self.sink.local_get(local::PLACE).i32_const(0xffff).i32_and().i32_const(2).i32_shl().i32_add();
        self.sink.i32_load(at(0, 2));
        self.sink.end().local_set(local::VALUE);
    }

    /// The same for the way whose number is in `PLACE`; begins what is done if it is not known.
    pub(super) fn if_way_is_unknown(&mut self) {
        self.sink.local_get(local::PLACE).i32_const(2).i32_shl().local_get(local::NODE).i32_add();
        self.sink.i32_load(at(4, 2)).local_tee(local::VALUE).i32_eqz();
        self.if_();
    }

    /// Begins what is done if the node in `VALUE` is not known or the budget is spent.
    pub(super) fn if_unknown_or_spent(&mut self) {
        self.sink.local_get(local::VALUE).i32_eqz();
        self.sink.local_get(local::CYCLES).local_get(local::BUDGET).i64_ge_u().i32_or();
        self.if_();
    }

    /// Continues with the node in `VALUE`.
    pub(super) fn take_node(&mut self) {
        if self.shape.matrix_shift.is_some() {
            self.sink.local_get(local::VALUE).local_set(local::NODE);
        }
    }
}
