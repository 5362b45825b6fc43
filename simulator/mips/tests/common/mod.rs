//! A board, a machine with code in its flash, an observer that records what is reported to it.

#![allow(dead_code)] // Each test file takes what it needs.

use pennyweight_machine::board::{Memory, MemoryKind, MemoryTiming};
use pennyweight_machine::{Access, Board, CallOptions, Observer};
use pennyweight_mips::op::Reg;
use pennyweight_mips::MipsMachine;

pub const FLASH: u32 = 0x9d00_0000;
pub const RAM: u32 = 0xa000_0000;
pub const SP: u32 = RAM + 0xf00;
pub const NOP: u32 = 0;
pub const JR_RA: u32 = 0x03e0_0008;

pub fn board(timing: MemoryTiming) -> Board {
    let memory =
        |name: &str, kind, base, timing| Memory { name: name.into(), kind, base, size: 0x1000, timing };
    Board::plain(
        pennyweight_bundled::core("m4k"),
        vec![
            memory("flash", MemoryKind::Flash, FLASH, timing),
            memory("ram", MemoryKind::Ram, RAM, MemoryTiming::ZeroWait),
        ],
    )
}

/// `bytes` at the start of flash, and execution at `entry`; r1 to r31 hold 0xa0000000 and their number, but
/// for the stack pointer.
pub fn loaded(bytes: &[u8], entry: u32, before: &[(u8, u32)]) -> MipsMachine {
    let mut machine = MipsMachine::from_flash(&board(MemoryTiming::ZeroWait), bytes, bytes.len(), entry)
        .expect("the board is sound");
    let registers = &mut machine.state_mut().registers;
    for i in 1..32 {
        registers[Reg(i)] = 0xa000_0000 + u32::from(i);
    }
    registers[Reg::SP] = SP;
    for &(number, value) in before {
        registers[Reg(number)] = value;
    }
    machine
}

pub fn options() -> CallOptions {
    CallOptions { budget: 1000, stack_limit: RAM, zones: Vec::new() }
}

/// The reports to an observer: `pc name cycles`, accesses, calls and returns.
#[derive(Default)]
pub struct Notes(pub Vec<String>);

impl Observer for Notes {
    fn access(&mut self, address: u32, size: u32, access: Access) {
        self.0.push(format!("{access} {size} at {:#x}", address - RAM));
    }
    fn instruction(&mut self, pc: u32, name: &str, cycles: u32) {
        self.0.push(format!("{:#x} {name} {cycles}", pc - FLASH));
    }
    fn called(&mut self, target: u32, stack: u32) {
        self.0.push(format!("called {:#x} with {:#x}", target - FLASH, stack - RAM));
    }
    fn returned(&mut self, stack: u32) {
        self.0.push(format!("returned with {:#x}", stack - RAM));
    }
}
