//! A core that fetches words ahead behind a cache, [`FetchAhead`], in translated code.
//!
//! The rules are the model's, on locals. What decides is mostly known when code is emitted: from a branch on,
//! words come one a cycle, so that execution waits only where a line is not held. A word of a line is asked for
//! when execution comes to the last but one word of the line before it.
//!
//! [`FetchAhead`]: pennyweight_memory::timing::FetchAhead

use pennyweight_memory::timing::FetchState;
use wasm_encoder::{BlockType, ValType};

use super::{at, local, Emitter};
use crate::ir::{Ahead, Alignment, Width};
use crate::layout::AheadShape;

impl Emitter<'_, '_> {
    fn fetching(&self) -> AheadShape {
        self.shape.ahead.unwrap_or(AheadShape { wait_states: 0, data_wait: 0, line_shift: 4, lines: 1 })
    }

    pub(super) fn ahead(&mut self, ahead: Ahead) {
        match ahead {
            Ahead::NearEnd => {
                self.settle();
                self.sink.local_get(local::CYCLES).local_set(local::ENTERED);
            }
            Ahead::Straddles => {
                self.sink.local_get(local::WORDS_READY).i64_const(1).i64_sub();
                self.sink.local_set(local::WORDS_READY);
            }
            Ahead::Enter { at, word, last } => self.enter(at, word, last),
            Ahead::Wait(word) => {
                self.settle();
                self.wait_for(word);
            }
            Ahead::Leave(word, line) => self.leaves = Some((word, line)),
        }
    }

    /// Pushes when a word can be executed if all in front of it come in turn.
    fn ready(&mut self, word: u32) {
        self.sink.local_get(local::WORDS_READY).i64_const(word.into()).i64_add();
    }

    fn wait_for(&mut self, word: u32) {
        self.ready(word);
        self.sink.local_tee(local::PRODUCT).local_get(local::CYCLES);
        self.sink.local_get(local::PRODUCT).local_get(local::CYCLES).i64_gt_s().select();
        self.sink.local_set(local::CYCLES);
    }

    /// The place of a line in the cache.
    fn place_of(&self, line: u32) -> u32 {
        self.layout.held + 4 * (line & (self.fetching().lines - 1))
    }

    fn if_not_held(&mut self, line: u32) {
        let place = at(self.place_of(line), 2);
        self.sink.i32_const(0).i32_load(place).i32_const(line as i32).i32_ne().if_(BlockType::Empty);
    }

    fn hold(&mut self, line: u32) {
        let place = at(self.place_of(line), 2);
        self.sink.i32_const(0).i32_const(line as i32).i32_store(place);
    }

    /// Sets `PRODUCT` to when the core asks for word `next`, while it executes one that begins in `word`; to
    /// `CYCLES` if it has no room for it yet.
    fn asked_for(&mut self, next: u32, word: u32) {
        let room = FetchState::ROOM;
        self.ready(next);
        self.sink.i64_const(1).i64_sub().local_set(local::PRODUCT);
        self.sink.i32_const(next as i32).local_get(local::FIRST).i32_sub();
        self.sink.i32_const(room as i32).i32_lt_u().if_(BlockType::Result(ValType::I64));
        self.sink.local_get(local::PRODUCT);
        self.sink.else_();
        self.sink.local_get(local::PRODUCT).local_get(local::ENTERED);
        self.sink.local_get(local::PRODUCT).local_get(local::ENTERED).i64_gt_s().select();
        self.sink.local_get(local::CYCLES);
        // Has execution come to the word whose leaving makes room?
        self.sink.i32_const(next.wrapping_sub(room - 1) as i32).local_get(local::FIRST).i32_sub();
        self.sink.i32_const(word as i32).local_get(local::FIRST).i32_sub().i32_le_u().select();
        self.sink.end();
        self.sink.local_set(local::PRODUCT);
    }

    /// Execution comes to a line, with the word `at`.
    fn enter(&mut self, at: u32, word: u32, last: u32) {
        let AheadShape { wait_states, line_shift, .. } = self.fetching();
        let line = (at << 2) >> line_shift;
        self.settle();
        self.if_not_held(line);
        self.asked_for(at, word);
        self.hold(line);
        self.sink.i32_const(at as i32).local_set(local::FIRST);
        self.sink.local_get(local::PRODUCT).i64_const(i64::from(wait_states) + 1 - i64::from(at)).i64_add();
        self.sink.local_set(local::WORDS_READY);
        if at >> (line_shift - 2) == last >> (line_shift - 2) {
            self.wait_for(last);
        }
        self.sink.end();
    }

    /// A jump turns the fetching to the word whose number `target` pushes. The line behind is held if it has
    /// been asked for.
    pub(super) fn turn(&mut self, target: impl Fn(&mut Self)) {
        let Some((word, line)) = self.leaves else { return };
        let behind = line.wrapping_add(1);
        self.if_not_held(behind);
        self.asked_for(behind << self.fetching().line_shift >> 2, word);
        self.sink.local_get(local::PRODUCT).i64_const(2).i64_add();
        self.sink.local_get(local::CYCLES).i64_lt_s().if_(BlockType::Empty);
        self.hold(behind);
        self.sink.end().end();
        target(self);
        self.sink.local_set(local::FIRST);
        self.sink.local_get(local::CYCLES).local_get(local::FIRST).i64_extend_i32_u().i64_sub();
        self.sink.local_set(local::WORDS_READY);
    }

    /// Data is read from this word of flash.
    pub(super) fn read_word(&mut self, word: u32) {
        self.sink.i32_const(word as i32).local_set(local::PLACE);
        self.read_place();
    }

    /// Data is read from the word of flash whose number is in `PLACE`.
    fn read_place(&mut self) {
        self.sink.local_get(local::PLACE).local_get(local::DATA).i32_ne().if_(BlockType::Empty);
        self.sink.local_get(local::PLACE).local_set(local::DATA);
        self.add_cycles(self.fetching().data_wait);
        self.sink.end();
    }

    /// Data is read from flash at the address whose offset from RAM is in `ADDRESS`, unless `FLAG` is set.
    pub(super) fn read_flash_word(&mut self, width: Width, alignment: Alignment) {
        let may_split = width != Width::Byte && alignment == Alignment::Split;
        let behind = width.bytes() - 1;
        self.sink.local_get(local::FLAG).i32_eqz().if_(BlockType::Empty);
        for behind in if may_split { vec![0, behind] } else { vec![0] } {
            let by = self.shape.ram_base.wrapping_add(behind);
            self.sink.local_get(local::ADDRESS).i32_const(by as i32).i32_add();
            self.sink.i32_const(2).i32_shr_u().local_set(local::PLACE);
            self.read_place();
        }
        self.sink.end();
    }
}
