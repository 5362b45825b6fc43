//! A small machine with CPUX, and an encoder based on the manual's formats, not on the decoder.

use pennyweight_machine::{Exit, Machine, Outcome};
use pennyweight_msp430::{Msp430xMachine, Registers};

pub use crate::common::{
    absolute, immediate, increment, indexed, indirect, one, r, to, to_absolute, to_indexed, two, Random,
    Source, Target, ADD, ADDC, AND, BIC, BIS, BIT, C, CALL, CMP, CODE, DADD, FLASH, MOV, N, PC, PUSH, RRA,
    RRC, SP, SR, SUB, SUBC, SWPB, SXT, V, XOR, Z,
};

/// First and one past the last address of RAM.
pub const RAM: (u16, u16) = (0x1c00, 0x3c00);
/// Where the stack begins.
pub const STACK: u32 = 0x3000;
/// An address in RAM.
pub const AT: u16 = 0x2a02;

/// The board that the tests run on, with this timing of its flash.
pub fn board(timing: &str) -> pennyweight_machine::Board {
    pennyweight_bundled::board_from(&format!(
        "id = \"test\"\n[core]\nname = \"msp430x\"\n[clock]\nhz = 8_000_000\n[[memory]]\nname = \"ram\"\n\
         kind = \"ram\"\nbase = 0x1c00\nsize = 0x2000\ntiming = {{ model = \"zero-wait\" }}\n[[memory]]\n\
         name = \"fram\"\nkind = \"flash\"\nbase = {FLASH:#x}\nsize = {:#x}\ntiming = {timing}\n",
        0x1_0000 - u32::from(FLASH)
    ))
}

pub const ZERO_WAIT: &str = "{ model = \"zero-wait\" }";

/// A machine with these words at [`CODE`], the program counter there, these registers and words in RAM.
pub fn prepared(words: &[u16], registers: &[(usize, u32)], memory: &[(u16, u16)]) -> Msp430xMachine {
    prepared_on(ZERO_WAIT, words, registers, memory)
}

/// As [`prepared`], with this timing of flash.
pub fn prepared_on(
    timing: &str,
    words: &[u16],
    registers: &[(usize, u32)],
    memory: &[(u16, u16)],
) -> Msp430xMachine {
    let mut flash = vec![0xff; usize::from(CODE - FLASH)];
    flash.extend(words.iter().flat_map(|w| w.to_le_bytes()));
    let mut machine = Msp430xMachine::with_flash(&board(timing), &flash).expect("a good board");
    let mut all = Registers([0; 16]);
    all.0[PC] = CODE.into();
    all.0[SP] = STACK;
    for &(number, value) in registers {
        all.0[number] = value;
    }
    machine.set_registers(&all);
    for &(address, value) in memory {
        machine.write(address.into(), &value.to_le_bytes()).expect("in RAM");
    }
    machine
}

pub fn word(machine: &Msp430xMachine, address: u16) -> u16 {
    let mut bytes = [0; 2];
    machine.read(address.into(), &mut bytes).expect("in memory");
    u16::from_le_bytes(bytes)
}

/// The 20 bits in two words.
pub fn long(machine: &Msp430xMachine, address: u16) -> u32 {
    u32::from(word(machine, address)) | u32::from(word(machine, address + 2)) << 16
}

/// Executes one instruction, which must not fault; its outcome.
pub fn step(machine: &mut Msp430xMachine) -> Outcome {
    let outcome = machine.step();
    assert_eq!((outcome.exit, outcome.instructions), (Exit::Returned, 1));
    outcome
}

/// The length of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    B,
    W,
    A,
}

pub const SIZES: [Size; 3] = [Size::B, Size::W, Size::A];

impl Size {
    pub fn bits(self) -> u32 {
        [8, 16, 20][self as usize]
    }

    pub fn mask(self) -> u32 {
        (1 << self.bits()) - 1
    }

    /// A/L and B/W (tables 4-11 and 4-12).
    pub fn code(self) -> (u16, u16) {
        [(0x40, 0x40), (0x40, 0), (0, 0x40)][self as usize]
    }
}

/// A number of an operand with its bits 19 to 16 in the extension word.
fn upper(number: Option<u32>) -> u16 {
    (number.unwrap_or(0) >> 16 & 15) as u16
}

/// A source or target with a number of 20 bits.
#[derive(Clone, Copy, Debug)]
pub struct Wide(pub u16, pub u16, pub Option<u32>);

pub fn wide(source: Source) -> Wide {
    Wide(source.0, source.1, source.2.map(u32::from))
}

/// Format I with an extension word (figure 4-29).
pub fn twox(code: u16, size: Size, source: Wide, target: Wide) -> Vec<u16> {
    let (al, bw) = size.code();
    let first = 0x1800 | upper(source.2) << 7 | al | upper(target.2);
    let second = code << 12 | source.1 << 8 | target.0 << 7 | bw | source.0 << 4 | target.1;
    let words = [source.2, target.2].into_iter().flatten().map(|number| number as u16);
    [first, second].into_iter().chain(words).collect()
}

/// Format II with an extension word (figure 4-31); SWPBX.A and SXTX.A with A/L = B/W = 0.
pub fn onex(code: u16, size: Size, operand: Wide) -> Vec<u16> {
    let (al, bw) = if code == SWPB || code == SXT { (size.code().0, 0) } else { size.code() };
    let first = 0x1800 | al | upper(operand.2);
    let second = 0x1000 | code << 7 | bw | operand.0 << 4 | operand.1;
    [first, second].into_iter().chain(operand.2.map(|number| number as u16)).collect()
}

/// A register as a target.
pub fn wide_to(n: u16) -> Wide {
    Wide(0, n, None)
}
