//! Random functions that run on their own and return: loops, calls, frames, tables in flash, now and then what
//! only the interpreter executes.

use std::ops::Range;

use crate::random::Random;

/// The part that a function is for.
#[derive(Clone, Debug)]
pub struct Part {
    /// SRAM in data space.
    pub ram: Range<u16>,
    /// Flash in words.
    pub words: u32,
    /// The data-space address of flash, if data space shows it.
    pub window: Option<u16>,
    /// Multiplications are available.
    pub mul: bool,
    /// JMP and CALL are available.
    pub jmp: bool,
}

const X: u16 = 26;
const Y: u16 = 28;
const Z: u16 = 30;
/// SREG, SPL, SPH and a register that does nothing, as IN and OUT name them.
const SREG: u16 = 0x3f;
const SPL: u16 = 0x3d;
const SPH: u16 = 0x3e;
const IDLE: u16 = 0x1e;
/// Counts passes; no other instruction of a function changes it or the next ones.
const PASSES: u16 = 2;
/// Counters of loops in loops.
const COUNTERS: u16 = 4;
/// Loops in loops in loops.
const DEEPEST: u16 = 3;
/// The first register of those that are computed with.
const FREE: u16 = 7;

/// RET.
pub const RET: u16 = 0x9508;
/// ICALL.
pub const ICALL: u16 = 0x9509;
/// IJMP.
pub const IJMP: u16 = 0x9409;

/// An instruction with two registers, such as `ADD`, from its upper bits.
#[must_use]
pub fn two(code: u16, d: u16, r: u16) -> u16 {
    code | (r & 16) << 5 | d << 4 | r & 15
}

/// An instruction with one of r16 to r31 and a constant, such as `LDI`.
#[must_use]
pub fn immediate(code: u16, d: u16, k: u16) -> u16 {
    code | (k & 0xf0) << 4 | (d - 16) << 4 | k & 15
}

/// An instruction with one register, such as `INC`.
#[must_use]
pub fn one(code: u16, d: u16) -> u16 {
    code | d << 4
}

/// `LDI`.
#[must_use]
pub fn ldi(d: u16, k: u16) -> u16 {
    immediate(0xe000, d, k)
}

/// `IN`.
#[must_use]
pub fn input(d: u16, a: u16) -> u16 {
    0xb000 | (a & 0x30) << 5 | d << 4 | a & 15
}

/// `OUT`.
#[must_use]
pub fn output(a: u16, r: u16) -> u16 {
    0xb800 | (a & 0x30) << 5 | r << 4 | a & 15
}

/// `LDD` and `STD` through Y, or Z.
#[must_use]
pub fn displaced(stores: bool, through_y: bool, r: u16, q: u16) -> u16 {
    let q = (q & 0x20) << 8 | (q & 0x18) << 7 | q & 7;
    0x8000 | q | u16::from(stores) << 9 | u16::from(through_y) << 3 | r << 4
}

/// `RJMP` and `RCALL`, from one word to another.
#[must_use]
pub fn relative(code: u16, from: usize, to: usize) -> u16 {
    code | (to as i32 - from as i32 - 1) as u16 & 0xfff
}

/// `BRBS` and `BRBC` of a flag.
#[must_use]
pub fn branch(is_set: bool, flag: u16, from: usize, to: usize) -> u16 {
    let offset = (to as i32 - from as i32 - 1) as u16 & 0x7f;
    if is_set {
        0xf000 | offset << 3 | flag
    } else {
        0xf400 | offset << 3 | flag
    }
}

/// `ADIW` and `SBIW` of r24, X, Y or Z.
#[must_use]
pub fn wide(subtracts: bool, low: u16, k: u16) -> u16 {
    0x9600 | u16::from(subtracts) << 8 | (k & 0x30) << 2 | ((low - 24) / 2) << 4 | k & 15
}

struct Writer<'a> {
    part: &'a Part,
    random: Random,
    /// All words of flash up to here.
    code: Vec<u16>,
    /// Calls, by the number of the function.
    calls: Vec<(usize, usize)>,
    /// Words beyond which pieces are short.
    end: usize,
}

/// The words of flash up to the end of a function at the word `start`, which repeats a random body so often.
#[must_use]
pub fn function(part: &Part, seed: u64, start: usize, size: usize, passes: u32) -> Vec<u16> {
    let random = Random::new(seed ^ 0x6176_7220_636f_6465);
    let end = start + size.min(part.words as usize / 2).min(if part.jmp { 2400 } else { 1500 });
    let mut writer = Writer { part, random, code: vec![0; start], calls: Vec::new(), end };
    writer.all(passes);
    writer.code
}

