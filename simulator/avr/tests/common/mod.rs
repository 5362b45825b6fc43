//! What the tests share: an assembler, a board, and a case of one instruction.
#![allow(dead_code, reason = "each test binary uses a part of it")]

pub mod assembler;

use assembler::program;
use pennyweight_avr::{AvrMachine, Registers};
use pennyweight_bundled::board_from;
use pennyweight_machine::{Board, Exit, FaultKind, Machine};

/// Data space among ELF addresses.
pub const DATA: u32 = 0x80_0000;

/// A board like an ATmega328P (32 KiB of flash) or an ATmega128 (128 KiB, 4 KiB of SRAM).
pub fn board(kilobytes: u32) -> Board {
    let ram = if kilobytes > 64 { 0x1000 } else { 0x800 };
    let text = format!(
        "id = \"test\"\n[core]\nname = \"avre+\"\n[clock]\nhz = 16000000\n\
         [[memory]]\nname = \"flash\"\nkind = \"flash\"\nbase = 0\nsize = {}\ntiming = {{ model = \"zero-wait\" }}\n\
         [[memory]]\nname = \"sram\"\nkind = \"ram\"\nbase = 0x800100\nsize = {ram}\ntiming = {{ model = \"zero-wait\" }}\n",
        kilobytes << 10
    );
    board_from(&text)
}

/// A board like an ATmega4809.
pub fn board_xt() -> Board {
    pennyweight_bundled::board("atmega4809")
}

/// Flash bytes of words.
pub fn bytes(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// A machine whose flash starts with the instructions in `text`.
pub fn machine(text: &str) -> AvrMachine {
    AvrMachine::with_flash(&board(32), &bytes(&program(text))).expect("a good board")
}

/// A state before, one instruction, and the state after: all values that are not given must be unchanged.
///
/// Registers start as `r[i] = 0xc0 + i`, so that a wrong register shows.
pub struct Case {
    text: String,
    machine: AvrMachine,
    before: Registers,
    after: Registers,
    memory: Vec<(u16, u8)>,
}

/// SREG from letters, in any order: `flags("ZC")`.
pub fn flags(letters: &str) -> u8 {
    letters.chars().map(|c| 1 << "CZNVSHTI".find(c).expect("a flag")).sum()
}

impl Case {
    /// The instruction is at byte address 0x20; what comes after it in `text` can be skipped.
    pub fn new(text: &str) -> Case {
        Case::on(32, text)
    }

    /// As `new`, on a part with that many KiB of flash.
    pub fn on(kilobytes: u32, text: &str) -> Case {
        Case::with(&board(kilobytes), 0x4f0, text)
    }

    /// As `new`, on an AVRxt.
    pub fn xt(text: &str) -> Case {
        Case::with(&board_xt(), 0x30f0, text)
    }

    fn with(board: &Board, sp: u16, text: &str) -> Case {
        let mut words = vec![0xffff; 0x10];
        words.extend(program(text));
        let machine = AvrMachine::with_flash(board, &bytes(&words)).expect("a good board");
        let mut before = Registers { sp, pc: 0x20, ..Registers::default() };
        for (i, r) in before.r.iter_mut().enumerate() {
            *r = 0xc0 + i as u8;
        }
        Case { text: text.to_owned(), machine, before, after: before, memory: Vec::new() }
    }

    /// A register before (and after, unless given).
    pub fn r(mut self, index: usize, value: u8) -> Case {
        self.before.r[index] = value;
        self.after.r[index] = value;
        self
    }

    /// A pointer pair before (and after, unless given): 'X', 'Y' or 'Z'.
    pub fn pointer(self, name: char, value: u16) -> Case {
        let low = pair(name);
        self.r(low, value as u8).r(low + 1, (value >> 8) as u8)
    }

    /// SREG before (and after, unless given).
    pub fn sreg(mut self, letters: &str) -> Case {
        self.before.sreg = flags(letters);
        self.after.sreg = self.before.sreg;
        self
    }

    /// SP before (and after, unless given).
    pub fn sp(mut self, value: u16) -> Case {
        self.before.sp = value;
        self.after.sp = value;
        self
    }

    /// A byte of SRAM before.
    pub fn byte(mut self, address: u16, value: u8) -> Case {
        self.machine.write(DATA + u32::from(address), &[value]).expect("SRAM");
        self
    }

    /// A register after.
    pub fn then_r(mut self, index: usize, value: u8) -> Case {
        self.after.r[index] = value;
        self
    }

    /// A pointer pair after.
    pub fn then_pointer(self, name: char, value: u16) -> Case {
        let low = pair(name);
        self.then_r(low, value as u8).then_r(low + 1, (value >> 8) as u8)
    }

    /// SREG after.
    pub fn then_sreg(mut self, letters: &str) -> Case {
        self.after.sreg = flags(letters);
        self
    }

    /// SP after.
    pub fn then_sp(mut self, value: u16) -> Case {
        self.after.sp = value;
        self
    }

    /// A byte of data space after.
    pub fn then_byte(mut self, address: u16, value: u8) -> Case {
        self.memory.push((address, value));
        self
    }

    /// Runs the instruction and compares all: `cycles`, and the program counter `words` further.
    pub fn takes(self, cycles: u64, words: u32) {
        let pc = 0x20 + 2 * words;
        self.jumps(cycles, pc);
    }

    /// As `takes`, with the program counter at byte address `pc`.
    pub fn jumps(mut self, cycles: u64, pc: u32) {
        self.machine.set_registers(&self.before);
        let before: Vec<u8> = self.machine.data()[0x100..].to_vec();
        let outcome = self.machine.step();
        let text = &self.text;
        assert_eq!(outcome.exit, Exit::Returned, "{text}");
        assert_eq!((outcome.cycles, outcome.instructions), (cycles, 1), "{text}: cycles, instructions");
        let got = self.machine.registers();
        for i in 0..32 {
            assert_eq!(got.r[i], self.after.r[i], "{text}: r{i}");
        }
        assert_eq!(
            got.sreg, self.after.sreg,
            "{text}: SREG ITHSVNZC {:08b} {:08b}",
            got.sreg, self.after.sreg
        );
        assert_eq!(got.sp, self.after.sp, "{text}: SP");
        assert_eq!(got.pc, pc, "{text}: PC");
        let mut expected = before;
        for &(address, value) in &self.memory {
            match usize::from(address).checked_sub(0x100) {
                Some(offset) => expected[offset] = value,
                None => assert_eq!(self.machine.peek(address), value, "{text}: {address:#x}"),
            }
        }
        assert_eq!(self.machine.data()[0x100..], expected, "{text}: SRAM");
    }

    /// Runs the instruction, which must fault, change no register and cost nothing.
    pub fn faults(mut self, kind: FaultKind) {
        self.machine.set_registers(&self.before);
        let outcome = self.machine.step();
        let Exit::Fault(fault) = outcome.exit else { panic!("{}: {:?}", self.text, outcome.exit) };
        assert_eq!((fault.kind, fault.pc), (kind, 0x20), "{}", self.text);
        assert_eq!((outcome.cycles, outcome.instructions), (0, 0), "{}", self.text);
        assert_eq!(self.machine.registers(), self.after, "{}", self.text);
    }
}

fn pair(name: char) -> usize {
    match name {
        'X' => 26,
        'Y' => 28,
        _ => 30,
    }
}
