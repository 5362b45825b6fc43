//! Memory: data, the stack, lines of code.
//!
//! Checks have no branches, so that a block of guest code stays one block for the compiler: a check that fails
//! selects an offset outside of linear memory, and the access traps.

use wasm_encoder::{BlockType, Function, InstructionSink, ValType};

use super::{at, local, Emitter};
use crate::copies;
use crate::ir::{Alignment, Expr, Memory, Register, Step, Width};
use crate::layout::{self, CacheShape, Layout, Shape, ZEROS};

use pennyweight_machine::guard::{READ_BIT, WRITE_BIT};

/// An offset outside of linear memory.
const OUTSIDE: i32 = -0x1_0000;

impl Emitter<'_, '_> {
    /// Pushes the offset on WebAssembly's stack, or one outside of linear memory if it must be a multiple of the
    /// width and is not: its low bits are put on top.
    fn aligned(&mut self, local: u32, width: Width, alignment: Alignment) {
        self.sink.local_get(local);
        if width != Width::Byte && alignment == Alignment::Strict {
            self.sink.local_get(local).i32_const(32 - width.shift() as i32).i32_shl().i32_or();
        }
    }

    /// Sets `ADDRESS` to the offset of an address in RAM. Behind RAM, linear memory ends.
    fn locate(&mut self, address: &Expr) {
        self.expr(&address.clone().plus(self.shape.ram_base.wrapping_neg()));
        self.sink.local_set(local::ADDRESS);
    }

    pub(super) fn load(
        &mut self,
        memory: Memory,
        to: Option<Register>,
        address: &Expr,
        alignment: Alignment,
        (width, signed): (Width, bool),
    ) {
        let Shape { ram_base, ram_size, data_wait, .. } = *self.shape;
        if memory == Memory::Code {
            return self.load_code(to, address);
        }
        let may_be_flash = self.may_be_flash(memory, address);
        // Such a flash is read before the cycles pass that an access is split into.
        let reads_line = self.shape.stream.is_some() || self.shape.split_cache.is_some();
        let reads_ahead = reads_line && may_be_flash;
        self.locate(address);
        if reads_ahead {
            self.settle();
        } else {
            self.split(width, alignment, self.guarded);
        }
        if memory == Memory::Flash {
            self.flash_offset(width, alignment);
            self.add_cycles(data_wait);
            self.load_here(0, width, signed);
        } else if !may_be_flash {
            self.aligned(local::ADDRESS, width, alignment);
            self.guard(width, READ_BIT, local::FREE_READ, false);
            self.load_here(self.layout.ram, width, signed);
        } else {
            self.aligned(local::ADDRESS, width, alignment);
            self.sink.i32_const(ram_size as i32).i32_lt_u().local_set(local::FLAG);
            self.sink.local_get(local::ADDRESS).i32_const(self.layout.ram as i32).i32_add();
            self.flash_offset(width, alignment);
            self.sink.local_get(local::FLAG).select();
            if data_wait != 0 {
                self.sink.i64_const(0).i64_const(data_wait.into()).local_get(local::FLAG).select();
                self.sink.local_get(local::CYCLES).i64_add().local_set(local::CYCLES);
            }
            self.guard(width, READ_BIT, local::FREE_READ, true);
            self.load_here(0, width, signed);
        }
        match to {
            Some(register) => self.sink.local_set(register.into()),
            None => self.sink.drop(),
        };
        if let Some(cache) =
            self.shape.cache.filter(|cache| memory == Memory::Any && may_be_flash && cache.shared)
        {
            self.sink.local_get(local::FLAG).i32_eqz().if_(BlockType::Empty);
            self.sink.local_get(local::ADDRESS).i32_const(ram_base as i32).i32_add();
            self.sink.i32_const(cache.line_shift as i32).i32_shr_u().local_tee(local::VALUE);
            if width == Width::Byte || alignment != Alignment::Split {
                self.sink.local_get(local::VALUE);
            } else {
                // Its parts may be in two lines.
                let behind = ram_base.wrapping_add(width.bytes() - 1);
                self.sink.local_get(local::ADDRESS).i32_const(behind as i32).i32_add();
                self.sink.i32_const(cache.line_shift as i32).i32_shr_u();
            }
            self.sink.call(self.shape.lines_function());
            self.add_counted();
            self.sink.end();
        }
        if self.shape.ahead.is_some() && may_be_flash {
            self.read_flash_word(width, alignment);
        }
        if reads_ahead {
            self.read_flash(width, alignment);
            self.split(width, alignment, self.guarded);
        }
    }

