//! Flash and RAM behind a bus matrix in translated code: nodes of the graph that [`Waits`] keeps are followed.
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

    /// Goes on to the node behind the block on this way; leaves the code if it is not known.
    pub(super) fn next_node(&mut self, way: usize, exit: usize) {
        if self.shape.matrix_shift.is_none() {
            return;
        }
        self.sink.local_get(local::NODE).i32_load(at(4 + 4 * way as u32, 2));
        self.set_node(exit);
    }

    /// The same behind a computed jump to the block whose number, counted from one, is in `PLACE`. So many bytes
    /// from the address `near` on are near.
    pub(super) fn node_at_target(&mut self, (first, bytes): (u32, u32), exit: usize) {
        if self.shape.matrix_shift.is_none() {
            return;
        }
        self.sink.local_get(local::TARGET).i32_const(first as i32).i32_sub().local_tee(local::VALUE);
        self.sink.i32_const(bytes as i32).i32_lt_u().if_(BlockType::Result(ValType::I32));
        self.sink.local_get(local::VALUE).i32_const(1).i32_shl();
        self.sink.local_get(local::NODE).i32_add().i32_load(at(NEAR, 2));
        self.sink.else_();
        self.sink.local_get(local::NODE).i32_load(at(4, 2));
        self.sink.local_get(local::PLACE).i32_const(0xffff).i32_and().i32_const(2).i32_shl().i32_add();
        self.sink.i32_load(at(0, 2));
        self.sink.end();
        self.set_node(exit);
    }

    fn set_node(&mut self, exit: usize) {
        self.sink.local_tee(local::VALUE).i32_eqz();
        self.if_();
        self.leave(exit);
        self.end_if();
        self.sink.local_get(local::VALUE).local_set(local::NODE);
    }
}
