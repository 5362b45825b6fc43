//! Random programs that stay where they can be compared.
//!
//! R8, R9 and R10 point into the middle of RAM, and the generator knows where: only it changes them,
//! by loading them again and by `@Rn+`. It knows the stack pointer too. All other registers and the
//! flags hold whatever comes out. Control flow is of known shape: skips over one instruction, jumps
//! forth and back, branches, calls and returns to known places.

use super::encode::{
    immediate, register, to, Assembler, Extension, Source, Target, ADD, AND, BIC, BIS, BIT, CALL, CG, DADD,
    MOV, PC, PUSH, RETI, RRA, RRC, SP, SR, SUB, SWPB, SXT, XOR,
};
use super::{Set, FLASH};
use crate::random::Random;

/// Registers whose values are known.
pub(super) const POINTERS: [u16; 3] = [8, 9, 10];
/// Registers for data.
const DATA: [u16; 9] = [4, 5, 6, 7, 11, 12, 13, 14, 15];
/// Operands in memory lie below; the stack above.
const MEMORY_END: u16 = 0x3000;
/// Where the stack starts, its lowest and highest use.
pub(super) const STACK: (u16, u16, u16) = (0x3600, 0x3200, 0x3800);
/// Words of a program, about.
const LENGTH: usize = 10_000;

/// A program under construction.
pub(super) struct Stream<'a> {
    pub(super) random: &'a mut Random,
    pub(super) code: Assembler,
    pub(super) pointers: [u16; 3],
    pub(super) stack: u16,
    /// Operands in memory.
    memory: (u16, u16),
    set: Set,
}

/// A random program's words, to lie at the start of flash. Its last instruction jumps to itself.
#[must_use]
pub fn program(random: &mut Random, set: Set) -> Vec<u16> {
    let mut stream = Stream::begin(random, set, FLASH);
    while stream.code.words.len() < LENGTH {
        stream.piece();
    }
    stream.code.jump(7, -1);
    stream.code.words
}

impl<'a> Stream<'a> {
    /// At an address, with what sets the registers.
    pub(super) fn begin(random: &'a mut Random, set: Set, start: u16) -> Self {
        let memory = (set.ram().0 + 0x100, MEMORY_END);
        let code = Assembler::new(start);
        let mut stream = Stream { random, code, pointers: [memory.0; 3], stack: STACK.0, memory, set };
        stream.code.two(MOV, false, immediate(STACK.0), to(SP));
        for n in DATA {
            let value = stream.random.next() as u16;
            stream.code.two(MOV, false, immediate(value), to(n));
        }
        for which in 0..3 {
            stream.load_pointer(which);
        }
        stream
    }

    pub(super) fn data(&mut self) -> u16 {
        self.random.pick(&DATA)
    }

    /// A value with its extremes more often than chance would have it.
    pub(super) fn value(&mut self) -> u16 {
        let word = self.random.next() as u16;
        match self.random.below(6) {
            0 => self.random.pick(&[0, 1, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff]),
            1 => word & 0xff,
            _ => word,
        }
    }

    pub(super) fn load_pointer(&mut self, which: usize) {
        let address = self.memory.0
            + 0x100
            + self.random.below(u32::from(self.memory.1 - self.memory.0) - 0x200) as u16;
        self.pointers[which] = address;
        self.code.two(MOV, false, immediate(address), to(POINTERS[which]));
    }

    /// An address of an operand.
    pub(super) fn address(&mut self, byte: bool) -> u16 {
        let address = self.memory.0 + self.random.below(u32::from(self.memory.1 - self.memory.0)) as u16;
        if byte {
            address
        } else {
            address & !1
        }
    }

