//! What an instruction reads and writes, and what the latches of the arithmetic unit take from it.
//!
//! Reference: AVR Instruction Set Manual (DS40002198). The tests compare this with what is executed.

use pennyweight_avr::{Code, Op};

use crate::traced::{Accessed, Executed, Reads};

/// What a latch takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A register's value before the instruction.
    Register(u8),
    /// A constant.
    Constant(u8),
    /// Nothing: it keeps its value.
    None,
}

/// A difference of which only flags are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// From this register
    pub register: u8,
    /// this is subtracted,
    pub operand: Operand,
    /// and the carry?
    pub with_carry: bool,
}

/// What an instruction reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operands {
    code: Code,
    a: u8,
    /// What the two latches take. The operations on 16 bits have two steps: low bytes, then high ones.
    pub latches: [[Operand; 2]; 2],
    /// Data registers that it reads, as bits.
    pub reads: u32,
    /// Data registers that it writes, as bits.
    pub writes: u32,
    /// The registers of its pointer, as bits.
    pointer: u32,
    /// Does it write its pointer?
    moves_pointer: bool,
    /// Flags that it reads, as bits.
    reads_flags: u8,
    /// Flags that it sets, as bits.
    sets_flags: u8,
    /// What it compares.
    pub comparison: Option<Comparison>,
}

/// Bits of SREG.
mod sreg {
    pub const C: u8 = 1;
    pub const Z: u8 = 2;
    pub const SVNZ: u8 = 0x1e;
    pub const H: u8 = 0x20;
    pub const T: u8 = 0x40;
}

const fn bit(register: u8) -> u32 {
    1 << register
}

const fn pair(low: u8) -> u32 {
    3 << low
}

const Z: u8 = 30;

/// What `op` does.
pub fn operands(op: &Op) -> Operands {
    use Operand::{Constant, None, Register};
    let Op { code, a, b, .. } = *op;
    let mut found = Operands {
        code,
        a,
        latches: [[None; 2]; 2],
        reads: 0,
        writes: 0,
        pointer: 0,
        moves_pointer: false,
        reads_flags: 0,
        sets_flags: sets_flags(op),
        comparison: Option::None,
    };
    match code {
        Code::Add | Code::Adc | Code::Sub | Code::Sbc | Code::And | Code::Or | Code::Eor => {
            found.latches[0] = [Register(a), Register(b)];
            (found.reads, found.writes) = (bit(a) | bit(b), bit(a));
        }
        Code::Cp | Code::Cpc | Code::Cpse => {
            found.latches[0] = [Register(a), Register(b)];
            found.reads = bit(a) | bit(b);
            let with_carry = code == Code::Cpc;
            found.comparison = Some(Comparison { register: a, operand: Register(b), with_carry });
        }
        Code::Mul | Code::Muls | Code::Mulsu | Code::Fmul | Code::Fmuls | Code::Fmulsu => {
            found.latches[0] = [Register(a), Register(b)];
            (found.reads, found.writes) = (bit(a) | bit(b), pair(0));
        }
        Code::Mov => {
            found.latches[0] = [None, Register(b)];
            (found.reads, found.writes) = (bit(b), bit(a));
        }
        Code::Movw => {
            found.latches = [[None, Register(b)], [None, Register(b | 1)]];
            (found.reads, found.writes) = (pair(b), pair(a));
        }
        Code::Cpi => {
            found.latches[0] = [Register(a), Constant(b)];
            found.reads = bit(a);
            let operand = Constant(b);
            found.comparison = Some(Comparison { register: a, operand, with_carry: false });
        }
        Code::Subi | Code::Sbci | Code::Ori | Code::Andi => {
            found.latches[0] = [Register(a), Constant(b)];
            (found.reads, found.writes) = (bit(a), bit(a));
        }
        Code::Ldi => {
            found.latches[0] = [None, Constant(b)];
            found.writes = bit(a);
        }
        Code::Adiw | Code::Sbiw => {
            found.latches = [[Register(a), Constant(b)], [Register(a | 1), Constant(0)]];
            (found.reads, found.writes) = (pair(a), pair(a));
        }
        Code::Com
        | Code::Neg
        | Code::Swap
        | Code::Inc
        | Code::Dec
        | Code::Asr
        | Code::Lsr
        | Code::Ror
        | Code::Bld => {
            found.latches[0] = [Register(a), None];
            (found.reads, found.writes) = (bit(a), bit(a));
        }
        Code::Bst | Code::Sbrc | Code::Sbrs => {
            found.latches[0] = [Register(a), None];
            found.reads = bit(a);
        }
        Code::Ld | Code::LdInc | Code::LdDec => (found.writes, found.pointer) = (bit(a), pair(b)),
        Code::St | Code::StInc | Code::StDec => (found.reads, found.pointer) = (bit(a), pair(b)),
        Code::Lpm | Code::LpmInc | Code::Elpm | Code::ElpmInc => {
            (found.writes, found.pointer) = (bit(a), pair(Z));
        }
        Code::Lds | Code::In | Code::Pop => found.writes = bit(a),
        Code::Sts | Code::Out | Code::Push => found.reads = bit(a),
        _ => {}
    }
    found.moves_pointer =
        matches!(code, Code::LdInc | Code::LdDec | Code::StInc | Code::StDec | Code::LpmInc | Code::ElpmInc);
    found.reads_flags = match code {
        Code::Adc | Code::Ror => sreg::C,
        // Their Z does not change if the difference is 0.
        Code::Sbc | Code::Sbci | Code::Cpc => sreg::C | sreg::Z,
        Code::Bld => sreg::T,
        _ => 0,
    };
    found
}

