//! Pieces of 16-bit code: stretches that a MIPS32 program enters by JALX or by a jump to an odd address,
//! and that come back to it. Within, all 16-bit instructions and their extended forms are safe to run from
//! any state.

use super::encode16::{
    extend, extend_frame, extend_rria, extend_shift, frame, from_any, jal, jump, ri, rr, rri, rrr, to_any,
    NOP,
};
use super::pieces::plain_word;
use super::stream::{registers, Stream, LOOP, POINTER, SCRATCH};

/// No stretch is longer, in words.
pub const LONGEST: usize = 700;

/// 16-bit code under construction; it begins at a multiple of four.
struct Code<'s> {
    s: &'s mut Stream,
    halves: Vec<u16>,
}

/// Goes to 16-bit code and comes back.
pub fn stretch(s: &mut Stream) {
    let by_register = s.random.once_in(2);
    let start = s.here() + if by_register { 4 } else { 2 };
    let target = s.address(start);
    if by_register {
        s.load(SCRATCH, target | 1);
        let link = s.random.once_in(2);
        // jalr or jr
        s.put(if link { registers(9, 31, SCRATCH, 0) } else { registers(8, 0, SCRATCH, 0) });
    } else {
        s.put(29 << 26 | target >> 2 & 0x03ff_ffff); // jalx
    }
    let slot = plain_word(s);
    s.put(slot);
    let mut code = Code { s, halves: Vec::new() };
    for _ in 0..10 + code.below(30) {
        code.any();
    }
    code.leave();
    let words: Vec<u32> =
        code.halves.chunks_exact(2).map(|pair| u32::from(pair[1]) << 16 | u32::from(pair[0])).collect();
    words.into_iter().for_each(|word| s.put(word));
}