    /// Loads a byte of flash at an address of code.
    fn load_code(&mut self, to: Option<Register>, address: &Expr) {
        self.expr(address);
        self.sink.local_tee(local::ADDRESS).i32_const(OUTSIDE);
        self.sink.local_get(local::ADDRESS).i32_const(self.shape.flash_size as i32).i32_lt_u().select();
        self.load_here(self.layout.flash, Width::Byte, false);
        match to {
            Some(register) => self.sink.local_set(register.into()),
            None => self.sink.drop(),
        };
    }

    /// Pushes the offset of the address in flash whose offset from RAM is in `ADDRESS`, or one outside of linear
    /// memory.
    fn flash_offset(&mut self, width: Width, alignment: Alignment) {
        let Shape { ram_base, flash_base, shown, .. } = *self.shape;
        let by = ram_base.wrapping_sub(flash_base) as i32;
        self.sink.local_get(local::ADDRESS).i32_const(by).i32_add().local_set(local::VALUE);
        self.sink.local_get(local::VALUE).i32_const(self.layout.flash as i32).i32_add().i32_const(OUTSIDE);
        self.aligned(local::VALUE, width, alignment);
        let end = match alignment {
            Alignment::Split => shown.saturating_sub(width.bytes() - 1),
            Alignment::Known | Alignment::Strict => shown,
        };
        self.sink.i32_const(end as i32).i32_lt_u().select();
    }

    /// Adds the cycles of what the access at the address in `ADDRESS` is split into. With `one_side`, traps if
    /// some of it may be below the stack's limit and some above: marks and checks use the first byte only.
    fn split(&mut self, width: Width, alignment: Alignment, one_side: bool) {
        if alignment != Alignment::Split || width == Width::Byte {
            return;
        }
        self.settle();
        self.sink.local_get(local::ADDRESS).i32_const(width.bytes() as i32 - 1).i32_and();
        self.sink.if_(BlockType::Empty);
        if one_side {
            self.above_limit();
            self.sink.i32_const(-(width.bytes() as i32)).i32_gt_u();
            self.sink.if_(BlockType::Empty).unreachable().end();
        }
        // A word at an odd address: byte, half, byte. Otherwise two parts.
        if width == Width::Word {
            self.sink.local_get(local::ADDRESS).i32_const(1).i32_and().i32_const(1).i32_add();
        } else {
            self.sink.i32_const(1);
        }
        if self.shape.split != 1 {
            self.sink.i32_const(self.shape.split as i32).i32_mul();
        }
        self.add_counted();
        self.sink.end();
    }

    /// Does it contain a load that may read flash?
    pub(super) fn reads_flash(&self, step: &Step) -> bool {
        match step {
            Step::Load { memory, address, .. } => self.may_be_flash(*memory, address),
            Step::If(_, steps) => steps.iter().any(|step| self.reads_flash(step)),
            _ => false,
        }
    }

    fn may_be_flash(&self, memory: Memory, address: &Expr) -> bool {
        match memory {
            Memory::Any => self.shape.shown != 0 && self.shape.flash_loads && !self.is_on_stack(address),
            Memory::Ram | Memory::Code => false,
            Memory::Flash => true,
        }
    }

    /// Is it the stack pointer and an offset? Such an access to flash is left to the interpreter.
    fn is_on_stack(&self, address: &Expr) -> bool {
        match address {
            Expr::Register(register) => u32::from(*register) == self.shape.stack_pointer,
            Expr::Binary(_, base, _) => self.is_on_stack(base),
            _ => false,
        }
    }

    /// Loads from the offset on WebAssembly's stack.
    fn load_here(&mut self, offset: u32, width: Width, signed: bool) {
        let place = at(offset, width.shift());
        match (width, signed) {
            (Width::Byte, false) => self.sink.i32_load8_u(place),
            (Width::Byte, true) => self.sink.i32_load8_s(place),
            (Width::Half, false) => self.sink.i32_load16_u(place),
            (Width::Half, true) => self.sink.i32_load16_s(place),
            (Width::Word, _) => self.sink.i32_load(place),
        };
    }

