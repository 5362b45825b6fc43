//! One instruction in GNU syntax (see [`super::assembler`]), the state before it, the state after it, and
//! its cycles.
//!
//! States are written as words: `r0=1f sp=20000800 pc=8000200 [20000100]=1 Nzcv`, all numbers
//! hexadecimal, a flag's capital letter for set, `q=1 ge=f` for the others. What is not named starts with a
//! default and must be unchanged afterwards; `pc` is the address of the next instruction if not named.

use super::assembler::assemble;
use pennyweight_machine::board::{Memory, MemoryKind, MemoryTiming};
use pennyweight_machine::{Board, CallOptions, Exit, FaultKind, Machine as _};
use pennyweight_thumb::core::{Core, CortexM0};
use pennyweight_thumb::registers::Reg;
use pennyweight_thumb::ThumbMachine;

/// The address of the tested instruction.
pub const PC: u32 = 0x0800_0100;
const FLASH: u32 = 0x0800_0000;
const RAM: u32 = 0x2000_0000;
const SP: u32 = 0x2000_0800;

fn board(core: &str) -> Board {
    let memory = |name: &str, kind, base, size| Memory {
        name: name.into(),
        kind,
        base,
        size,
        timing: MemoryTiming::ZeroWait,
    };
    Board::plain(
        pennyweight_bundled::core(core),
        vec![memory("flash", MemoryKind::Flash, FLASH, 0x1000), memory("sram", MemoryKind::Ram, RAM, 0x1000)],
    )
}

/// A machine about to execute `code` at `PC`. Words in flash from 0x08000200 on count up from
/// 0x80000000; R0 to R12 hold 0xa0000000 and their number, LR 0xb0000001;
/// all flags are clear.
pub fn machine<C: Core>(code: &[u16], before: &str) -> ThumbMachine<C> {
    let mut flash = vec![0; 0x100];
    flash.extend(code.iter().flat_map(|half| half.to_le_bytes()));
    // MOV R0, R0: overlaps with nothing.
    while flash.len() < 0x200 {
        flash.extend([0x00, 0x46]);
    }
    flash.extend((0..32u32).flat_map(|i| (0x8000_0000 + i).to_le_bytes()));
    let mut machine =
        ThumbMachine::from_flash(&board(C::MODEL), &flash, flash.len(), 0).expect("the board is sound");
    let state = machine.state_mut();
    for i in 0..13 {
        state.registers[Reg::from_bits(i)] = 0xa000_0000 + i;
    }
    state.registers[Reg::Sp] = SP;
    state.registers[Reg::Lr] = 0xb000_0001;
    state.pc = PC;
    state.flags.set_apsr(0);
    for word in before.split_whitespace() {
        set(&mut machine, word);
    }
    machine
}

fn hex(text: &str) -> u32 {
    u32::from_str_radix(text, 16).unwrap_or_else(|_| panic!("{text} is no hexadecimal number"))
}

fn register(name: &str) -> Option<Reg> {
    match name {
        "sp" => Some(Reg::Sp),
        "lr" => Some(Reg::Lr),
        _ => {
            name.strip_prefix('r').map(|number| Reg::from_bits(number.parse().expect("a register's number")))
        }
    }
}

fn set<C: Core>(machine: &mut ThumbMachine<C>, word: &str) {
    let Some((name, value)) = word.split_once('=') else {
        let bits = word.chars().fold(0, |bits, c| bits << 1 | u32::from(c.is_ascii_uppercase()));
        machine.state_mut().flags.set_apsr(bits << 28);
        return;
    };
    let value = hex(value);
    if let Some(address) = name.strip_prefix('[') {
        let address = hex(address.trim_end_matches(']'));
        machine.write(address, &value.to_le_bytes()).expect("an address in RAM");
    } else if name == "q" {
        machine.state_mut().flags.q = value != 0;
    } else if name == "ge" {
        machine.state_mut().flags.ge = value as u8;
    } else if name == "pc" {
        machine.state_mut().pc = value;
    } else {
        machine.state_mut().registers[register(name).expect("a register's name")] = value;
    }
}

fn ram<C: Core>(machine: &ThumbMachine<C>) -> Vec<u8> {
    let mut bytes = vec![0; 0x1000];
    machine.read(RAM, &mut bytes).expect("RAM");
    bytes
}

fn options() -> CallOptions {
    CallOptions { budget: 1000, stack_limit: RAM, zones: Vec::new() }
}

/// On a Cortex-M0, `asm` turns the state `before` into `after` in `cycles`.
#[track_caller]
pub fn check(asm: &str, before: &str, after: &str, cycles: u64) {
    check_on::<CortexM0>(asm, before, after, cycles);
}

/// The instruction `asm` turns the state `before` into `after` in `cycles`, both when stepped and when run.
#[track_caller]
pub fn check_on<C: Core>(asm: &str, before: &str, after: &str, cycles: u64) {
    let code = &assemble(asm)[..];
    let mut expected = machine::<C>(code, before);
    expected.state_mut().pc = PC + 2 * code.len() as u32;
    for word in after.split_whitespace() {
        set(&mut expected, word);
    }

    let mut stepped = machine::<C>(code, before);
    assert_eq!(stepped.step(), Ok(cycles), "{asm}: cycles of a step");
    assert_eq!(stepped.state(), expected.state(), "{asm}: state after a step");
    assert_eq!(stepped.state().flags.apsr(), expected.state().flags.apsr(), "{asm}: flags");
    assert_eq!(ram(&stepped), ram(&expected), "{asm}: memory after a step");

    let mut run = machine::<C>(code, before);
    let outcome = run.run_to(expected.state().pc, &options());
    assert_eq!(outcome.exit, Exit::Returned, "{asm}: end of a run");
    assert_eq!((outcome.cycles, outcome.instructions), (cycles, 1), "{asm}: cost of a run");
    assert_eq!(run.state(), expected.state(), "{asm}: state after a run");
    assert_eq!(ram(&run), ram(&expected), "{asm}: memory after a run");
}

/// On a Cortex-M0, `asm` in the state `before` faults.
#[track_caller]
pub fn check_fault(asm: &str, before: &str, kind: FaultKind) {
    check_fault_on::<CortexM0>(asm, before, kind);
}

/// The instruction `asm` in the state `before` faults, both when stepped and when run.
#[track_caller]
pub fn check_fault_on<C: Core>(asm: &str, before: &str, kind: FaultKind) {
    let code = &assemble(asm)[..];
    let fault = machine::<C>(code, before).step().expect_err(asm);
    assert_eq!((fault.kind, fault.pc), (kind, PC), "{asm}: fault of a step");
    let outcome = machine::<C>(code, before).run_to(0, &options());
    assert_eq!(outcome.exit, Exit::Fault(fault), "{asm}: fault of a run");
    assert_eq!((outcome.cycles, outcome.instructions), (0, 0), "{asm}: a fault is not counted");
}
