//! A flash that reads ahead line by line, [`Stream`], in translated code.
//!
//! As long as no cache decides, the model itself runs while code is emitted, from the first line on whose time
//! the code finds, to the next event whose time is not known; what it waits is added as a constant. The rest is
//! the model's rules on locals of translated code; a test compares them with the model.

use pennyweight_memory::timing::{FlashTiming, Stream, StreamState};
use wasm_encoder::{BlockType, Function, ValType};

use super::{at, local, Emitter};
use crate::ir::{Alignment, Fetch, Width};
use crate::layout::{Layout, Shape, StreamShape};

/// The state that is known while code is emitted, and not in its locals yet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    /// Cycles to add.
    cycles: i64,
    /// The flash, in the state that it is in then.
    flash: Option<Stream>,
    /// Do the locals have the same time for the line read ahead and for the end of all reads?
    pub(super) is_last: bool,
}

/// The time that the model begins with: no event before it matters.
const BEGIN: u64 = 1 << 20;

/// A flash that has just begun to read the line behind `line`, as a core came to that.
fn reading_behind(shape: &StreamShape, line: u32) -> Stream {
    let mut flash = Stream::new(shape.wait_states, 1 << shape.line_shift, 0, 0);
    let (now, current) = (BEGIN, StreamState::NO_LINE);
    let held = Default::default();
    flash.write(&StreamState { now, current, ahead: line, ahead_ready: now, flash_free: now, held });
    flash.instruction(line << shape.line_shift, 1);
    flash
}

impl Emitter<'_, '_> {
    fn stream(&self) -> StreamShape {
        self.shape.stream.unwrap_or(StreamShape { wait_states: 0, line_shift: 2, held: [0, 0] })
    }

    /// Are lines of instructions, or of data, held?
    fn holds(&self, data: bool) -> bool {
        self.shape.held()[usize::from(data)] > 0
    }

    /// So many cycles pass, as a number with a sign.
    pub(super) fn pass(&mut self, cycles: u32) {
        let cycles = cycles as i32;
        self.known.cycles += i64::from(cycles);
        if let Some(flash) = &mut self.known.flash {
            match u32::try_from(cycles) {
                Ok(cycles) => flash.finish(cycles),
                Err(_) => flash.set_back(cycles.unsigned_abs()),
            }
        }
    }

    /// Something happens to the flash whose state is known.
    fn happens(&mut self, event: impl FnOnce(&mut Stream)) -> bool {
        let Some(flash) = &mut self.known.flash else { return false };
        let before = flash.stalls();
        event(flash);
        self.known.cycles += (flash.stalls() - before) as i64;
        true
    }

    /// Brings the locals up to date.
    pub(super) fn settle(&mut self) {
        let cycles = std::mem::take(&mut self.known.cycles);
        if cycles != 0 {
            self.sink.local_get(local::CYCLES).i64_const(cycles).i64_add().local_set(local::CYCLES);
        }
        let Some(flash) = self.known.flash.take() else { return };
        let mut state = StreamState::default();
        flash.read(&mut state);
        let lead = |time: u64| time.wrapping_sub(state.now) as i64;
        for (local, time) in [(local::AHEAD_READY, state.ahead_ready), (local::FLASH_FREE, state.flash_free)]
        {
            self.sink.local_get(local::CYCLES).i64_const(lead(time)).i64_add().local_set(local);
        }
        self.sink.i32_const(state.ahead as i32).local_set(local::AHEAD);
        self.known.is_last = state.ahead_ready == state.flash_free;
    }

    /// Pushes the later one of two times.
    fn later(&mut self, one: u32, other: u32) {
        self.sink.local_get(one).local_get(other);
        self.sink.local_get(one).local_get(other).i64_gt_s().select();
    }

    pub(super) fn fetch(&mut self, fetch: Fetch) {
        match fetch {
            Fetch::Next(line) => self.next(line),
            Fetch::Far(line) if self.holds(false) => self.come_to(line),
            Fetch::Far(line) => {
                self.settle();
                self.miss();
                self.known.flash = Some(reading_behind(&self.stream(), line));
            }
            Fetch::Any(first, last) => {
                self.settle();
                let differs = |emitter: &mut Self, line: u32| {
                    emitter.sink.local_get(local::CURRENT).i32_const(line as i32).i32_ne();
                    emitter.sink.if_(BlockType::Empty);
                };
                let before = self.known.is_last;
                differs(self, last);
                if first == last {
                    self.come_to(first);
                } else {
                    differs(self, first);
                    self.come_to(first);
                    self.sink.end();
                    self.known.is_last &= before;
                    self.next(last);
                }
                self.settle();
                self.sink.end();
                self.known.is_last &= before;
            }
        }
    }