impl Code<'_> {
    fn below(&mut self, bound: u32) -> u32 {
        self.s.random.below(bound)
    }

    fn once_in(&mut self, n: u32) -> bool {
        self.s.random.once_in(n)
    }

    /// Three bits that name a register.
    fn named(&mut self) -> u32 {
        self.below(8)
    }

    fn put(&mut self, half: u16) {
        self.halves.push(half);
    }

    fn put_two(&mut self, [first, second]: [u16; 2]) {
        self.put(first);
        self.put(second);
    }

    /// The address of the halfword at a position.
    fn address(&self, position: usize) -> u32 {
        self.s.address(self.s.here()) + 2 * position as u32
    }

    fn here(&self) -> usize {
        self.halves.len()
    }

    fn align(&mut self) {
        if !self.here().is_multiple_of(2) {
            self.put(NOP);
        }
    }

    fn any(&mut self) {
        match self.below(16) {
            0..=5 => self.plain_run(4),
            6..=8 => self.load_or_store(),
            9..=10 => self.branch(),
            11 => self.inner_loop(),
            12 => self.divide(),
            13 => self.frames(),
            14 => self.call(),
            _ => self.stack(),
        }
    }

    fn plain_run(&mut self, at_most: u32) {
        for _ in 0..=self.below(at_most) {
            if self.once_in(3) {
                self.plain_extended();
            } else {
                let half = self.plain();
                self.put(half);
            }
        }
    }

    /// One halfword that touches neither memory nor the flow.
    fn plain(&mut self) -> u16 {
        let (x, y, z) = (self.named(), self.named(), self.named());
        let byte = self.below(0x100) as i32;
        match self.below(12) {
            0 => rri(8, x, y, byte as u32 & 15),
            // ADDIU8, SLTI, SLTIU, LI, CMPI, ADDIUSP
            1..=3 => {
                let op = self.s.random.pick(&[9, 10, 11, 13, 14, 0]);
                ri(op, x, byte)
            }
            4 => {
                let function = self.s.random.pick(&[0, 2, 3]);
                rri(6, x, y, (byte as u32 & 7) << 2 | function)
            }
            5 => {
                let function = self.s.random.pick(&[1, 3]);
                rrr(function, z, x, y)
            }
            // SLT to NOT
            6..=7 => {
                let function = self.s.random.pick(&[2, 3, 4, 6, 7, 10, 11, 12, 13, 14, 15]);
                rr(function, x, y)
            }
            // MFHI, MFLO
            8 => {
                let function = self.s.random.pick(&[16, 18]);
                rr(function, x, 0)
            }
            // ZEB, ZEH, SEB, SEH
            9 => {
                let kind = self.s.random.pick(&[0, 1, 4, 5]);
                rr(17, x, kind)
            }
            // MULT, MULTU
            10 => rr(24 + (byte as u32 & 1), x, y),
            _ => {
                let (to, from) = (self.below(26), self.below(32));
                if byte & 1 == 0 {
                    to_any(to, x)
                } else {
                    from_any(y, from)
                }
            }
        }
    }

    fn plain_extended(&mut self) {
        let (x, y, imm) = (self.named(), self.named(), self.below(0x1_0000) as i32);
        match self.below(4) {
            0 => self.put_two(extend_rria(x, y, imm & 0x7fff)),
            1 => {
                let function = self.s.random.pick(&[0, 2, 3]);
                self.put_two(extend_shift(function, x, y, imm as u32 & 31));
            }
            _ => {
                // ADDIUSP, ADDIUPC, ADDIU8, SLTI, SLTIU, LI, CMPI
                let op = self.s.random.pick(&[0, 1, 9, 10, 11, 13, 14]);
                self.put_two(extend(ri(op, x, 0), imm));
            }
        }
    }

    /// Counts from its own address.
    fn relative(&mut self) -> u16 {
        let (op, x, words) = (self.s.random.pick(&[1, 22]), self.named(), self.below(12) as i32);
        ri(op, x, words)
    }

    /// A load or store near the pointer, on the stack, or of data in the code.
    fn load_or_store(&mut self) {
        let (x, y, five) = (self.named(), self.named(), self.below(32));
        let near = self.below(0x100) as i32 - 0x80;
        match self.below(8) {
            0 => {
                let half = self.relative();
                self.put(half);
            }
            1 => {
                let back = self.below(0x40) as i32 * 4 - 0xd0;
                self.put_two(extend(ri(22, x, 0), back)); // lwpc
            }
            // LWSP, SWSP
            2 => {
                let op = self.s.random.pick(&[18, 26]);
                self.put(ri(op, x, five as i32));
            }
            3 => {
                let op = self.s.random.pick(&[18, 26]);
                self.put_two(extend(ri(op, x, 0), near & !3));
            }
            _ => {
                self.put(from_any(x, POINTER));
                // LB, LH, LW, LBU, LHU, SB, SH, SW, and their size's mask
                let (op, mask) = self.s.random.pick(&[
                    (16, 0),
                    (17, 1),
                    (19, 3),
                    (20, 0),
                    (21, 1),
                    (24, 0),
                    (25, 1),
                    (27, 3),
                ]);
                if self.once_in(3) {
                    self.put_two(extend(rri(op, x, y, 0), near & !mask));
                } else {
                    self.put(rri(op, x, y, five));
                }
                if self.once_in(3) {
                    self.put(rrr(1, x, y, y));
                }
            }
        }
    }

    /// A branch over a few instructions.
    fn branch(&mut self) {
        let from = self.here();
        let long = self.once_in(3);
        let x = self.named();
        // B, BEQZ, BNEZ, BTEQZ, BTNEZ
        let kind = self.below(5);
        self.put(NOP);
        if long {
            self.put(NOP);
        }
        let behind = self.here();
        self.plain_run(6);
        let over = (self.here() - behind) as i32;
        let short = |imm: i32| match kind {
            0 => (2 << 11 | imm & 0x7ff) as u16,
            1 | 2 => ri(3 + kind, x, imm),
            _ => ri(12, kind - 3, imm),
        };
        if long {
            self.halves[from..behind].copy_from_slice(&extend(short(0), over));
        } else {
            self.halves[from] = short(over);
        }
    }

    /// A loop of a few instructions; the counter is kept where nothing else is written.
    fn inner_loop(&mut self) {
        let (x, times) = (self.named(), 1 + self.below(5) as i32);
        self.put(ri(13, x, times));
        self.put(to_any(LOOP, x));
        let again = self.here();
        self.plain_run(5);
        if self.once_in(3) {
            self.load_or_store();
        }
        self.put(from_any(x, LOOP));
        self.put(ri(9, x, -1));
        self.put(to_any(LOOP, x));
        let back = again as i32 - self.here() as i32;
        if self.once_in(3) {
            self.put_two(extend(ri(5, x, 0), back - 2));
        } else {
            self.put(ri(5, x, back - 1));
        }
    }

    /// DIV, DIVU by what is not zero.
    fn divide(&mut self) {
        let (x, y, byte) = (self.named(), self.named(), 1 + self.below(255) as i32);
        self.put(ri(13, y, byte));
        if self.once_in(2) {
            self.put(rr(11, y, y)); // neg
        }
        let function = self.s.random.pick(&[26, 27]);
        self.put(rr(function, x, y));
        let (to, from) = (self.named(), self.s.random.pick(&[16, 18]));
        self.put(rr(from, to, 0));
    }

    /// SAVE and RESTORE; the frame is the same, the registers, except s8, may differ.
    fn frames(&mut self) {
        let (registers, other) = (self.below(8), self.below(8));
        if self.once_in(2) {
            let size = 8 * (1 + self.below(16));
            self.put(frame(true, registers, size));
            self.plain_run(3);
            self.put(frame(false, other, size));
            return;
        }
        let size = 8 * self.below(256);
        let more = self.below(8);
        let arguments = self.below(15);
        self.put_two(extend_frame(true, registers, more, arguments, size));
        self.plain_run(3);
        if more == 7 {
            // What is found in s8's place must be s8.
            self.put_two(extend_frame(false, registers, more, arguments, size));
        } else {
            let (more, arguments) = (self.below(7), self.below(15));
            self.put_two(extend_frame(false, other, more, arguments, size));
        }
    }

    /// The stack pointer moves and comes back; ra goes to the stack.
    fn stack(&mut self) {
        let by = self.below(0x60) as i32 - 0x40;
        if self.once_in(2) {
            self.put(ri(12, 3, by));
            self.plain_run(2);
            self.put(ri(12, 3, -by));
        } else {
            self.put_two(extend(ri(12, 3, 0), by));
            self.plain_run(2);
            self.put_two(extend(ri(12, 3, 0), -by));
        }
        let words = self.below(32) as i32;
        if self.once_in(2) {
            self.put(ri(12, 2, words));
        } else {
            self.put_two(extend(ri(12, 2, 0), -4 * words));
        }
    }

    /// A delay slot. What counts from a jump's address does so from JAL's first halfword only if that is
    /// a multiple of four: QEMU takes the second otherwise, against the manual.
    fn slot(&mut self) {
        let half = if self.once_in(3) { self.relative() } else { self.plain() };
        self.put(half);
    }

    /// A call of a function behind: in 16-bit code, or in MIPS32; by JAL, JALX, JALR or JALRC.
    fn call(&mut self) {
        let around = self.here();
        self.put(NOP);
        self.align();
        let wide = self.once_in(3);
        let function = self.address(self.here());
        if wide {
            for _ in 0..=self.below(3) {
                self.wide_word();
            }
            let back = registers(8, 0, 31, 0);
            self.put_two([back as u16, (back >> 16) as u16]);
            self.wide_word();
        } else {
            let size = 8 * (1 + self.below(16));
            let registers = 4 + self.below(4);
            self.put(frame(true, registers, size));
            self.plain_run(4);
            self.put(frame(false, 4, size));
            match self.below(3) {
                0 => self.put(jump(None, false, true)), // jrc ra
                1 => {
                    self.put(jump(None, false, false)); // jr ra
                    self.slot();
                }
                _ => {
                    let x = self.named();
                    self.put(from_any(x, 31));
                    let compact = self.once_in(2);
                    self.put(jump(Some(x), false, compact));
                    if !compact {
                        self.slot();
                    }
                }
            }
        }
        self.align();
        let pool = self.here();
        let pointer = function | u32::from(!wide);
        self.put_two([pointer as u16, (pointer >> 16) as u16]);
        let over = self.here() - around - 1;
        self.halves[around] = 2 << 11 | over as u16; // b
        if self.once_in(2) {
            // A multiple of four: see `slot`.
            self.align();
            self.put_two(jal(wide, function));
            self.slot();
        } else {
            let x = self.named();
            self.load_from(x, pool);
            let compact = self.once_in(2);
            self.put(jump(Some(x), true, compact));
            if !compact {
                self.slot();
            }
        }
    }

    /// LWPC x, of the word at a position behind or ahead, extended.
    fn load_from(&mut self, x: u32, pool: usize) {
        let base = self.address(self.here()) & !3;
        let offset = self.address(pool).wrapping_sub(base) as i32;
        self.put_two(extend(ri(22, x, 0), offset));
    }

    /// A word of MIPS32 that touches neither memory nor the flow nor ra.
    fn wide_word(&mut self) {
        let word = plain_word(self.s);
        self.put_two([word as u16, (word >> 16) as u16]);
    }

    /// Back to MIPS32, right behind.
    fn leave(&mut self) {
        self.align();
        if self.once_in(2) {
            let behind = self.address(self.here() + 4);
            self.put_two(jal(true, behind));
            self.slot();
            self.align();
            return;
        }
        // lwpc x, +8; jrc or jr x; slot; the address
        let (x, compact) = (self.named(), self.once_in(2));
        self.put(ri(22, x, 2));
        self.put(jump(Some(x), false, compact));
        if compact {
            self.put(NOP);
        } else {
            let half = self.plain();
            self.put(half);
        }
        self.align();
        let behind = self.address(self.here() + 2);
        self.put_two([behind as u16, (behind >> 16) as u16]);
    }
}