    pub(super) fn store(&mut self, address: &Expr, value: &Expr, alignment: Alignment, width: Width) {
        let place = at(self.layout.ram, width.shift());
        self.locate(address);
        self.split(width, alignment, true);
        self.aligned(local::ADDRESS, width, alignment);
        self.guard(width, WRITE_BIT, local::FREE_WRITE, false);
        self.expr(value);
        match width {
            Width::Byte => self.sink.i32_store8(place),
            Width::Half => self.sink.i32_store16(place),
            Width::Word => self.sink.i32_store(place),
        };
        // Of an access to two blocks, the first one is noted.
        self.note_store();
        self.above_limit();
        self.sink.local_set(local::VALUE);
        self.lower_mark();
    }

    /// Something is stored at the offset in `ADDRESS`.
    fn note_store(&mut self) {
        if self.shape.notes_stores {
            self.sink.local_get(local::ADDRESS).i32_const(copies::SHIFT as i32).i32_shr_u();
            self.sink.i32_const(1).i32_store8(at(self.layout.dirty, 0));
        }
    }

    /// Below the stack's limit no zone can be met: the check of the limit comes first.
    pub(super) fn push_bytes(&mut self, values: &[Expr]) {
        let stack = self.shape.stack_pointer;
        let ram_base = self.shape.ram_base;
        for (value, below) in values.iter().zip(1..) {
            let offset = ram_base.wrapping_add(below).wrapping_neg();
            self.sink.local_get(stack).i32_const(offset as i32).i32_add().local_set(local::ADDRESS);
            self.sink.local_get(local::ADDRESS);
            if self.guarded {
                self.sink.local_set(local::VALUE).i32_const(OUTSIDE).local_get(local::VALUE);
                self.sink.local_get(local::ADDRESS);
                self.load_here(self.layout.forbidden, Width::Byte, false);
                self.sink.i32_const(WRITE_BIT.into()).i32_and().select();
            }
            self.expr(value);
            self.sink.i32_store8(at(self.layout.ram, 0));
            self.note_store();
        }
        let moved = Expr::Register(stack as Register).plus((values.len() as u32).wrapping_neg());
        self.set_stack(&moved);
    }

    /// Moves the stack pointer up.
    pub(super) fn drop_from_stack(&mut self, bytes: u32) {
        let stack = self.shape.stack_pointer;
        self.sink.local_get(stack).i32_const(bytes as i32).i32_add().local_set(stack);
        if self.guarded {
            self.set_free_stack(|sink, shape| {
                sink.local_get(shape.stack_pointer).local_get(local::LIMIT).i32_sub();
            });
        }
    }

    /// Pushes the offset of the access from the stack's limit.
    fn above_limit(&mut self) {
        let base = self.shape.ram_base;
        self.sink.local_get(local::ADDRESS).i32_const(base as i32).i32_add();
        self.sink.local_get(local::LIMIT).i32_sub();
    }

    /// Lowers the stack's mark to the offset in `VALUE`, if that is lower.
    fn lower_mark(&mut self) {
        self.sink.local_get(local::VALUE).local_get(local::LOW);
        self.sink.local_get(local::VALUE).local_get(local::LOW).i32_lt_u().select().local_set(local::LOW);
    }

    /// Replaces the offset on WebAssembly's stack if guard zones or free stack forbid the access to RAM. It is
    /// one to RAM if `FLAG` is set, or if not `may_be_flash`.
    fn guard(&mut self, width: Width, bit: u8, free: u32, may_be_flash: bool) {
        if !self.guarded {
            return;
        }
        self.sink.local_set(local::VALUE).i32_const(OUTSIDE).local_get(local::VALUE);
        self.sink.local_get(local::ADDRESS);
        if may_be_flash {
            // For accesses elsewhere zeros are read.
            self.sink.i32_const(self.shape.ram_size as i32).local_get(local::FLAG).select();
        }
        self.load_here(self.layout.forbidden, width, false);
        let mask = u32::from_le_bytes([bit; 4]) & (u64::MAX >> (64 - (8 << width.shift()))) as u32;
        self.sink.i32_const(mask as i32).i32_and();
        self.above_limit();
        self.sink.local_get(free).i32_lt_u();
        if may_be_flash {
            self.sink.local_get(local::FLAG).i32_and();
        }
        self.sink.i32_or().select();
    }

    /// Traps if the value is zero.
    pub(super) fn check(&mut self, value: &Expr) {
        self.sink.i32_const(0).i32_const(OUTSIDE);
        self.expr(value);
        self.sink.select().i32_load8_u(at(0, 0)).drop();
    }