impl Writer<'_> {
    fn below(&mut self, bound: u16) -> u16 {
        self.random.below(bound.into()) as u16
    }

    fn put(&mut self, words: &[u16]) {
        self.code.extend(words);
    }

    /// A register to compute with.
    fn free(&mut self) -> u16 {
        FREE + self.below(X - FREE)
    }

    /// One of r16 to r25.
    fn upper(&mut self) -> u16 {
        16 + self.below(10)
    }

    fn all(&mut self, passes: u32) {
        let count = 1 + passes.min(250) as u16;
        self.put(&[ldi(16, count), two(0x2c00, PASSES, 16)]);
        let again = self.code.len();
        [X, Y, Z].into_iter().for_each(|pair| self.point(pair));
        let body = self.end - (self.end - again) / 3;
        while self.code.len() < body {
            self.piece(0, true);
        }
        // DEC; done, or back by RJMP.
        self.put(&[one(0x940a, PASSES)]);
        let at = self.code.len();
        self.put(&[branch(true, 1, at, at + 2), relative(0xc000, at + 1, again), RET]);
        for number in 0..4 {
            let here = self.code.len();
            for (at, _) in self.calls.clone().into_iter().filter(|(_, callee)| *callee == number) {
                self.call(at, here);
            }
            for _ in 0..3 + self.below(12) {
                // Each function calls only later ones.
                self.piece(1, false);
            }
            self.put(&[RET]);
        }
    }

    /// The call in the two words at `at`.
    fn call(&mut self, at: usize, to: usize) {
        if self.part.jmp && self.code[at + 1] != 0 {
            self.code[at..at + 2].copy_from_slice(&[0x940e, to as u16]);
        } else {
            self.code[at..at + 2].copy_from_slice(&[relative(0xd000, at, to), 0]);
        }
    }

    /// Sets a pointer to somewhere in the lower half of SRAM.
    fn point(&mut self, pair: u16) {
        let size = self.part.ram.end - self.part.ram.start;
        let address = self.part.ram.start + 64 + self.below(size / 2 - 64);
        self.put(&[ldi(pair, address & 0xff), ldi(pair + 1, address >> 8)]);
    }

    fn piece(&mut self, depth: u16, calls: bool) {
        match self.random.below(36) {
            0..=11 => {
                for _ in 0..1 + self.below(4) {
                    let word = self.simple();
                    self.put(&[word]);
                }
            }
            12..=15 => self.access(),
            17 => {
                let pair = self.random.pick(&[X, Y, Z]);
                self.point(pair);
            }
            18 => self.chain(),
            19 => {
                let registers: Vec<u16> = (0..1 + self.below(5)).map(|_| self.free()).collect();
                registers.iter().for_each(|r| self.code.push(one(0x920f, *r)));
                self.piece(depth + 1, false);
                let back: Vec<u16> = registers.iter().map(|_| self.free()).collect();
                back.iter().for_each(|r| self.code.push(one(0x900f, *r)));
            }
            20..=22 => self.skip(),
            16 | 23..=25 => self.forward(depth, calls),
            26 | 27 if depth < DEEPEST && self.code.len() < self.end => self.repeat(depth),
            28 | 29 if calls => {
                let (callee, far) = (self.random.below(4) as usize, self.below(2));
                self.calls.push((self.code.len(), callee));
                self.put(&[0, far]);
            }
            30 => self.computed_jump(),
            31 => self.frame(),
            32 => self.flash(),
            33 => self.status(),
            34 => self.rare(),
            _ => self.direct(),
        }
    }

    /// An instruction of one word that computes from registers.
    fn simple(&mut self) -> u16 {
        let (d, r) = (self.free(), self.below(32));
        let k = self.below(256);
        match self.random.below(16) {
            0..=6 => {
                let codes =
                    [0x0c00, 0x1c00, 0x1800, 0x0800, 0x2000, 0x2400, 0x2800, 0x1400, 0x0400, 0x2c00, 0x2400];
                two(self.random.pick(&codes), d, r)
            }
            7..=9 => {
                let codes = [0x3000, 0x4000, 0x5000, 0x6000, 0x7000, 0xe000];
                immediate(self.random.pick(&codes), self.upper(), k)
            }
            10..=12 => {
                let codes = [0x9400, 0x9401, 0x9402, 0x9403, 0x9405, 0x9406, 0x9407, 0x940a];
                one(self.random.pick(&codes), d)
            }
            13 => {
                let codes = [0xf800, 0xfa00];
                self.random.pick(&codes) | d << 4 | self.below(8)
            }
            14 if self.part.mul => match self.below(6) {
                0..=2 => two(0x9c00, self.below(32), r),
                3 => 0x0200 | self.below(16) << 4 | self.below(16),
                _ => 0x0300 | self.below(256) & 0xff,
            },
            _ => match self.below(3) {
                0 => 0x0100 | (4 + self.below(9)) << 4 | self.below(16),
                1 => wide(self.random.once_in(2), 24, self.below(64)),
                _ => 0x9408 | self.below(16) << 4,
            },
        }
    }

    /// A load or a store through a pointer.
    fn access(&mut self) {
        let r = self.free();
        let stores = self.below(2);
        let word = match self.random.below(4) {
            0 | 1 => displaced(stores != 0, self.random.once_in(2), r, self.below(64)),
            2 => 0x900c | stores << 9 | r << 4,
            _ => {
                // Increments and decrements of X, Y and Z.
                let ways = [0x900d, 0x900e, 0x9009, 0x900a, 0x9001, 0x9002];
                self.random.pick(&ways) | stores << 9 | r << 4
            }
        };
        self.put(&[word]);
    }

    /// Words of several bytes are loaded, added, compared, shifted, stored.
    fn chain(&mut self) {
        let (a, b) = (8 + 4 * self.below(2), 16 + 4 * self.below(2));
        for byte in 0..4 {
            self.put(&[displaced(false, true, a + byte, byte), displaced(false, false, b + byte, byte)]);
        }
        let (first, rest) =
            self.random.pick(&[(0x0c00, 0x1c00), (0x1800, 0x0800), (0x1400, 0x0400), (0x2400, 0x2400)]);
        (0..4).for_each(|byte| self.code.push(two(if byte == 0 { first } else { rest }, a + byte, b + byte)));
        let at = self.code.len();
        let (flag, is_set) = (self.below(8), self.random.once_in(2));
        self.put(&[branch(is_set, flag, at, at + 2), one(0x9400, b)]);
        self.put(&[one(0x9406, a + 3), one(0x9407, a + 2), one(0x9407, a + 1), one(0x9407, a)]);
        (0..4).for_each(|byte| self.code.push(displaced(true, true, a + byte, byte)));
    }

    fn skip(&mut self) {
        let (r, bit) = (self.below(32), self.below(8));
        let skips = [two(0x1000, r, self.below(32)), 0xfc00 | r << 4 | bit, 0xfe00 | r << 4 | bit];
        let mut word = self.random.pick(&skips);
        if self.random.once_in(12) {
            // SBIC and SBIS.
            word = self.random.pick(&[0x9900, 0x9b00]) | IDLE << 3 | bit;
        }
        self.put(&[word]);
        match self.below(5) {
            0 => self.direct(),
            1 => {
                // Over an instruction.
                let at = self.code.len();
                let other = self.simple();
                self.put(&[relative(0xc000, at, at + 2), other]);
            }
            2 => self.access(),
            _ => {
                let word = self.simple();
                self.put(&[word]);
            }
        }
    }

    /// A branch over pieces.
    fn forward(&mut self, depth: u16, calls: bool) {
        let at = self.code.len();
        let (is_set, flag) = (self.random.once_in(2), self.below(8));
        self.put(&[branch(is_set, flag, at, at + 2), 0]);
        if self.random.once_in(2) {
            let word = self.simple();
            self.code[at + 1] = word;
            return;
        }
        for _ in 0..1 + self.below(3) {
            self.piece(depth + 1, calls);
        }
        self.code[at + 1] = relative(0xc000, at + 1, self.code.len());
    }

    fn repeat(&mut self, depth: u16) {
        let (counter, times) = (COUNTERS + depth, 1 + self.below(12));
        self.put(&[ldi(16, times), two(0x2c00, counter, 16)]);
        let again = self.code.len();
        let stores = self.random.once_in(3);
        for _ in 0..1 + self.below(4) {
            self.piece(depth + 1, false);
        }
        if stores {
            self.put(&[0x920d | 8 << 4]);
        }
        self.put(&[one(0x940a, counter)]);
        let at = self.code.len();
        if at - again < 60 {
            self.put(&[branch(false, 1, at, again)]);
        } else {
            self.put(&[branch(true, 1, at, at + 2), relative(0xc000, at + 1, again)]);
        }
        if stores {
            self.point(X);
        }
    }

    /// IJMP over an instruction, or ICALL of the next one but one, which returns.
    fn computed_jump(&mut self) {
        let at = self.code.len();
        if self.random.once_in(2) {
            let to = at + 4;
            let word = self.simple();
            self.put(&[ldi(Z, to as u16 & 0xff), ldi(Z + 1, to as u16 >> 8), IJMP, word]);
        } else {
            let to = at + 4;
            self.put(&[ldi(Z, to as u16 & 0xff), ldi(Z + 1, to as u16 >> 8), ICALL]);
            self.put(&[relative(0xc000, at + 3, at + 6)]);
            let word = self.simple();
            self.put(&[word, RET]);
        }
        self.point(Z);
    }

    /// Room on the stack, as compilers make it.
    fn frame(&mut self) {
        let size = 1 + self.below(20);
        let high_first = self.random.once_in(2);
        let set = |protected: bool| {
            let (first, last) = if high_first { (SPH, SPL) } else { (SPL, SPH) };
            let [first, last] = [first, last].map(|a| output(a, if a == SPL { Y } else { Y + 1 }));
            if protected {
                vec![input(0, SREG), 0x94f8, first, output(SREG, 0), last]
            } else {
                vec![first, last]
            }
        };
        let protected = self.random.once_in(2);
        self.put(&[
            one(0x920f, Y),
            one(0x920f, Y + 1),
            input(Y, SPL),
            input(Y + 1, SPH),
            wide(true, Y, size),
        ]);
        self.put(&set(protected));
        for _ in 0..self.below(4) {
            let (stores, r, q) = (self.random.once_in(2), self.free(), 1 + self.below(size));
            self.put(&[displaced(stores, true, r, q)]);
        }
        if self.random.once_in(3) {
            // RCALL of the next instruction makes room too.
            let at = self.code.len();
            self.put(&[relative(0xd000, at, at + 1), one(0x900f, 8), one(0x900f, 9)]);
        }
        self.put(&[wide(false, Y, size)]);
        self.put(&set(protected));
        self.put(&[one(0x900f, Y + 1), one(0x900f, Y)]);
    }

    /// A constant from flash.
    fn flash(&mut self) {
        let address = self.below((2 * self.code.len()).min(0x1000) as u16);
        let r = self.free();
        match self.part.window {
            Some(window) if self.random.once_in(2) => {
                let address = window + address;
                self.put(&[ldi(Z, address & 0xff), ldi(Z + 1, address >> 8)]);
                let word = self.random.pick(&[0x8000, 0x9001]) | r << 4;
                self.put(&[word]);
            }
            _ => {
                self.put(&[ldi(Z, address & 0xff), ldi(Z + 1, address >> 8)]);
                let word = self.random.pick(&[0x9004, 0x9005]) | r << 4;
                self.put(&[word]);
            }
        }
        self.point(Z);
    }

    fn status(&mut self) {
        let r = self.free();
        let word = match self.random.below(4) {
            0 => input(r, SREG),
            1 => output(SREG, r),
            2 => input(r, self.random.pick(&[SPL, SPH])),
            _ => 0x9408 | self.below(16) << 4,
        };
        self.put(&[word]);
    }

    /// Instructions that only the interpreter executes, and some that are close to them.
    fn rare(&mut self) {
        let r = self.free();
        let words = match self.random.below(6) {
            0 => vec![input(r, IDLE)],
            1 => vec![output(IDLE, r)],
            2 => vec![0x9a00 | IDLE << 3 | self.below(8)],
            3 => vec![0x9800 | IDLE << 3 | self.below(8)],
            // SP unchanged, in halves with more between them.
            4 => vec![
                input(8, SPL),
                input(9, SPH),
                output(SPL, 8),
                one(0x920f, 8),
                one(0x900f, 8),
                output(SPH, 9),
            ],
            // A store and a load through a pointer to I/O.
            _ if self.random.once_in(40) => {
                vec![ldi(Z, 0x3e), ldi(Z + 1, 0), 0x8200 | r << 4, 0x8000 | r << 4]
            }
            _ => vec![0x95a8],
        };
        self.put(&words);
        if words.len() == 4 {
            self.point(Z);
        }
    }

    /// LDS or STS.
    fn direct(&mut self) {
        let address = self.part.ram.start + self.below(64);
        let word = self.random.pick(&[0x9000, 0x9200]) | self.free() << 4;
        self.put(&[word, address]);
    }
}