    /// Execution comes to a line from that in front of it: it is read ahead, or held.
    fn next(&mut self, line: u32) {
        let shift = self.stream().line_shift;
        if self.happens(|flash| flash.instruction(line << shift, 1)) {
            return;
        }
        self.settle();
        if !self.holds(false) {
            self.wait_for_ahead();
            if self.known.is_last {
                self.known.flash = Some(reading_behind(&self.stream(), line));
            } else {
                self.read_ahead(line.wrapping_add(1));
                self.known.is_last = true;
            }
            return;
        }
        self.if_ahead(line);
        self.wait_for_ahead();
        self.sink.else_();
        self.find_held(false, line);
        self.sink.drop();
        self.use_held(false);
        self.sink.end();
        self.look_behind(line);
    }

    /// Execution comes to a line from any other one.
    fn come_to(&mut self, line: u32) {
        self.settle();
        self.if_ahead(line);
        self.wait_for_ahead();
        self.sink.else_();
        if self.holds(false) {
            self.find_held(false, line);
            self.sink.if_(BlockType::Empty);
            self.use_held(false);
            self.sink.else_();
        }
        self.miss();
        if self.holds(false) {
            self.sink.i32_const(line as i32);
            self.keep(false);
            self.sink.end();
        }
        self.sink.end();
        self.look_behind(line);
    }

    fn if_ahead(&mut self, line: u32) {
        self.sink.local_get(local::AHEAD).i32_const(line as i32).i32_eq().if_(BlockType::Empty);
    }

    fn wait_for_ahead(&mut self) {
        self.later(local::CYCLES, local::AHEAD_READY);
        self.sink.local_set(local::CYCLES);
    }

    /// Waits for a read of the line that a branch leads to. The branch has its own cycle for the first one.
    fn miss(&mut self) {
        self.sink.local_get(local::CYCLES).i64_const(1).i64_sub().local_set(local::CYCLES);
        self.later(local::CYCLES, local::FLASH_FREE);
        self.sink.i64_const(i64::from(self.stream().wait_states) + 1).i64_add();
        self.sink.local_tee(local::FLASH_FREE).local_set(local::CYCLES);
    }

    /// Begins to read the line behind `line`, if it is in no buffer.
    fn look_behind(&mut self, line: u32) {
        let behind = line.wrapping_add(1);
        self.sink.local_get(local::AHEAD).i32_const(behind as i32).i32_ne().if_(BlockType::Empty);
        if self.holds(false) {
            self.find_held(false, behind);
            self.sink.if_(BlockType::Empty);
            self.use_held(false);
            self.sink.else_();
        }
        self.read_ahead(behind);
        if self.holds(false) {
            self.sink.end();
        }
        self.sink.end();
        self.known.is_last = false;
    }

    fn read_ahead(&mut self, line: u32) {
        self.later(local::CYCLES, local::FLASH_FREE);
        self.sink.i64_const(i64::from(self.stream().wait_states) + 1).i64_add();
        self.sink.local_tee(local::FLASH_FREE).local_set(local::AHEAD_READY);
        self.sink.i32_const(line as i32).local_set(local::AHEAD);
    }

    /// Pushes the place of a line, counted from one, or 0 if it is not held; `VALUE` takes it too.
    fn find_held(&mut self, data: bool, line: u32) {
        let places = self.layout.held_lines[usize::from(data)].places;
        let number = line.wrapping_sub(self.shape.first_line());
        if number < self.shape.flash_lines() {
            self.sink.i32_const(0).i32_load8_u(at(places + number, 0));
        } else {
            self.sink.i32_const(0);
        }
        self.sink.local_tee(local::VALUE);
    }

    /// The line in the place in `VALUE` is used.
    fn use_held(&mut self, data: bool) {
        let uses = self.count_use(data);
        let used = self.layout.held_lines[usize::from(data)].used - 4;
        self.sink.local_get(local::VALUE).i32_const(2).i32_shl();
        self.sink.local_get(uses).i32_store(at(used, 2));
    }

    /// Keeps the line whose number is on WebAssembly's stack.
    fn keep(&mut self, data: bool) {
        self.sink.local_get(local::USES[usize::from(data)]);
        self.sink.call(self.shape.keep_function(data));
        self.count_use(data);
    }

    fn count_use(&mut self, data: bool) -> u32 {
        let uses = local::USES[usize::from(data)];
        self.sink.local_get(uses).i32_const(1).i32_add().local_set(uses);
        uses
    }

    /// Data is read from a line of flash.
    pub(super) fn read_line(&mut self, line: u32) {
        if !self.holds(true) {
            if !self.happens(Stream::data_read) {
                self.settle();
                self.read_data();
            }
            return;
        }
        self.settle();
        self.look_up(true, line);
    }

    /// Execution comes to a line of code, if there is a cache for code and one for data.
    pub(super) fn read_code(&mut self, line: u32) {
        if self.shape.split_cache.is_some() {
            self.look_up(false, line);
        }
    }

    /// A line that is not held is waited for, and held.
    fn look_up(&mut self, data: bool, line: u32) {
        self.find_held(data, line);
        self.sink.if_(BlockType::Empty);
        self.use_held(data);
        self.sink.else_();
        self.read_data();
        self.sink.i32_const(line as i32);
        self.keep(data);
        self.sink.end();
    }