    pub(super) fn set_stack(&mut self, value: &Expr) {
        self.expr(value);
        self.sink.local_set(self.shape.stack_pointer);
        self.sink.i32_const(OUTSIDE).i32_const(0);
        self.sink.local_get(self.shape.stack_pointer).local_get(local::LIMIT).i32_lt_u().select();
        self.sink.i32_load8_u(at(0, 0)).drop();
        self.sink.local_get(self.shape.stack_pointer).local_get(local::LIMIT).i32_sub();
        self.sink.local_set(local::VALUE);
        self.lower_mark();
        if self.guarded {
            self.note_lowest(0);
            self.set_free_stack(|sink, _| {
                sink.local_get(local::VALUE);
            });
        }
    }

    /// So many bytes below the stack pointer are in use.
    pub(super) fn reserve(&mut self, bytes: u32) {
        if self.guarded {
            self.note_lowest(bytes);
            self.set_free_stack(|sink, shape| {
                sink.local_get(shape.lowest).local_get(local::LIMIT).i32_sub();
            });
        }
    }

    fn note_lowest(&mut self, bytes: u32) {
        let Shape { lowest, stack_pointer, .. } = *self.shape;
        if lowest != stack_pointer {
            self.sink.local_get(stack_pointer).i32_const(bytes as i32).i32_sub().local_set(lowest);
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

    /// Execution comes to the lines of a block, one after the other. Nothing else in the block changes the
    /// cache, so all of them can be read at its beginning.
    pub(super) fn lines(&mut self, first: Option<u32>, steps: &[Step]) {
        let Some(cache) = self.shape.cache else { return };
        let later = steps.iter().filter_map(|step| match step {
            Step::Line(line) => Some(*line),
            _ => None,
        });
        let lines: Vec<u32> = first.into_iter().chain(later).collect();
        for run in lines.chunk_by(|one, next| one.wrapping_add(1) == *next) {
            let (first, last) = (run[0], run[run.len() - 1]);
            for (number, line) in (first..=last).enumerate() {
                let place = self.layout.held + 4 * cache.ways * (line & (cache.sets - 1));
                self.sink.i32_const(0).i32_load(at(place, 2)).i32_const(line as i32).i32_xor();
                if number > 0 {
                    self.sink.i32_or();
                }
            }
            self.sink.if_(BlockType::Empty).i32_const(first as i32).i32_const(last as i32);
            self.sink.call(self.shape.lines_function());
            self.add_counted();
            self.sink.end();
        }
    }
}

/// The function that reads the lines from its first parameter to its second one, and returns the cycles. In
/// each set, lines are in the order of their use.
pub(super) fn lines(layout: &Layout, cache: &CacheShape) -> Function {
    const LINE: u32 = 0;
    const LAST: u32 = 1;
    const PLACE: u32 = 2;
    const MOVED: u32 = 3;
    const HELD: u32 = 4;
    const CYCLES: u32 = 5;
    let mut function = Function::new([(4, ValType::I32)]);
    let mut sink = function.instructions();
    sink.loop_(BlockType::Empty).block(BlockType::Empty);
    sink.local_get(LINE).i32_const(cache.sets as i32 - 1).i32_and();
    sink.i32_const(4 * cache.ways as i32).i32_mul().local_tee(PLACE);
    sink.i32_load(at(layout.held, 2)).local_tee(MOVED).local_get(LINE).i32_eq().br_if(0);
    sink.local_get(PLACE).local_get(LINE).i32_store(at(layout.held, 2));
    for way in 1..cache.ways {
        let place = at(layout.held + 4 * way, 2);
        sink.local_get(PLACE).i32_load(place).local_set(HELD);
        sink.local_get(PLACE).local_get(MOVED).i32_store(place);
        sink.local_get(HELD).local_tee(MOVED).local_get(LINE).i32_eq().br_if(0);
    }
    sink.local_get(CYCLES).i32_const(cache.miss as i32).i32_add().local_set(CYCLES).end();
    sink.local_get(LINE).i32_const(1).i32_add().local_tee(LINE).local_get(LAST).i32_le_u().br_if(0).end();
    sink.local_get(CYCLES).end();
    function
}

/// Bytes behind [`Layout::forbidden`] that are read as zeros.
const _: () = assert!(ZEROS >= 4);
