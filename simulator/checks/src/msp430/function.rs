//! Random functions that run on their own and return: the random programs, repeated, with tables in flash and now
//! and then what only the interpreter executes.

use super::encode::{
    immediate, register, to, Assembler, Extension, Source, Target, ADD, MOV, PC, SP, SR, SUB,
};
use super::stream::Stream;
use super::{Set, FLASH};
use crate::random::Random;

/// Counts passes; no other instruction of a function changes it.
const PASSES: u16 = 0x3880;
/// Holds the stack pointer of the call.
const CALLER: u16 = 0x3882;
/// Counts turns of a loop.
const TURNS: u16 = 0x3884;
/// Registers of the watchdog and of an interrupt, which are memory here.
const IDLE: [u16; 2] = [0x0000, 0x0120];
/// RET.
const RET: u16 = 0x4130;

/// The words of a function at the beginning of flash, of about so many, which repeats a random body so often.
#[must_use]
pub fn function(set: Set, seed: u64, size: usize, passes: u32) -> Vec<u16> {
    let mut random = Random::new(seed ^ 0x6d73_7034_3330_666e);
    let [count, stack] = [PASSES, CALLER].map(|place| Target(1, SR, Extension::Word(place)));
    let mut first = Assembler::new(FLASH);
    first.two(MOV, false, register(SP), stack);
    first.two(MOV, false, immediate(1 + passes.min(250) as u16), count);
    let again = first.here();
    let mut stream = Stream::begin(&mut random, set, again);
    while stream.code.words.len() < size {
        match stream.random.below(60) {
            0 | 1 => stream.rare(),
            2..=4 => stream.repeat(),
            5..=9 => stream.forward(),
            _ => stream.piece(),
        }
    }
    // SUB #1; done, or back.
    let code = &mut stream.code;
    code.two(SUB, false, Source(1, 3, Extension::None), count);
    code.jump(1, 2);
    code.two(MOV, false, immediate(again), to(PC));
    code.two(MOV, false, Source(1, SR, Extension::Word(CALLER)), to(SP));
    code.word(RET);
    first.words.extend(&stream.code.words);
    first.words
}

impl Stream<'_> {
    /// A loop over a few instructions.
    fn repeat(&mut self) {
        let count = Target(1, SR, Extension::Word(TURNS));
        let turns = 1 + self.random.below(12) as u16;
        self.code.two(MOV, false, immediate(turns), count);
        let again = self.code.words.len();
        for _ in 0..1 + self.random.below(6) {
            self.simple();
        }
        self.code.two(SUB, false, Source(1, 3, Extension::None), count);
        // JNE.
        let distance = again as i32 - self.code.words.len() as i32 - 1;
        self.code.jump(0, distance as i16);
    }

    /// A conditional jump over a few instructions, of a word each.
    fn forward(&mut self) {
        let (condition, count) = (self.random.below(7) as u16, 1 + self.random.below(8) as i16);
        self.code.jump(condition, count);
        for _ in 0..count {
            self.simple();
        }
    }

    /// What lock step does not do: reads of flash and of peripherals, words at odd addresses.
    fn rare(&mut self) {
        let n = self.data();
        let table = FLASH + 2 * self.random.below(0x40) as u16;
        match self.random.below(6) {
            0 => self.code.two(ADD, false, Source(1, SR, Extension::Word(table)), to(n)),
            1 => {
                self.code.two(MOV, false, immediate(table), to(n));
                let mode = self.random.pick(&[2, 3]);
                self.code.two(MOV, self.random.once_in(2), Source(mode, n, Extension::None), to(n));
            }
            2 => {
                self.code.two(MOV, false, immediate(2 * self.random.below(8) as u16), to(n));
                self.code.two(ADD, false, Source(1, n, Extension::Word(table)), to(n));
            }
            3 => {
                let place = self.random.pick(&IDLE);
                self.code.two(ADD, false, register(n), Target(1, SR, Extension::Word(place)));
            }
            4 => {
                let place = self.random.pick(&IDLE);
                self.code.two(MOV, false, Source(1, SR, Extension::Word(place)), to(n));
            }
            // A pointer to a peripheral, or an odd one.
            _ if self.random.once_in(200) => {
                let place = self.random.pick(&[0x0120, 0x2001]);
                self.code.two(MOV, false, immediate(place), to(n));
                self.code.two(MOV, false, Source(2, n, Extension::None), to(n));
            }
            _ => self.code.word(0x4303),
        }
    }
}