    /// A read of data. A load's data phase is its second cycle.
    fn read_data(&mut self) {
        if let Some(cache) = self.shape.split_cache {
            return self.add_cycles(cache.miss);
        }
        self.sink.local_get(local::CYCLES).i64_const(1).i64_add().local_set(local::CYCLES);
        self.later(local::CYCLES, local::FLASH_FREE);
        self.sink.i64_const(i64::from(self.stream().wait_states) + 1).i64_add();
        self.sink.local_tee(local::FLASH_FREE).i64_const(2).i64_sub().local_set(local::CYCLES);
        self.known.is_last = false;
    }

    /// Data is read from flash at the address whose offset from RAM is in `ADDRESS`, unless `FLAG` is set.
    pub(super) fn read_flash(&mut self, width: Width, alignment: Alignment) {
        let may_split = width != Width::Byte && alignment == Alignment::Split;
        let behind = width.bytes() - 1;
        self.sink.local_get(local::FLAG).i32_eqz().if_(BlockType::Empty);
        if self.holds(true) {
            self.read_flash_line(0);
            if may_split {
                // If all parts are in one line, it is used once more: that changes nothing.
                self.sink.local_get(local::ADDRESS).i32_const(behind as i32).i32_and();
                self.sink.if_(BlockType::Empty);
                self.read_flash_line(behind);
                self.sink.end();
            }
        } else {
            self.read_data();
            if may_split {
                self.sink.local_get(local::ADDRESS).i32_const(behind as i32).i32_and();
                self.sink.if_(BlockType::Empty);
                self.read_data();
                if width == Width::Word {
                    self.sink.local_get(local::ADDRESS).i32_const(1).i32_and().if_(BlockType::Empty);
                    self.read_data();
                    self.sink.end();
                }
                self.sink.end();
            }
        }
        self.sink.end();
    }

    /// Data is read from flash, so many bytes behind the address.
    fn read_flash_line(&mut self, behind: u32) {
        let by = self.shape.ram_base.wrapping_add(behind);
        let shift = self.shape.held_shift() as i32;
        let places = self.layout.held_lines[1].places;
        // The address has been checked: the line is one of the table's.
        self.sink.local_get(local::ADDRESS).i32_const(by as i32).i32_add();
        self.sink.i32_const(shift).i32_shr_u().local_tee(local::PLACE);
        self.sink.i32_const(self.shape.first_line() as i32).i32_sub().i32_load8_u(at(places, 0));
        self.sink.local_tee(local::VALUE).if_(BlockType::Empty);
        self.use_held(true);
        self.sink.else_();
        self.read_data();
        self.sink.local_get(local::PLACE);
        self.keep(true);
        self.sink.end();
    }
}

/// The function that keeps the line of its first parameter, which is not held; it replaces the one used longest
/// before the time of its second parameter.
pub(super) fn keep(shape: &Shape, layout: &Layout, data: bool) -> Function {
    const LINE: u32 = 0;
    const NOW: u32 = 1;
    const PLACE: u32 = 2;
    const AGE: u32 = 3;
    const OLDEST: u32 = 4;
    const FOUND: u32 = 5;
    let (held, kind) = (layout.held_lines[usize::from(data)], usize::from(data));
    let lines = shape.held()[kind];
    let (first, count) = (shape.first_line() as i32, shape.flash_lines() as i32);
    let mut function = Function::new([(4, ValType::I32)]);
    let mut sink = function.instructions();
    // The last one of those used longest ago.
    sink.loop_(BlockType::Empty);
    sink.local_get(NOW).local_get(PLACE).i32_load(at(held.used, 2)).i32_sub().local_tee(AGE);
    sink.local_get(OLDEST).i32_ge_u().if_(BlockType::Empty);
    sink.local_get(AGE).local_set(OLDEST).local_get(PLACE).local_set(FOUND).end();
    sink.local_get(PLACE).i32_const(4).i32_add().local_tee(PLACE);
    sink.i32_const(4 * lines as i32).i32_lt_u().br_if(0).end();
    // The line that it replaces is noted no longer.
    for (is_new, line) in [(false, PLACE), (true, LINE)] {
        if !is_new {
            sink.local_get(FOUND).i32_load(at(held.lines, 2)).local_set(PLACE);
        }
        sink.local_get(line).i32_const(first).i32_sub().local_tee(AGE).i32_const(count).i32_lt_u();
        sink.if_(BlockType::Empty).local_get(AGE);
        if is_new {
            sink.local_get(FOUND).i32_const(2).i32_shr_u().i32_const(1).i32_add();
        } else {
            sink.i32_const(0);
        }
        sink.i32_store8(at(held.places, 0)).end();
    }
    sink.local_get(FOUND).local_get(LINE).i32_store(at(held.lines, 2));
    sink.local_get(FOUND).local_get(NOW).i32_const(1).i32_add().i32_store(at(held.used, 2)).end();
    function
}

#[cfg(test)]
mod tests;