fn sets_flags(op: &Op) -> u8 {
    match op.code {
        Code::Add | Code::Adc | Code::Sub | Code::Sbc | Code::Subi | Code::Sbci | Code::Neg => {
            sreg::H | sreg::SVNZ | sreg::C
        }
        Code::Cp | Code::Cpc | Code::Cpi => sreg::H | sreg::SVNZ | sreg::C,
        Code::And | Code::Or | Code::Eor | Code::Andi | Code::Ori | Code::Inc | Code::Dec => sreg::SVNZ,
        Code::Com | Code::Asr | Code::Lsr | Code::Ror | Code::Adiw | Code::Sbiw => sreg::SVNZ | sreg::C,
        Code::Mul | Code::Muls | Code::Mulsu | Code::Fmul | Code::Fmuls | Code::Fmulsu => sreg::Z | sreg::C,
        Code::Bst => sreg::T,
        Code::Bset | Code::Bclr => op.b,
        _ => 0,
    }
}

impl Operands {
    /// All registers that it writes, as bits.
    pub fn written(&self) -> u32 {
        if self.moves_pointer {
            self.writes | self.pointer
        } else {
            self.writes
        }
    }

    fn is_load(&self) -> bool {
        let from_memory = [Code::Ld, Code::LdInc, Code::LdDec, Code::Lds, Code::In, Code::Pop];
        from_memory.contains(&self.code) || self.is_load_from_flash()
    }

    fn is_load_from_flash(&self) -> bool {
        [Code::Lpm, Code::LpmInc, Code::Elpm, Code::ElpmInc].contains(&self.code)
    }
}

impl Executed for Operands {
    fn reads(&self) -> Reads {
        let registers = self.reads | if self.is_load() { self.pointer } else { 0 };
        Reads { registers, flags: self.reads_flags, loads: true }
    }

    fn made_of(&self, register: u8) -> Reads {
        if self.writes & bit(register) == 0 {
            // The pointer moves: its low byte depends on itself, its high byte on both.
            let low = self.pointer & 0x5555_5555;
            let registers = if low == bit(register) { low } else { self.pointer };
            return Reads { registers, flags: 0, loads: false };
        }
        match self.code {
            // What is read from I/O may be SREG.
            Code::In | Code::Lds => Reads { registers: 0, flags: 0xff, loads: true },
            _ if self.is_load() => Reads { registers: self.pointer, flags: 0, loads: true },
            Code::Movw => {
                let from = self.reads & if register & 1 == 0 { 0x5555_5555 } else { 0xaaaa_aaaa };
                Reads { registers: from, flags: 0, loads: false }
            }
            Code::Adiw | Code::Sbiw if register == self.a => {
                Reads { registers: bit(register), flags: 0, loads: false }
            }
            // A word that is cleared depends on nothing.
            Code::Eor | Code::Sub if self.reads.count_ones() == 1 => Reads::default(),
            Code::Sbc if self.reads.count_ones() == 1 => Reads { flags: sreg::C, ..Reads::default() },
            Code::Adc | Code::Sbc | Code::Sbci => {
                Reads { registers: self.reads, flags: sreg::C, loads: false }
            }
            _ => Reads { registers: self.reads, flags: self.reads_flags, loads: false },
        }
    }

