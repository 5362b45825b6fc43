//! Pieces of random programs that only CPUX can execute.

use super::encode::{
    immediate, long, to, Long, Number, Size, ADD, BIC, BIS, CG, DADD, MOV, PC, PUSH, RRA, RRC, SP, SR, SUB,
    SWPB, SXT, XOR,
};
use super::stream::{Stream, POINTERS, STACK};

const SIZES: [Size; 3] = [Size::Byte, Size::Word, Size::Address];

impl Stream<'_> {
    pub(super) fn extended_piece(&mut self) {
        match self.random.below(20) {
            0..=6 => self.extended_two(),
            7 | 8 => self.extended_one(),
            9 => self.repeated(),
            10 | 11 => self.address_instruction(),
            12 | 13 => self.move_address(),
            14 | 15 => self.rotate(),
            16 => self.push_many(),
            17 => self.push_extended(),
            18 => self.branch_far(),
            _ => self.call_far(),
        }
    }

    /// 20 bits with their extremes more often than chance would have it.
    fn long_value(&mut self) -> u32 {
        match self.random.below(4) {
            0 => self.random.pick(&[0, 1, 0x7_ffff, 0x8_0000, 0xf_ffff, 0xffff, 0x1_0000]),
            _ => self.random.next() as u32 & 0xf_ffff,
        }
    }

    /// The distance of an address in memory from a pointer or SP, and which.
    fn distance(&mut self, byte: bool) -> (u16, u32) {
        let address = u32::from(self.address(byte));
        let which = self.random.below(4) as usize;
        let (number, base) = match POINTERS.get(which) {
            Some(&number) => (number, self.pointers[which]),
            None => (SP, self.stack),
        };
        (number, address.wrapping_sub(base.into()) & 0xf_ffff)
    }

    fn grow(&mut self, which: usize, size: Size) {
        self.pointers[which] += match size {
            Size::Byte => 1,
            Size::Word => 2,
            Size::Address => 4,
        };
    }

    /// Memory that is not incremented: indexed, symbolic, absolute.
    fn long_place(&mut self, size: Size) -> Long {
        let byte = size == Size::Byte;
        match self.random.below(3) {
            0 => {
                let (number, distance) = self.distance(byte);
                Long(1, number, Number::Value(distance))
            }
            1 => Long(1, PC, Number::To(self.address(byte))),
            _ => Long(1, SR, Number::Value(self.address(byte).into())),
        }
    }

    /// Memory at a pointer, which is then incremented or not.
    fn long_pointer(&mut self, size: Size) -> Long {
        let which = self.pointer(size == Size::Byte);
        if self.random.once_in(2) {
            return Long(2, POINTERS[which], Number::None);
        }
        self.grow(which, size);
        Long(3, POINTERS[which], Number::None)
    }

    fn long_source(&mut self, size: Size) -> Long {
        match self.random.below(8) {
            0 | 1 => long(self.data()),
            2 => Long(3, PC, Number::Value(self.long_value())),
            3 => {
                let (mode, n) = self.random.pick(&[(0, CG), (1, CG), (2, CG), (3, CG), (2, SR), (3, SR)]);
                Long(mode, n, Number::None)
            }
            4 | 5 => self.long_pointer(size),
            _ => self.long_place(size),
        }
    }

    fn extended_two(&mut self) {
        let size = self.random.pick(&SIZES);
        let code = self.random.pick(&[4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15]);
        let source = self.long_source(size);
        let target = if self.random.once_in(2) { self.long_place(size) } else { long(self.data()) };
        self.code.extended_two(code, size, source, target, 0);
    }

    /// The extension word's bits for a repetition, and the instruction that loads its register.
    fn repetition(&mut self) -> u16 {
        let count = self.random.below(16) as u16;
        let zero_carry = if self.random.once_in(2) { 0x100 } else { 0 };
        if self.random.once_in(2) {
            return zero_carry | count;
        }
        let n = self.data();
        let value = self.random.next() as u16 & 0xfff0 | count;
        self.code.two(MOV, false, immediate(value), to(n));
        zero_carry | 0x80 | n
    }

    fn repeated(&mut self) {
        let size = self.random.pick(&SIZES);
        let (a, b) = (self.data(), self.data());
        match self.random.below(3) {
            0 => {
                let more = self.repetition();
                let code = self.random.pick(&[RRC, RRA]);
                self.code.extended_one(code, size, long(a), more);
            }
            1 => {
                // DADDX of decimal digits.
                for n in [a, b] {
                    let digits = (0..5).fold(0, |value, _| value << 4 | self.random.below(10));
                    self.code.address(0x0080 | n, 8, digits);
                }
                self.code.extended_two(DADD, size, long(a), long(b), 0);
                self.settle();
            }
            _ => {
                let more = self.repetition();
                let code = self.random.pick(&[MOV, ADD, 6, 7, SUB, 9, 11, BIC, BIS, XOR, 15]);
                self.code.extended_two(code, size, long(a), long(b), more);
            }
        }
    }

    fn extended_one(&mut self) {
        let code = self.random.pick(&[RRC, RRA, SWPB, SXT]);
        let size = match code {
            SWPB | SXT => self.random.pick(&[Size::Word, Size::Address]),
            _ => self.random.pick(&SIZES),
        };
        let operand = match self.random.below(3) {
            0 => long(self.data()),
            1 => self.long_pointer(size),
            _ => self.long_place(size),
        };
        self.code.extended_one(code, size, operand, 0);
    }

    /// ADDA, SUBA, CMPA.
    fn address_instruction(&mut self) {
        let (a, b) = (self.data(), self.data());
        let code = self.random.pick(&[0x0090, 0x00a0, 0x00b0]);
        if self.random.once_in(2) {
            let number = self.long_value();
            self.code.address(code | b, 8, number);
        } else {
            self.code.word((code + 0x40) | a << 8 | b);
        }
        if code != 0x00a0 {
            self.settle();
        }
    }

    /// MOVA but to PC.
    fn move_address(&mut self) {
        let (a, b) = (self.data(), self.data());
        match self.random.below(8) {
            0 => {
                let which = self.pointer(false);
                self.code.word(POINTERS[which] << 8 | b);
            }
            1 => {
                let which = self.pointer(false);
                self.grow(which, Size::Address);
                self.code.word(0x0010 | POINTERS[which] << 8 | b);
            }
            2 => {
                let address = self.address(false);
                self.code.address(0x0020 | b, 8, address.into());
            }
            3 => {
                let (number, distance) = self.distance(false);
                self.code.word(0x0030 | number << 8 | b);
                self.code.word(distance as u16);
            }
            4 => {
                let address = self.address(false);
                self.code.address(0x0060 | a << 8, 0, address.into());
            }
            5 => {
                let (number, distance) = self.distance(false);
                self.code.word(0x0070 | a << 8 | number);
                self.code.word(distance as u16);
            }
            6 => {
                let number = self.long_value();
                self.code.address(0x0080 | b, 8, number);
            }
            _ => self.code.word(0x00c0 | a << 8 | b),
        }
    }

    /// RRCM, RRAM, RLAM, RRUM.
    fn rotate(&mut self) {
        let (kind, times, word) =
            (self.random.below(4) as u16, self.random.below(4) as u16, self.random.below(2));
        let n = self.data();
        self.code.word(0x0040 | times << 10 | kind << 8 | (word as u16) << 4 | n);
        if kind == 2 {
            self.settle();
        }
    }

    /// PUSHM.W and POPM.W of data registers.
    fn push_many(&mut self) {
        let (first, count) = self.random.pick(&[(4, 4), (4, 1), (5, 3), (11, 5), (12, 2), (15, 1)]);
        if self.stack <= STACK.1 + 2 * count {
            return self.stack_moves();
        }
        self.code.word(0x1500 | (count - 1) << 4 | (first + count - 1));
        if self.random.once_in(2) {
            self.simple();
        }
        self.code.word(0x1700 | (count - 1) << 4 | first);
    }

    fn push_extended(&mut self) {
        if self.stack <= STACK.1 + 4 {
            return self.stack_moves();
        }
        let size = self.random.pick(&[Size::Word, Size::Address]);
        let source = self.long_source(size);
        self.code.extended_one(PUSH, size, source, 0);
        self.stack -= if size == Size::Address { 4 } else { 2 };
    }

    /// A place in memory, in which an address is put.
    fn stored(&mut self, address: u32) -> u16 {
        let n = self.data();
        let place = self.address(false);
        self.code.address(0x0080 | n, 8, address);
        self.code.address(0x0060 | n << 8, 0, place.into());
        place
    }

    /// BRA and RETA behind themselves.
    fn branch_far(&mut self) {
        let n = self.data();
        match self.random.below(4) {
            0 => {
                let behind = self.code.here() + 4;
                self.code.address(0x0080, 8, behind.into());
            }
            1 => {
                let behind = self.code.here() + 4 + 2;
                self.code.address(0x0080 | n, 8, behind.into());
                self.code.word(0x00c0 | n << 8);
            }
            2 => {
                let behind = self.code.here() + 8 + 4;
                let place = self.stored(behind.into());
                self.code.address(0x0020, 8, place.into());
            }
            _ if self.stack > STACK.1 + 4 => {
                let behind = self.code.here() + 6 + 2;
                self.code.extended_one(PUSH, Size::Address, Long(3, PC, Number::Value(behind.into())), 0);
                self.code.word(0x0110);
            }
            _ => self.stack_moves(),
        }
    }

    /// CALLA behind itself; what it pushes is popped.
    fn call_far(&mut self) {
        if self.stack <= STACK.1 + 4 {
            return self.stack_moves();
        }
        let n = self.data();
        match self.random.below(4) {
            0 => {
                let behind = self.code.here() + 4;
                self.code.address(0x13b0, 0, behind.into());
            }
            1 => {
                let behind = self.code.here() + 4 + 2;
                self.code.address(0x0080 | n, 8, behind.into());
                self.code.word(0x1340 | n);
            }
            2 => {
                let behind = self.code.here() + 8 + 4;
                let place = self.stored(behind.into());
                let distance = u32::from(place).wrapping_sub(u32::from(self.code.here()) + 2);
                self.code.address(0x1390, 0, distance & 0xf_ffff);
            }
            _ => {
                let which = self.pointer(false);
                let behind = self.code.here() + 8 + 2;
                let (pointer, mode) = (POINTERS[which], self.random.pick(&[0x1360, 0x1370]));
                self.code.address(0x0080 | n, 8, behind.into());
                self.code.word(0x0070 | n << 8 | pointer);
                self.code.word(0);
                self.code.word(mode | pointer);
                self.pointers[which] += if mode == 0x1370 { 4 } else { 0 };
            }
        }
        // The return address, as MOVA @SP+, Rn pops it.
        self.code.word(0x0110 | n);
    }
}
