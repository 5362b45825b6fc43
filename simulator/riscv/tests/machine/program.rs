//! Hand-assembled programs on a small board.

use pennyweight_machine::board::{Memory, MemoryKind, MemoryTiming};
use pennyweight_machine::{Arg, Board, CallOptions, Exit, Machine as _, Outcome};
use pennyweight_riscv::RiscvMachine;

use super::assembler::{jal, lui, word};

pub const FLASH: u32 = 0x2000_0000;
pub const FLASH_SIZE: u32 = 0x2000;
pub const RAM: u32 = 0x8000_0000;
pub const RAM_SIZE: u32 = 0x1000;
/// Where start-up code ends.
pub const READY: u32 = FLASH + 0x40;
/// The address of the function under test.
pub const FUNCTION: u32 = FLASH + 0x100;
/// JALR x0, 0(x1)
pub const RET: u32 = 0x0000_8067;

/// A small cache, so that a few instructions fill it: two sets of two lines of 16 bytes.
pub const CACHED: MemoryTiming =
    MemoryTiming::InstructionCache { size: 64, line: 16, ways: 2, miss: 50, data_read: 20 };

pub fn board(flash: MemoryTiming) -> Board {
    Board { extensions: vec!["zbb".into()], ..board_with("sifive-e31", flash) }
}

/// A board with that core.
pub fn board_with(core: &str, flash: MemoryTiming) -> Board {
    let memory =
        |name: &str, kind, base, size, timing| Memory { name: name.into(), kind, base, size, timing };
    let memories = vec![
        memory("flash", MemoryKind::Flash, FLASH, FLASH_SIZE, flash),
        memory("sram", MemoryKind::Ram, RAM, RAM_SIZE, MemoryTiming::ZeroWait),
    ];
    Board::plain(pennyweight_bundled::core(core), memories)
}

/// Flash with start-up code that sets the stack pointer and goes to `READY`, and `code` at
/// `FUNCTION`.
pub fn flash(code: &[u8]) -> Vec<u8> {
    let start = [lui(2, RAM + RAM_SIZE), jal(0, 0x3c)];
    let mut bytes: Vec<u8> = start.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.resize(0x40, 0);
    bytes.extend(jal(0, 0).to_le_bytes());
    bytes.resize(0x100, 0);
    bytes.extend(code);
    bytes
}

pub fn bytes(code: &[u32]) -> Vec<u8> {
    code.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A machine with `code` at `FUNCTION`, booted.
pub fn booted_on(timing: MemoryTiming, code: &[u32]) -> RiscvMachine {
    let flash = flash(&bytes(code));
    let mut machine =
        RiscvMachine::from_flash(&board(timing), &flash, flash.len(), FLASH).expect("the board is sound");
    assert_eq!(machine.boot(READY, 1000).exit, Exit::Returned);
    machine
}

pub fn options() -> CallOptions {
    CallOptions { budget: 100_000, stack_limit: RAM, zones: Vec::new() }
}

/// The second call: predictor and cache know the code.
pub fn warm(code: &[u32], args: &[Arg]) -> Outcome {
    let mut machine = booted_on(MemoryTiming::ZeroWait, code);
    machine.call(FUNCTION, args, &options());
    machine.call(FUNCTION, args, &options())
}

/// ADDI rd, rs1, imm
pub fn addi(rd: u32, rs1: u32, imm: i32) -> u32 {
    word("addi", rd, rs1, imm)
}