    fn sets(&self) -> u8 {
        self.sets_flags
    }

    fn stored(&self, access: &Accessed) -> Option<u8> {
        let stores = [Code::St, Code::StInc, Code::StDec, Code::Sts, Code::Out, Code::Push];
        (access.store && stores.contains(&self.code)).then_some(self.a)
    }
}

#[cfg(test)]
mod tests {
    use pennyweight_avr::{AvrMachine, Code};

    use super::{bit, operands, sreg, Operand, Operands};
    use crate::traced::{Executed, Reads};

    fn machine(words: &[u16]) -> AvrMachine {
        let board = pennyweight_bundled::board("atmega328p");
        let flash: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        AvrMachine::with_flash(&board, &flash).expect("a good board")
    }

    fn of(words: &[u16]) -> Operands {
        operands(&machine(words).op(0).expect("an instruction"))
    }

    const R: fn(u8) -> Operand = Operand::Register;
    const K: fn(u8) -> Operand = Operand::Constant;
    const NONE: Operand = Operand::None;

    #[test]
    fn latches_take_the_operands() {
        for (text, word, latches) in [
            ("add r2, r3", 0x0c23, [[R(2), R(3)], [NONE; 2]]),
            ("eor r2, r3", 0x2423, [[R(2), R(3)], [NONE; 2]]),
            ("cpse r2, r3", 0x1023, [[R(2), R(3)], [NONE; 2]]),
            ("mov r2, r3", 0x2c23, [[NONE, R(3)], [NONE; 2]]),
            ("movw r2, r4", 0x0112, [[NONE, R(4)], [NONE, R(5)]]),
            ("mul r5, r6", 0x9c56, [[R(5), R(6)], [NONE; 2]]),
            ("andi r16, 0x0f", 0x700f, [[R(16), K(15)], [NONE; 2]]),
            ("ldi r16, 5", 0xe005, [[NONE, K(5)], [NONE; 2]]),
            ("adiw r24, 3", 0x9603, [[R(24), K(3)], [R(25), K(0)]]),
            ("lsr r7", 0x9476, [[R(7), NONE], [NONE; 2]]),
            ("bst r7, 2", 0xfa72, [[R(7), NONE], [NONE; 2]]),
            ("ld r2, X+", 0x902d, [[NONE; 2]; 2]),
            ("push r4", 0x924f, [[NONE; 2]; 2]),
            ("ret", 0x9508, [[NONE; 2]; 2]),
        ] {
            assert_eq!(of(&[word]).latches, latches, "{text}");
        }
    }

    /// Most instructions that read or write registers.
    const EXECUTED: [&[u16]; 53] = [
        &[0x0c23],         // add r2, r3
        &[0x1c23],         // adc r2, r3
        &[0x1823],         // sub r2, r3
        &[0x0823],         // sbc r2, r3
        &[0x0822],         // sbc r2, r2
        &[0x2023],         // and r2, r3
        &[0x2823],         // or r2, r3
        &[0x2423],         // eor r2, r3
        &[0x2422],         // eor r2, r2
        &[0x1423],         // cp r2, r3
        &[0x0423],         // cpc r2, r3
        &[0x2c23],         // mov r2, r3
        &[0x0112],         // movw r2, r4
        &[0x9c56],         // mul r5, r6
        &[0x0212],         // muls r17, r18
        &[0x0312],         // mulsu r17, r18
        &[0x031a],         // fmul r17, r18
        &[0x0392],         // fmuls r17, r18
        &[0x039a],         // fmulsu r17, r18
        &[0x3205],         // cpi r16, 0x25
        &[0x5005],         // subi r16, 5
        &[0x4005],         // sbci r16, 5
        &[0x600f],         // ori r16, 0x0f
        &[0x700f],         // andi r16, 0x0f
        &[0xe005],         // ldi r16, 5
        &[0x9603],         // adiw r24, 3
        &[0x9703],         // sbiw r24, 3
        &[0x9470],         // com r7
        &[0x9471],         // neg r7
        &[0x9472],         // swap r7
        &[0x9473],         // inc r7
        &[0x947a],         // dec r7
        &[0x9475],         // asr r7
        &[0x9476],         // lsr r7
        &[0x9477],         // ror r7
        &[0x902c],         // ld r2, X
        &[0x902d],         // ld r2, X+
        &[0x902e],         // ld r2, -X
        &[0x8029],         // ldd r2, Y+1
        &[0x923c],         // st X, r3
        &[0x923d],         // st X+, r3
        &[0x923e],         // st -X, r3
        &[0x8239],         // std Y+1, r3
        &[0x9020, 0x0200], // lds r2, 0x200
        &[0x9220, 0x0200], // sts 0x200, r2
        &[0xb60f],         // in r0, SREG
        &[0x9064],         // lpm r6, Z
        &[0x9125],         // lpm r18, Z+
        &[0x924f],         // push r4
        &[0x905f],         // pop r5
        &[0xfa72],         // bst r7, 2
        &[0xf872],         // bld r7, 2
        &[0x9408],         // sec
    ];

