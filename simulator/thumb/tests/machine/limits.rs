//! What ends a run: stack limit, guard zones, budget, code that runs away.

use super::assembler::assemble;
use super::program::{
    booted, booted_on, booted_with, call, options, to_bytes, FLASH, FLASH_SIZE, FUNCTION, M0, ONE_WAIT_STATE,
    RAM, RAM_SIZE,
};
use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::{Access, Arg, CallOptions, Exit, Fault, FaultKind, Machine as _, Zone};
use pennyweight_thumb::core::CortexM4;

fn fault(kind: FaultKind, pc: u32) -> Exit {
    Exit::Fault(Fault { kind, pc })
}

#[test]
fn a_stack_pointer_below_the_limit_is_an_overflow() {
    let limit = RAM + RAM_SIZE - 64;
    let tight = CallOptions { stack_limit: limit, ..options() };
    let outcome = booted("push {r0-r7}; b .-2").call(FUNCTION, &[], &tight);
    assert_eq!(outcome.exit, fault(FaultKind::StackOverflow { address: limit - 32, limit }, FUNCTION));
    assert_eq!(outcome.instructions, 4);
    assert_eq!(outcome.stack, 64);
    let outcome = booted("sub sp, #68; bx lr").call(FUNCTION, &[], &tight);
    assert_eq!(outcome.exit, fault(FaultKind::StackOverflow { address: limit - 4, limit }, FUNCTION));
    // All of it may be used.
    let outcome = booted("sub sp, #64; add sp, #64; bx lr").call(FUNCTION, &[], &tight);
    assert_eq!((outcome.exit, outcome.stack), (Exit::Returned, 64));
}

#[test]
fn the_budget_ends_an_endless_loop() {
    for timing in [MemoryTiming::ZeroWait, ONE_WAIT_STATE] {
        let outcome =
            booted_on(timing, "b .").call(FUNCTION, &[], &CallOptions { budget: 3000, ..options() });
        assert_eq!(outcome.exit, Exit::OutOfCycles { pc: FUNCTION });
        assert!((3000..3005).contains(&outcome.cycles), "{}", outcome.cycles);
    }
    let outcome = booted("b .").call(FUNCTION, &[], &CallOptions { budget: 0, ..options() });
    assert_eq!((outcome.exit, outcome.cycles), (Exit::OutOfCycles { pc: FUNCTION }, 0));
}

#[test]
fn guard_zones_stop_what_they_forbid_and_only_that() {
    let zones = vec![
        Zone { start: RAM + 0x100, end: RAM + 0x104, no_read: false, no_write: true },
        Zone { start: RAM + 0x104, end: RAM + 0x108, no_read: true, no_write: false },
    ];
    let guarded = CallOptions { zones, stack_limit: RAM + 0x200, ..options() };
    let run = |instruction: &str, address: u32| {
        let args = [Arg::Int(0), Arg::Pointer(address)];
        booted(&format!("{instruction}; bx lr")).call(FUNCTION, &args, &guarded).exit
    };
    let stop = |address, size, access| fault(FaultKind::Guard { address, size, access }, FUNCTION);
    let (ldr, ldrh, ldrb) = ("ldr r0, [r1]", "ldrh r0, [r1]", "ldrb r0, [r1]");
    let (str, strh, strb) = ("str r0, [r1]", "strh r0, [r1]", "strb r0, [r1]");
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
    assert_eq!(run("ldm r1!, {r2, r3}", RAM + 0x100), stop(RAM + 0x104, 4, Access::Read));
    assert_eq!(run("stm r1!, {r2, r3}", RAM + 0xfc), stop(RAM + 0x100, 4, Access::Write));
}

/// A zone far away, below the stack's limit: what it forbids is forbidden in free stack.
fn with_distant_zone(no_read: bool, no_write: bool) -> CallOptions {
    let zone = Zone { start: RAM, end: RAM + 4, no_read, no_write };
    CallOptions { zones: vec![zone], stack_limit: RAM + 0x200, ..options() }
}

fn free(address: u32, size: u32, access: Access) -> FaultKind {
    FaultKind::FreeStack { address, size, access }
}

#[test]
fn accesses_below_the_stack_pointer_fault_like_those_in_zones() {
    let top = RAM + RAM_SIZE;
    let run = |instruction: &str, address: u32, options: &CallOptions| {
        let args = [Arg::Int(0), Arg::Pointer(address)];
        booted(&format!("{instruction}; bx lr")).call(FUNCTION, &args, options).exit
    };
    let (ldr, ldrb) = ("ldr r0, [r1]", "ldrb r0, [r1]");
    let (str, strh, strb) = ("str r0, [r1]", "strh r0, [r1]", "strb r0, [r1]");
    for (code, address, size, access) in [
        (str, RAM + 0x200, 4, Access::Write),
        (str, top - 4, 4, Access::Write),
        (strh, top - 0x100, 2, Access::Write),
        (strb, top - 1, 1, Access::Write),
        (ldr, top - 4, 4, Access::Read),
        (ldrb, top - 1, 1, Access::Read),
    ] {
        let write = access == Access::Write;
        let expected = fault(free(address, size, access), FUNCTION);
        assert_eq!(run(code, address, &with_distant_zone(true, true)), expected, "{code}");
        assert_eq!(run(code, address, &with_distant_zone(!write, write)), expected, "{code}");
        assert_eq!(run(code, address, &with_distant_zone(write, !write)), Exit::Returned, "{code}");
        assert_eq!(run(code, address, &options()), Exit::Returned, "{code}");
    }
    // Below the limit nothing is the stack's.
    assert_eq!(run(str, RAM + 0x1fc, &with_distant_zone(true, true)), Exit::Returned);
}

