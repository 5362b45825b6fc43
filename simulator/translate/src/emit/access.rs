//! Memory: data, the stack, lines of code.

use wasm_encoder::{BlockType, InstructionSink, ValType};

use super::{at, local, Emitter};
use crate::ir::{Expr, Register, Width};
use crate::layout::{self, Shape};

use pennyweight_machine::guard::{READ_BIT, WRITE_BIT};

impl Emitter<'_, '_> {
    /// Pushes whether an access at the offset in the local variable is within `size` bytes and aligned. The
    /// rotation puts the bits that must be zero on top.
    fn in_range(&mut self, size: u32, width: Width) {
        self.sink.local_get(local::ADDRESS);
        if width != Width::Byte {
            self.sink.i32_const(width.shift() as i32).i32_rotr();
        }
        self.sink.i32_const((size >> width.shift()) as i32).i32_lt_u();
    }

    pub(super) fn load(&mut self, to: Option<Register>, address: &Expr, width: Width, signed: bool) {
        let Shape { ram_base, ram_size, flash_base, flash_size, data_wait, .. } = *self.shape;
        let (ram, flash) = (self.layout.ram, self.layout.flash);
        self.expr(&address.clone().plus(ram_base.wrapping_neg()));
        self.sink.local_set(local::ADDRESS);
        self.in_range(ram_size, width);
        self.sink.if_(BlockType::Result(ValType::I32));
        self.guard(width, READ_BIT, local::FREE_READ);
        self.load_at(ram, width, signed);
        self.sink.else_();
        self.sink.local_get(local::ADDRESS).i32_const(ram_base.wrapping_sub(flash_base) as i32).i32_add();
        self.sink.local_set(local::ADDRESS);
        self.in_range(flash_size, width);
        self.sink.i32_eqz().if_(BlockType::Empty).unreachable().end();
        self.add_cycles(data_wait);
        self.load_at(flash, width, signed);
        self.sink.end();
        match to {
            Some(register) => self.sink.local_set(register.into()),
            None => self.sink.drop(),
        };
    }

    fn load_at(&mut self, offset: u32, width: Width, signed: bool) {
        let place = at(offset, width.shift());
        self.sink.local_get(local::ADDRESS);
        match (width, signed) {
            (Width::Byte, false) => self.sink.i32_load8_u(place),
            (Width::Byte, true) => self.sink.i32_load8_s(place),
            (Width::Half, false) => self.sink.i32_load16_u(place),
            (Width::Half, true) => self.sink.i32_load16_s(place),
            (Width::Word, _) => self.sink.i32_load(place),
        };
    }

    pub(super) fn store(&mut self, address: &Expr, value: &Expr, width: Width) {
        let Shape { ram_base, ram_size, .. } = *self.shape;
        let place = at(self.layout.ram, width.shift());
        self.expr(&address.clone().plus(ram_base.wrapping_neg()));
        self.sink.local_set(local::ADDRESS);
        self.in_range(ram_size, width);
        self.sink.i32_eqz().if_(BlockType::Empty).unreachable().end();
        self.guard(width, WRITE_BIT, local::FREE_WRITE);
        self.sink.local_get(local::ADDRESS);
        self.expr(value);
        match width {
            Width::Byte => self.sink.i32_store8(place),
            Width::Half => self.sink.i32_store16(place),
            Width::Word => self.sink.i32_store(place),
        };
        self.above_limit();
        self.sink.local_set(local::VALUE);
        self.lower_mark();
    }

    /// Pushes the offset of the access from the stack's limit.
    fn above_limit(&mut self) {
        let base = self.shape.ram_base;
        self.sink.local_get(local::ADDRESS).i32_const(base as i32).i32_add();
        self.sink.local_get(local::LIMIT).i32_sub();
    }

    /// Lowers the stack's mark to the offset in the local variable, if that is lower.
    fn lower_mark(&mut self) {
        self.sink.local_get(local::VALUE).local_get(local::LOW);
        self.sink.local_get(local::VALUE).local_get(local::LOW).i32_lt_u().select().local_set(local::LOW);
    }

    /// Traps if guard zones or free stack forbid the access to RAM.
    fn guard(&mut self, width: Width, bit: u8, free: u32) {
        if !self.guarded {
            return;
        }
        self.load_at(self.layout.forbidden, width, false);
        let mask = u32::from_le_bytes([bit; 4]) & (u64::MAX >> (64 - (8 << width.shift()))) as u32;
        self.sink.i32_const(mask as i32).i32_and();
        self.above_limit();
        self.sink.local_get(free).i32_lt_u().i32_or();
        self.sink.if_(BlockType::Empty).unreachable().end();
    }

    pub(super) fn set_stack(&mut self, value: &Expr) {
        self.expr(value);
        self.sink.local_tee(self.shape.stack_pointer).local_get(local::LIMIT).i32_lt_u();
        self.sink.if_(BlockType::Empty).unreachable().end();
        self.sink.local_get(self.shape.stack_pointer).local_get(local::LIMIT).i32_sub();
        self.sink.local_set(local::VALUE);
        self.lower_mark();
        if self.guarded {
            self.set_free_stack(|sink, _| {
                sink.local_get(local::VALUE);
            });
        }
    }

    /// Computes how much of the stack is free from the stack pointer's offset, which `offset` pushes: nothing
    /// if it is outside of the stack.
    pub(super) fn set_free_stack(&mut self, offset: impl FnOnce(&mut InstructionSink<'_>, &Shape)) {
        offset(&mut self.sink, self.shape);
        self.sink.local_tee(local::VALUE).i32_const(0).local_get(local::VALUE);
        self.sink.i32_const(0).i32_load(at(layout::SPAN, 2)).i32_le_u().select().local_set(local::VALUE);
        for (mask, free) in [(layout::NO_READ, local::FREE_READ), (layout::NO_WRITE, local::FREE_WRITE)] {
            self.sink.i32_const(0).i32_load(at(mask, 2)).local_get(local::VALUE).i32_and().local_set(free);
        }
    }

    /// Execution comes to a line of code: in its set, lines are in the order of their use.
    pub(super) fn line(&mut self, line: u32) {
        let Some(cache) = self.shape.cache else { return };
        let first = self.layout.held + 4 * cache.ways * (line & (cache.sets - 1));
        self.sink.block(BlockType::Empty);
        self.sink.i32_const(0).i32_load(at(first, 2)).local_tee(local::ADDRESS);
        self.sink.i32_const(line as i32).i32_eq().br_if(0);
        self.sink.i32_const(0).i32_const(line as i32).i32_store(at(first, 2));
        for way in 1..cache.ways {
            let place = at(first + 4 * way, 2);
            self.sink.i32_const(0).i32_load(place).local_set(local::VALUE);
            self.sink.i32_const(0).local_get(local::ADDRESS).i32_store(place);
            self.sink.local_get(local::VALUE).local_tee(local::ADDRESS);
            self.sink.i32_const(line as i32).i32_eq().br_if(0);
        }
        self.add_cycles(cache.miss);
        self.sink.end();
    }
}