    /// A pointer that is even if it must be.
    pub(super) fn pointer(&mut self, byte: bool) -> usize {
        let which = self.random.below(3) as usize;
        let near = self.pointers[which] < self.memory.0 + 0x80 || self.pointers[which] > self.memory.1 - 0x80;
        if near || !byte && self.pointers[which] & 1 != 0 {
            self.load_pointer(which);
            if !byte && self.pointers[which] & 1 != 0 {
                // ADD #1, pointer
                self.code.two(ADD, false, Source(1, CG, Extension::None), to(POINTERS[which]));
                self.pointers[which] += 1;
            }
        }
        which
    }

    /// Memory by base register and distance: a pointer or SP.
    fn indexed(&mut self, byte: bool) -> (u16, Extension) {
        let address = self.address(byte);
        let which = self.random.below(4) as usize;
        let (number, base) = match POINTERS.get(which) {
            Some(&number) => (number, self.pointers[which]),
            None => (SP, self.stack),
        };
        (number, Extension::Word(address.wrapping_sub(base)))
    }

    /// A source; what it needs is put before.
    fn source(&mut self, byte: bool) -> Source {
        match self.random.below(16) {
            0..=3 => register(self.data()),
            4 => {
                let n = self.random.pick(&[8, 9, 10, PC, SP, SR, CG]);
                register(n)
            }
            5 | 6 => {
                let value = self.value();
                immediate(value)
            }
            7 | 8 => {
                let (mode, n) = self.random.pick(&[(0, CG), (1, CG), (2, CG), (3, CG), (2, SR), (3, SR)]);
                Source(mode, n, Extension::None)
            }
            9 => {
                let which = self.pointer(byte);
                Source(2, POINTERS[which], Extension::None)
            }
            10 | 11 => {
                let which = self.pointer(byte);
                self.pointers[which] += if byte { 1 } else { 2 };
                Source(3, POINTERS[which], Extension::None)
            }
            12 => {
                let address = self.address(byte);
                Source(1, PC, Extension::To(address))
            }
            13 => Source(1, SR, Extension::Word(self.place(byte))),
            14 if !byte => Source(2, SP, Extension::None),
            _ => {
                let (n, extension) = self.indexed(byte);
                Source(1, n, extension)
            }
        }
    }

    /// An absolute address: RAM, or for words the multiplier (but SUMEXT, which cannot be written).
    fn place(&mut self, byte: bool) -> u16 {
        if !byte && self.set == Set::Original && self.random.once_in(2) {
            0x130 + 2 * self.random.below(7) as u16
        } else {
            self.address(byte)
        }
    }

    fn target(&mut self, byte: bool) -> Target {
        match self.random.below(10) {
            0 => {
                let (n, extension) = self.indexed(byte);
                Target(1, n, extension)
            }
            1 => {
                let address = self.address(byte);
                Target(1, PC, Extension::To(address))
            }
            2 => Target(1, SR, Extension::Word(self.place(byte))),
            3 if self.random.once_in(3) => to(CG),
            _ => to(self.data()),
        }
    }

    /// An instruction of format I but DADD, of any modes.
    pub(super) fn any_two(&mut self) {
        let byte = self.random.once_in(3);
        let code = self.random.pick(&[4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15]);
        let source = self.source(byte);
        let target = self.target(byte);
        self.code.two(code, byte, source, target);
    }

    /// One instruction on registers: what may be skipped.
    pub(super) fn simple(&mut self) {
        let (a, b) = (self.data(), self.data());
        if self.random.once_in(3) {
            let code = self.random.pick(&[SWPB, RRA, SXT]);
            self.code.one(code, false, register(a));
        } else {
            let code = self.random.pick(&[4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15]);
            let byte = self.random.once_in(3);
            self.code.two(code, byte, register(a), to(b));
        }
    }

    /// A register, or memory that format II changes.
    fn changed(&mut self, byte: bool) -> Source {
        match self.random.below(8) {
            0 => {
                let which = self.pointer(byte);
                Source(2, POINTERS[which], Extension::None)
            }
            1 => {
                let which = self.pointer(byte);
                self.pointers[which] += if byte { 1 } else { 2 };
                Source(3, POINTERS[which], Extension::None)
            }
            2 => {
                let (n, extension) = self.indexed(byte);
                Source(1, n, extension)
            }
            3 => Source(1, SR, Extension::Word(self.address(byte))),
            4 => Source(1, PC, Extension::To(self.address(byte))),
            _ => register(self.data()),
        }
    }