#[test]
fn what_the_stack_pointer_has_passed_is_in_use_until_it_goes_back() {
    let strict = with_distant_zone(true, true);
    let below = |by: u32, access| free(RAM + RAM_SIZE - by, 4, access);
    let code = "push {r0, r1}; mov r2, sp; str r0, [r2, #4]; pop {r0, r1}; str r0, [r2, #4]; bx lr";
    let outcome = booted(code).call(FUNCTION, &[], &strict);
    assert_eq!(outcome.exit, fault(below(4, Access::Write), FUNCTION + 8));
    let code = "sub sp, #16; str r0, [sp]; add sp, #16; bx lr";
    assert_eq!(booted(code).call(FUNCTION, &[], &strict).exit, Exit::Returned);
    // While SP is above RAM, nothing is free.
    let code = [
        "mov r2, sp; ldr r1, [pc, #12]; mov sp, r1",
        "subs r2, #8; str r0, [r2]; adds r2, #8; mov sp, r2; bx lr; .short 0x2000, 0x2001",
    ];
    let outcome = booted(&code.join("; ")).call(FUNCTION, &[], &strict);
    assert_eq!(outcome.exit, Exit::Returned);
}

#[test]
fn stores_that_take_the_stack_pointer_with_them_are_above_it() {
    let strict = with_distant_zone(true, true);
    let run = |code: &str| {
        let code = format!("{code}; bx lr");
        booted_with::<CortexM4>(MemoryTiming::ZeroWait, &code).call(FUNCTION, &[], &strict).exit
    };
    let top = RAM + RAM_SIZE;
    for down_and_up in [
        "str.w r0, [sp, #-8]!; ldr.w r1, [sp], #8",
        "strd r0, r1, [sp, #-8]!; ldrd r0, r1, [sp], #8",
        "stmdb sp!, {r0, r8}; ldm.w sp!, {r0, r8}",
        "strh.w r0, [sp, #-4]!; add sp, #4",
    ] {
        assert_eq!(run(down_and_up), Exit::Returned, "{down_and_up}");
    }
    assert_eq!(run("stmdb sp, {r0, r1}"), fault(free(top - 8, 4, Access::Write), FUNCTION));
    assert_eq!(run("str.w r0, [sp, #-8]"), fault(free(top - 8, 4, Access::Write), FUNCTION));
    assert_eq!(run("ldr.w r0, [sp, #-4]"), fault(free(top - 4, 4, Access::Read), FUNCTION));
}

#[test]
fn the_stack_is_to_blame_where_it_grows_into_a_zone() {
    let (top, limit) = (RAM + RAM_SIZE, RAM + RAM_SIZE - 8);
    let zones = vec![Zone { start: RAM, end: limit, no_read: true, no_write: true }];
    let guarded = CallOptions { stack_limit: limit, zones, ..options() };
    for (store, down) in [
        ("str.w r0, [sp, #-12]!", 12),
        ("strh.w r0, [sp, #-12]!", 12),
        ("strd r0, r1, [sp, #-16]!", 16),
        ("stmdb sp!, {r0, r1, r8}", 12),
    ] {
        let code = format!("{store}; bx lr");
        let outcome = booted_with::<CortexM4>(MemoryTiming::ZeroWait, &code).call(FUNCTION, &[], &guarded);
        let overflow = FaultKind::StackOverflow { address: top - down, limit };
        assert_eq!(outcome.exit, fault(overflow, FUNCTION), "{store}");
    }
}

#[test]
fn a_jump_outside_names_the_instruction_that_jumped() {
    let outside = |address, pc| fault(FaultKind::Unmapped { address, size: 2, access: Access::Execute }, pc);
    let jump = |address: u32| call("nop; bx r0", &[Arg::Pointer(address)]).exit;
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
    let run = |last_halfword: &str, used: usize| {
        let mut bytes = bytes.clone();
        bytes[end - 2..].copy_from_slice(&to_bytes(&assemble(last_halfword)));
        let board = super::program::board(MemoryTiming::ZeroWait);
        let mut machine = M0::from_flash(&board, &bytes, used, 0).expect("the board is sound");
        machine.boot(super::program::READY, 1000);
        machine.call(last, &[], &options()).exit
    };
    for used in [end, 0x200] {
        let beyond = FaultKind::Unmapped { address: last + 2, size: 2, access: Access::Execute };
        assert_eq!(run("nop", used), fault(beyond, last));
        // The first half of a BL.
        let half = FaultKind::Unmapped { address: last, size: 2, access: Access::Execute };
        assert_eq!(run(".short 0xf000", used), fault(half, last));
    }
}

#[test]
fn a_fault_counts_what_was_executed_before_it() {
    let outcome = call("movs r0, #0; ldr r1, [r0]", &[]);
    assert_eq!(
        outcome.exit,
        fault(FaultKind::Unmapped { address: 0, size: 4, access: Access::Read }, FUNCTION + 2)
    );
    assert_eq!((outcome.cycles, outcome.instructions), (1, 1));
}
