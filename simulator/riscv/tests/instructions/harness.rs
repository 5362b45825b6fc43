//! One instruction, the state before it, the state after it, its cycles.
//!
//! States are written as words: `x1=1f pc=20000200 [80000100]=1`, all numbers hexadecimal. What is
//! not named starts with a default and must be unchanged afterwards; `pc` is the address of the
//! next instruction if not named.

use pennyweight_machine::board::{Memory, MemoryKind, MemoryTiming};
use pennyweight_machine::{Board, CallOptions, Exit, FaultKind, Machine as _};
use pennyweight_riscv::pipeline::Pending;
use pennyweight_riscv::registers::Reg;
use pennyweight_riscv::RiscvMachine;

/// The address of the tested instruction.
pub const PC: u32 = 0x2000_0100;
const FLASH: u32 = 0x2000_0000;
/// First address of RAM.
pub const RAM: u32 = 0x8000_0000;

/// A board without wait states and with all extensions of the E31.
pub fn board() -> Board {
    let extensions = ["zba", "zbb", "zbkb"].map(String::from).to_vec();
    Board { extensions, ..board_with("sifive-e31") }
}

/// A board with such a core, without wait states.
pub fn board_with(core: &str) -> Board {
    let memory = |name: &str, kind, base, size| Memory {
        name: name.into(),
        kind,
        base,
        size,
        timing: MemoryTiming::ZeroWait,
    };
    let memories =
        vec![memory("flash", MemoryKind::Flash, FLASH, 0x2000), memory("sram", MemoryKind::Ram, RAM, 0x1000)];
    Board::plain(pennyweight_bundled::core(core), memories)
}

/// A machine about to execute `code` at `PC`. Words in flash from 0x20000200 on count up from
/// 0xc0000000; x3 to x31 hold 0xa0000000 and their number, x1 0xb0000002, x2 0x80000800.
pub fn machine_on(board: &Board, code: &[u8], before: &str) -> RiscvMachine {
    let mut flash = vec![0; 0x100];
    flash.extend(code);
    flash.resize(0x200, 0);
    flash.extend((0..32u32).flat_map(|i| (0xc000_0000 + i).to_le_bytes()));
    let mut machine = RiscvMachine::from_flash(board, &flash, flash.len(), PC).expect("the board is sound");
    let registers = &mut machine.state_mut().registers;
    for i in 3..32 {
        registers[Reg::source(i)] = 0xa000_0000 + i;
    }
    registers[Reg::X1] = 0xb000_0002;
    registers[Reg::X2] = 0x8000_0800;
    for word in before.split_whitespace() {
        set(&mut machine, word);
    }
    machine
}

/// A machine of the test's board.
pub fn machine(code: &[u8], before: &str) -> RiscvMachine {
    machine_on(&board(), code, before)
}

fn hex(text: &str) -> u32 {
    u32::from_str_radix(text, 16).unwrap_or_else(|_| panic!("{text} is no hexadecimal number"))
}

fn set(machine: &mut RiscvMachine, word: &str) {
    let (name, value) = word.split_once('=').expect("name=value");
    let value = hex(value);
    if let Some(address) = name.strip_prefix('[') {
        let address = hex(address.trim_end_matches(']'));
        machine.write(address, &value.to_le_bytes()).expect("an address in RAM");
    } else if name == "pc" {
        machine.state_mut().pc = value;
    } else {
        let number = name.strip_prefix('x').and_then(|n| n.parse().ok()).expect("a register's name");
        machine.state_mut().registers[Reg::destination(number)] = value;
    }
}

fn ram(machine: &RiscvMachine) -> Vec<u8> {
    let mut bytes = vec![0; 0x1000];
    machine.read(RAM, &mut bytes).expect("RAM");
    bytes
}

/// Room for a thousand cycles.
pub fn options() -> CallOptions {
    CallOptions { budget: 1000, stack_limit: 0, zones: Vec::new() }
}

/// `code`, 2 or 4 bytes, turns the state `before` into `after` in `cycles` on a board, both when
/// stepped and when run.
#[track_caller]
pub fn check_on(board: &Board, asm: &str, code: &[u8], before: &str, after: &str, cycles: u64) {
    let mut expected = machine_on(board, code, before);
    expected.state_mut().pc = PC + code.len() as u32;
    for word in after.split_whitespace() {
        set(&mut expected, word);
    }
    let wanted = (expected.state().registers, expected.state().pc);

    let mut stepped = machine_on(board, code, before);
    assert_eq!(stepped.step(), Ok(cycles), "{asm}: cycles of a step");
    assert_eq!((stepped.state().registers, stepped.state().pc), wanted, "{asm}: state after a step");
    assert_eq!(ram(&stepped), ram(&expected), "{asm}: memory after a step");

    let mut run = machine_on(board, code, before);
    let outcome = run.run_to(wanted.1, &options());
    assert_eq!(outcome.exit, Exit::Returned, "{asm}: end of a run");
    assert_eq!((outcome.cycles, outcome.instructions), (cycles, 1), "{asm}: cost of a run");
    assert_eq!((run.state().registers, run.state().pc), wanted, "{asm}: state after a run");
    assert_eq!(ram(&run), ram(&expected), "{asm}: memory after a run");
}

/// The same on the test's board.
#[track_caller]
pub fn check_bytes(asm: &str, code: &[u8], before: &str, after: &str, cycles: u64) {
    check_on(&board(), asm, code, before, after, cycles);
}

/// The same for a 32-bit instruction.
#[track_caller]
pub fn check(asm: &str, word: u32, before: &str, after: &str, cycles: u64) {
    check_bytes(asm, &word.to_le_bytes(), before, after, cycles);
}

/// The same for a compressed instruction.
#[track_caller]
pub fn check_short(asm: &str, half: u16, before: &str, after: &str, cycles: u64) {
    check_bytes(asm, &half.to_le_bytes(), before, after, cycles);
}

/// `code` in the state `before` faults, both when stepped and when run.
#[track_caller]
pub fn check_fault(asm: &str, code: &[u8], before: &str, kind: FaultKind) {
    let fault = machine(code, before).step().expect_err(asm);
    assert_eq!((fault.kind, fault.pc), (kind, PC), "{asm}: fault of a step");
    let mut run = machine(code, before);
    let was = *run.state();
    let outcome = run.run_to(0, &options());
    assert_eq!(outcome.exit, Exit::Fault(fault), "{asm}: fault of a run");
    assert_eq!((outcome.cycles, outcome.instructions), (0, 0), "{asm}: a fault is not counted");
    assert_eq!((run.state().registers, run.state().pending), (was.registers, Pending::default()));
}