    pub(super) fn piece(&mut self) {
        if self.set == Set::Cpux && self.random.once_in(2) {
            return self.extended_piece();
        }
        match self.random.below(40) {
            0..=17 => self.any_two(),
            18..=20 => self.simple(),
            21 | 22 => {
                let code = self.random.pick(&[SWPB, RRA, SXT]);
                let byte = code == RRA && self.random.once_in(2);
                let operand = self.changed(byte);
                self.code.one(code, byte, operand);
            }
            23 => {
                let byte = self.random.once_in(2);
                let operand = self.changed(byte);
                self.code.one(RRC, byte, operand);
                self.settle();
            }
            24 | 25 => self.skip(),
            26 => self.there_and_back(),
            27 => self.branch(),
            28 | 29 => self.push(),
            30 | 31 => self.pop(),
            32 => self.call(),
            33 => self.decimal(),
            34 => self.status(),
            35 => self.stack_moves(),
            36 | 37 if self.set == Set::Original => self.multiply(),
            38 if self.set != Set::Cpux => self.return_from_interrupt(),
            _ => {
                let which = self.random.below(3) as usize;
                self.load_pointer(which);
            }
        }
    }

    /// An instruction that sets all flags, whatever they are.
    pub(super) fn settle(&mut self) {
        let (a, b) = (self.data(), self.data());
        let code = self.random.pick(&[ADD, SUB, BIT, XOR, AND]);
        self.code.two(code, false, register(a), to(b));
    }

    /// Jxx over one instruction.
    fn skip(&mut self) {
        let condition = self.random.below(8) as u16;
        self.code.jump(condition, 1);
        self.simple();
    }

    /// Forth over two jumps, back to the second instruction, and on.
    fn there_and_back(&mut self) {
        self.code.jump(7, 2);
        self.simple();
        self.code.jump(7, 1);
        self.code.jump(7, -3);
    }

    /// MOV to PC in all its forms, ADD to PC.
    fn branch(&mut self) {
        let n = self.data();
        match self.random.below(5) {
            0 => {
                let behind = self.code.here() + 4;
                self.code.two(MOV, false, immediate(behind), to(PC));
            }
            1 => {
                let behind = self.code.here() + 4 + 2;
                self.code.two(MOV, false, immediate(behind), to(n));
                self.code.two(MOV, false, register(n), to(PC));
            }
            2 => self.code.two(ADD, false, Source(2, CG, Extension::None), to(PC)),
            3 => {
                let place = self.address(false);
                let behind = self.code.here() + 6 + 4;
                let target = Target(1, SR, Extension::Word(place));
                self.code.two(MOV, false, immediate(behind), target);
                self.code.two(MOV, false, Source(1, SR, Extension::Word(place)), to(PC));
            }
            _ => {
                let which = self.pointer(false);
                let behind = self.code.here() + 6 + 2;
                let target = Target(1, POINTERS[which], Extension::Word(0));
                self.code.two(MOV, false, immediate(behind), target);
                let mode = self.random.pick(&[2, 3]);
                self.code.two(MOV, false, Source(mode, POINTERS[which], Extension::None), to(PC));
                self.pointers[which] += if mode == 3 { 2 } else { 0 };
                return;
            }
        }
        // What ADD #2, PC skips.
        self.code.word(0x4303);
    }

    fn push(&mut self) {
        if self.stack <= STACK.1 {
            return self.stack_moves();
        }
        if self.random.once_in(5) {
            // The word below the stack has an upper half of 0 first.
            self.code.two(MOV, false, Source(0, CG, Extension::None), Target(1, SP, Extension::Word(0xfffe)));
            let source = self.source(true);
            self.code.one(PUSH, true, source);
        } else {
            let source = self.source(false);
            self.code.one(PUSH, false, source);
        }
        self.stack -= 2;
    }