    /// Registers and flags as what is executed shows them.
    #[test]
    fn what_is_read_and_written_is_what_is_executed() {
        for words in EXECUTED {
            let machine = machine(words);
            let found = operands(&machine.op(0).expect("an instruction"));
            let effects = machine.effects(0);
            let name = format!("{words:04x?}");
            // Where a pointer is used, the high bytes of all pointers are set to point to SRAM.
            let pointed = if effects.address.cells == 0 { 0 } else { bit(27) | bit(29) | bit(31) };
            let writes = effects.writes.iter().filter(|each| each.0 < 32 && pointed & bit(each.0) == 0);
            let registers: u32 = writes.clone().map(|each| bit(each.0)).sum();
            assert_eq!(found.written() & !pointed, registers, "{name}");
            let flags: u8 =
                effects.writes.iter().filter(|each| each.0 >= 32).map(|each| 1 << (each.0 - 32)).sum();
            // With one register, SBC sets C to what it is.
            let kept = if found.code == Code::Sbc && found.reads.count_ones() == 1 { sreg::C } else { 0 };
            assert_eq!(found.sets(), flags | kept, "{name}");
            for &(cell, sources) in writes {
                let reads = found.made_of(cell);
                let expected = Reads {
                    registers: sources.cells as u32,
                    flags: (sources.cells >> 32) as u8,
                    loads: sources.loads != 0,
                };
                // What is loaded depends on the pointer too, and a load from I/O may be one of SREG.
                if found.is_load() && found.writes & bit(cell) != 0 {
                    let from_sreg = expected.flags == 0xff;
                    assert!(
                        reads.loads && (expected.loads || from_sreg || found.is_load_from_flash()),
                        "{name}"
                    );
                    assert_eq!(
                        u32::from(reads.flags) | u32::from(expected.flags),
                        reads.flags.into(),
                        "{name}"
                    );
                    assert_eq!(reads.registers, effects.address.cells as u32, "{name}");
                } else if found.is_load_from_flash() {
                    // An address outside of flash is a fault, after which the pointer is what it was.
                    assert_eq!(reads.registers | expected.registers, expected.registers, "{name}: r{cell}");
                } else {
                    assert_eq!(reads, expected, "{name}: r{cell}");
                }
            }
            if let [stored] = effects.stores[..] {
                assert_eq!((found.reads, found.sets()), (stored.cells as u32, 0), "{name}");
            }
        }
    }

    #[test]
    fn comparisons_have_no_destination() {
        for (words, with_carry, operand) in [
            ([0x1423], false, R(3)),
            ([0x0423], true, R(3)),
            ([0x1023], false, R(3)),
            ([0x3205], false, K(0x25)),
        ] {
            let found = of(&words);
            let compared = found.comparison.expect("a comparison");
            assert_eq!((compared.operand, compared.with_carry, found.written()), (operand, with_carry, 0));
        }
        assert_eq!(of(&[0x1823]).comparison, None);
        assert_eq!((of(&[0xfa72]).code, of(&[0xfa72]).sets()), (Code::Bst, sreg::T));
    }
}
