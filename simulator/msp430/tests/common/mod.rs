//! A small machine, and an encoder based on the manual's formats, not on the decoder.

#![allow(dead_code, reason = "each test program uses a part of it")]

use pennyweight_machine::{Board, Exit, Machine, Outcome};
use pennyweight_msp430::{Msp430Machine, Registers};

/// Where test programs begin.
pub const CODE: u16 = FLASH + 0x400;
/// First address of flash: little of it, as decoding takes its time in tests.
pub const FLASH: u16 = 0xe000;
/// First and one past the last address of RAM.
pub const RAM: (u16, u16) = (0x1100, 0x3900);

pub const PC: usize = 0;
pub const SP: usize = 1;
pub const SR: usize = 2;

pub const C: u16 = 1;
pub const Z: u16 = 2;
pub const N: u16 = 4;
pub const V: u16 = 0x100;

/// The board that the tests run on, with a mirror as on the MSP430F1611.
pub const BOARD: &str = r#"
id = "test"
[core]
name = "msp430"
[clock]
hz = 8_000_000
[[memory]]
name = "mirror"
kind = "mirror"
base = 0x0200
size = 0x800
timing = { model = "zero-wait" }
[[memory]]
name = "ram"
kind = "ram"
base = 0x1100
size = 0x2800
timing = { model = "zero-wait" }
[[memory]]
name = "flash"
kind = "flash"
base = 0xe000
size = 0x2000
timing = { model = "zero-wait" }
"#;

pub fn board() -> Board {
    pennyweight_bundled::board_from(BOARD)
}

/// A machine with these words at [`CODE`], the program counter there and the stack in RAM's middle.
pub fn machine(words: &[u16]) -> Msp430Machine {
    let mut flash = vec![0xff; usize::from(CODE - FLASH)];
    flash.extend(words.iter().flat_map(|w| w.to_le_bytes()));
    let mut machine = Msp430Machine::with_flash(&board(), &flash).expect("a good board");
    let mut registers = Registers::default();
    registers.0[PC] = CODE;
    registers.0[SP] = 0x2000;
    machine.set_registers(&registers);
    machine
}

/// As [`machine`], with registers set and words in RAM.
pub fn prepared(words: &[u16], registers: &[(usize, u16)], memory: &[(u16, u16)]) -> Msp430Machine {
    let mut machine = machine(words);
    let mut all = machine.registers();
    for &(number, value) in registers {
        all.0[number] = value;
    }
    machine.set_registers(&all);
    for &(address, value) in memory {
        machine.write(address.into(), &value.to_le_bytes()).expect("in RAM");
    }
    machine
}

pub fn word(machine: &Msp430Machine, address: u16) -> u16 {
    let mut bytes = [0; 2];
    machine.read(address.into(), &mut bytes).expect("in memory");
    u16::from_le_bytes(bytes)
}

/// Executes one instruction, which must not fault; its outcome.
pub fn step(machine: &mut Msp430Machine) -> Outcome {
    let outcome = machine.step();
    assert_eq!((outcome.exit, outcome.instructions), (Exit::Returned, 1));
    outcome
}

/// A source or one-operand field: addressing mode, register, extension word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source(pub u16, pub u16, pub Option<u16>);

/// A target field: addressing mode, register, extension word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target(pub u16, pub u16, pub Option<u16>);

pub fn r(n: u16) -> Source {
    Source(0, n, None)
}
pub fn indexed(x: u16, n: u16) -> Source {
    Source(1, n, Some(x))
}
pub fn absolute(address: u16) -> Source {
    Source(1, 2, Some(address))
}
pub fn indirect(n: u16) -> Source {
    Source(2, n, None)
}
pub fn increment(n: u16) -> Source {
    Source(3, n, None)
}
pub fn immediate(value: u16) -> Source {
    Source(3, 0, Some(value))
}
pub fn to(n: u16) -> Target {
    Target(0, n, None)
}
pub fn to_indexed(x: u16, n: u16) -> Target {
    Target(1, n, Some(x))
}
pub fn to_absolute(address: u16) -> Target {
    Target(1, 2, Some(address))
}

pub const MOV: u16 = 4;
pub const ADD: u16 = 5;
pub const ADDC: u16 = 6;
pub const SUBC: u16 = 7;
pub const SUB: u16 = 8;
pub const CMP: u16 = 9;
pub const DADD: u16 = 10;
pub const BIT: u16 = 11;
pub const BIC: u16 = 12;
pub const BIS: u16 = 13;
pub const XOR: u16 = 14;
pub const AND: u16 = 15;

pub const RRC: u16 = 0;
pub const SWPB: u16 = 1;
pub const RRA: u16 = 2;
pub const SXT: u16 = 3;
pub const PUSH: u16 = 4;
pub const CALL: u16 = 5;

/// Format I.
pub fn two(code: u16, byte: bool, source: Source, target: Target) -> Vec<u16> {
    let first = code << 12 | source.1 << 8 | target.0 << 7 | u16::from(byte) << 6 | source.0 << 4 | target.1;
    [Some(first), source.2, target.2].into_iter().flatten().collect()
}

/// Format II.
pub fn one(code: u16, byte: bool, operand: Source) -> Vec<u16> {
    let first = 0x1000 | code << 7 | u16::from(byte) << 6 | operand.0 << 4 | operand.1;
    [Some(first), operand.2].into_iter().flatten().collect()
}

/// A jump by so many words from the next instruction.
pub fn jump(condition: u16, words: i16) -> u16 {
    0x2000 | condition << 10 | words as u16 & 0x3ff
}

/// A sequence of numbers that looks random (xorshift).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u16 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 24) as u16
    }
}