    fn pop(&mut self) {
        if self.stack >= STACK.2 {
            return self.stack_moves();
        }
        let code = self.random.pick(&[4, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15]);
        let n = self.data();
        self.code.two(code, false, Source(3, SP, Extension::None), to(n));
        self.stack += 2;
    }

    /// Calls behind the call in all forms, and returns behind the return.
    fn call(&mut self) {
        if self.stack <= STACK.1 + 4 {
            return self.stack_moves();
        }
        let n = self.data();
        match self.random.below(3) {
            0 => {
                let behind = self.code.here() + 4;
                self.code.one(CALL, false, immediate(behind));
            }
            1 => {
                let behind = self.code.here() + 4 + 2;
                self.code.two(MOV, false, immediate(behind), to(n));
                self.code.one(CALL, false, register(n));
            }
            _ => {
                let place = self.address(false);
                let behind = self.code.here() + 6 + 4;
                self.code.two(MOV, false, immediate(behind), Target(1, SR, Extension::Word(place)));
                self.code.one(CALL, false, Source(1, SR, Extension::Word(place)));
            }
        }
        self.stack -= 2;
        let behind = self.code.here() + 4 + 2;
        self.code.one(PUSH, false, immediate(behind));
        self.code.two(MOV, false, Source(3, SP, Extension::None), to(PC));
    }

    /// DADD of decimal digits.
    fn decimal(&mut self) {
        let (a, b) = (self.data(), self.data());
        for n in [a, b] {
            let digits = (0..4).fold(0, |value, _| value << 4 | self.random.below(10) as u16);
            self.code.two(MOV, false, immediate(digits), to(n));
        }
        let byte = self.random.once_in(3);
        self.code.two(DADD, byte, register(a), to(b));
        if self.set == Set::Cpux {
            self.settle();
        }
    }

    /// The flags, not the bits that stop clocks.
    fn status(&mut self) {
        let flags = self.random.next() as u16 & 0x0107;
        let code = self.random.pick(&[MOV, BIC, BIS, XOR, AND]);
        if self.random.once_in(2) {
            let code = self.random.pick(&[BIC, BIS]);
            let mode = self.random.pick(&[1, 2]);
            self.code.two(code, false, Source(mode, CG, Extension::None), to(SR));
        } else {
            self.code.two(code, false, immediate(flags), to(SR));
        }
    }

    /// To a new place by ADD or SUB.
    pub(super) fn stack_moves(&mut self) {
        let by = 2 * self.random.below(0x40) as u16;
        if self.stack > STACK.0 {
            self.code.two(SUB, false, immediate(by), to(SP));
            self.stack -= by;
        } else {
            self.code.two(ADD, false, immediate(by), to(SP));
            self.stack += by;
        }
    }

    fn multiply(&mut self) {
        let mode = 0x130 + 2 * self.random.below(4) as u16;
        for place in [mode, 0x138] {
            let source = self.source(false);
            self.code.two(MOV, false, source, Target(1, SR, Extension::Word(place)));
        }
        for place in [0x13a, 0x13c, 0x13e] {
            let n = self.data();
            let code = self.random.pick(&[MOV, ADD, XOR]);
            self.code.two(code, false, Source(1, SR, Extension::Word(place)), to(n));
        }
    }

    fn return_from_interrupt(&mut self) {
        if self.stack <= STACK.1 + 4 {
            return self.stack_moves();
        }
        let flags = self.random.next() as u16 & 0x0107;
        let behind = self.code.here() + 4 + 4 + 2;
        self.code.one(PUSH, false, immediate(behind));
        self.code.one(PUSH, false, immediate(flags));
        self.code.word(RETI);
    }
}
