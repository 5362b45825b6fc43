//! What ends a run: stack limit, guard zones, budget, code that runs away.

use super::program::{
    booted, booted_on, call, options, FLASH, FLASH_SIZE, FUNCTION, M0, ONE_WAIT_STATE, RAM, RAM_SIZE,
};
use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::{Access, Arg, CallOptions, Exit, Fault, FaultKind, Machine as _, Zone};

const BX_LR: u16 = 0x4770;

fn fault(kind: FaultKind, pc: u32) -> Exit {
    Exit::Fault(Fault { kind, pc })
}

#[test]
fn a_stack_pointer_below_the_limit_is_an_overflow() {
    let limit = RAM + RAM_SIZE - 64;
    let tight = CallOptions { stack_limit: limit, ..options() };
    // 1: push {r0-r7}; b 1b
    let outcome = booted(&[0xb4ff, 0xe7fd]).call(FUNCTION, &[], &tight);
    assert_eq!(outcome.exit, fault(FaultKind::StackOverflow { address: limit - 32, limit }, FUNCTION));
    assert_eq!(outcome.instructions, 4);
    assert_eq!(outcome.stack, 64);
    // sub sp, #68
    let outcome = booted(&[0xb091, BX_LR]).call(FUNCTION, &[], &tight);
    assert_eq!(outcome.exit, fault(FaultKind::StackOverflow { address: limit - 4, limit }, FUNCTION));
    // sub sp, #64; add sp, #64: all of it may be used.
    let outcome = booted(&[0xb090, 0xb010, BX_LR]).call(FUNCTION, &[], &tight);
    assert_eq!((outcome.exit, outcome.stack), (Exit::Returned, 64));
}

#[test]
fn the_budget_ends_an_endless_loop() {
    for timing in [MemoryTiming::ZeroWait, ONE_WAIT_STATE] {
        // b .
        let outcome =
            booted_on(timing, &[0xe7fe]).call(FUNCTION, &[], &CallOptions { budget: 3000, ..options() });
        assert_eq!(outcome.exit, Exit::OutOfCycles { pc: FUNCTION });
        assert!((3000..3005).contains(&outcome.cycles), "{}", outcome.cycles);
    }
    let outcome = booted(&[0xe7fe]).call(FUNCTION, &[], &CallOptions { budget: 0, ..options() });
    assert_eq!((outcome.exit, outcome.cycles), (Exit::OutOfCycles { pc: FUNCTION }, 0));
}

#[test]
fn guard_zones_stop_what_they_forbid_and_only_that() {
    let zones = vec![
        Zone { start: RAM + 0x100, end: RAM + 0x104, no_read: false, no_write: true },
        Zone { start: RAM + 0x104, end: RAM + 0x108, no_read: true, no_write: false },
    ];
    let guarded = CallOptions { zones, ..options() };
    let run = |code: u16, address: u32| {
        booted(&[code, BX_LR]).call(FUNCTION, &[Arg::Int(0), Arg::Pointer(address)], &guarded).exit
    };
    let stop = |address, size, access| fault(FaultKind::Guard { address, size, access }, FUNCTION);
    let (ldr, ldrh, ldrb) = (0x6808, 0x8808, 0x7808);
    let (str, strh, strb) = (0x6008, 0x8008, 0x7008);
    assert_eq!(run(ldr, RAM + 0x100), Exit::Returned);
    assert_eq!(run(ldr, RAM + 0x104), stop(RAM + 0x104, 4, Access::Read));
    assert_eq!(run(ldrh, RAM + 0x106), stop(RAM + 0x106, 2, Access::Read));
    assert_eq!(run(ldrb, RAM + 0x107), stop(RAM + 0x107, 1, Access::Read));
    assert_eq!(run(ldrb, RAM + 0x108), Exit::Returned);
    assert_eq!(run(str, RAM + 0x104), Exit::Returned);
    assert_eq!(run(str, RAM + 0x100), stop(RAM + 0x100, 4, Access::Write));
    assert_eq!(run(strh, RAM + 0x102), stop(RAM + 0x102, 2, Access::Write));
    assert_eq!(run(strb, RAM + 0x103), stop(RAM + 0x103, 1, Access::Write));
    // LDM and STM word by word.
    assert_eq!(run(0xc90c, RAM + 0x100), stop(RAM + 0x104, 4, Access::Read));
    assert_eq!(run(0xc10c, RAM + 0xfc), stop(RAM + 0x100, 4, Access::Write));
}

#[test]
fn a_jump_outside_names_the_instruction_that_jumped() {
    let outside = |address, pc| fault(FaultKind::Unmapped { address, size: 2, access: Access::Execute }, pc);
    // nop; bx r0
    let jump = |address: u32| call(&[0xbf00, 0x4700], &[Arg::Pointer(address)]).exit;
    assert_eq!(jump(0x4000_0001), outside(0x4000_0000, FUNCTION + 2));
    assert_eq!(jump(1), outside(0, FUNCTION + 2));
    assert_eq!(jump(FLASH + FLASH_SIZE + 1), outside(FLASH + FLASH_SIZE, FUNCTION + 2));
    // Erased flash is an undefined instruction.
    let erased = fault(FaultKind::Undefined { opcode: 0xffff_ffff }, FLASH + 0x800);
    assert_eq!(jump(FLASH + 0x801), erased);
}

#[test]
fn code_that_runs_off_the_end_of_flash_faults() {
    let mut bytes = super::program::flash(&[]);
    bytes.resize(FLASH_SIZE as usize, 0);
    let end = bytes.len();
    let last = FLASH + FLASH_SIZE - 2;
    let run = |last_halfword: u16, used: usize| {
        let mut bytes = bytes.clone();
        bytes[end - 2..].copy_from_slice(&last_halfword.to_le_bytes());
        let board = super::program::board(MemoryTiming::ZeroWait);
        let mut machine = M0::from_flash(&board, &bytes, used).expect("the board is sound");
        machine.boot(super::program::READY, 1000);
        machine.call(last, &[], &options()).exit
    };
    for used in [end, 0x200] {
        let beyond = FaultKind::Unmapped { address: last + 2, size: 2, access: Access::Execute };
        assert_eq!(run(0xbf00, used), fault(beyond, last));
        // The first half of a BL.
        let half = FaultKind::Unmapped { address: last, size: 2, access: Access::Execute };
        assert_eq!(run(0xf000, used), fault(half, last));
    }
}

#[test]
fn a_fault_counts_what_was_executed_before_it() {
    // movs r0, #0; ldr r1, [r0]
    let outcome = call(&[0x2000, 0x6801], &[]);
    assert_eq!(
        outcome.exit,
        fault(FaultKind::Unmapped { address: 0, size: 4, access: Access::Read }, FUNCTION + 2)
    );
    assert_eq!((outcome.cycles, outcome.instructions), (1, 1));
}
