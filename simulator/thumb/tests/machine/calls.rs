//! Boot, arguments, results, costs.

use super::assembler::assemble;
use super::program::{booted, call, flash, options, to_bytes, FUNCTION, M0, RAM, RAM_SIZE, READY};
use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::{Access, Arg, CallOptions, Drawn, Exit, Fault, FaultKind, Machine as _, Outcome};

#[test]
fn an_empty_function_costs_its_return() {
    let outcome = call("bx lr", &[Arg::Int(-5)]);
    let expected = Outcome {
        exit: Exit::Returned,
        cycles: 3,
        instructions: 1,
        stack: 0,
        result: -5,
        random: Drawn::default(),
    };
    assert_eq!(outcome, expected);
}

#[test]
fn the_functions_address_may_have_the_thumb_bit() {
    assert_eq!(booted("bx lr").call(FUNCTION | 1, &[], &options()).exit, Exit::Returned);
}

#[test]
fn every_way_of_returning_ends_the_call() {
    let returns = ["bx lr", "mov pc, lr", "push {lr}; pop {pc}", "mov r0, lr; blx r0"];
    for code in returns {
        assert_eq!(call(code, &[]).exit, Exit::Returned, "{code}");
    }
}

#[test]
fn arguments_beyond_four_words_are_on_the_stack() {
    let code = "adds r0, r0, r1; ldr r1, [sp]; adds r0, r0, r1; ldr r1, [sp, #4]; adds r0, r0, r1; bx lr";
    let args = [Arg::Int(1), Arg::Size(20), Arg::Pointer(5), Arg::Pointer(5), Arg::U64(300 + (4000 << 32))];
    let outcome = call(code, &args);
    assert_eq!((outcome.result, outcome.stack), (4321, 0));
}

#[test]
fn a_call_begins_with_a_stack_pointer_of_a_multiple_of_eight() {
    for words in 0..9 {
        let sp = call("mov r0, sp; bx lr", &vec![Arg::Int(0); words]).result as u32;
        let stacked = words.saturating_sub(4).next_multiple_of(2) as u32;
        assert_eq!(sp, RAM + RAM_SIZE - 4 * stacked);
    }
}

#[test]
fn the_stack_is_what_the_function_reserves_and_writes() {
    assert_eq!(call("push {r4, lr}; sub sp, #16; add sp, #16; pop {r4, pc}", &[]).stack, 24);
    // A store below the stack pointer.
    assert_eq!(call("mov r1, sp; subs r1, #100; str r0, [r1]; bx lr", &[]).stack, 100);
    // Arguments on the stack belong to the caller.
    assert_eq!(call("push {lr}; pop {pc}", &[Arg::Int(0); 7]).stack, 4);
}

#[test]
fn a_loop_is_counted_as_the_manual_counts_it() {
    let outcome = call("movs r0, #10; subs r0, #1; bne .-2; bx lr", &[]);
    assert_eq!(outcome.instructions, 1 + 10 * 2 + 1);
    assert_eq!(outcome.cycles, 1 + 10 + 9 * 3 + 1 + 3);
}

#[test]
fn a_shift_by_nothing_keeps_a_carry_that_matters_later() {
    // r3 is 1, so that the first shift sets C; r1 is the amount.
    let carry = |amount| {
        let args = [Arg::Int(0), Arg::Int(amount), Arg::Int(0), Arg::Int(1)];
        call("lsrs r2, r3, #1; lsls r3, r1; movs r0, #0; adcs r0, r0; bx lr", &args).result
    };
    assert_eq!((carry(0), carry(1)), (1, 0));
}

#[test]
fn flags_that_only_the_stop_sees_are_right_at_the_stop() {
    // Stopped before each.
    let code = "movs r0, #0; subs r0, #1; movs r1, #0; movs r2, #1; bx lr";
    let flags_before = |instruction: u32| {
        let mut machine = booted(code);
        machine.state_mut().pc = FUNCTION;
        machine.state_mut().flags.set_apsr(0x3000_0000);
        let outcome = machine.run_to(FUNCTION + 2 * instruction, &options());
        assert_eq!(outcome.exit, Exit::Returned);
        machine.state().flags.apsr() >> 28
    };
    assert_eq!([1, 2, 3, 4].map(flags_before), [0b0111, 0b1000, 0b0100, 0b0000]);
}

#[test]
fn boot_counts_from_reset_and_leaves_the_stack_pointer_of_the_ready_symbol() {
    let mut bytes = flash(&assemble("bx lr"));
    let start = assemble("sub sp, #8; b .+0xbe: from READY + 2 to FUNCTION");
    bytes[0x40..0x44].copy_from_slice(&to_bytes(&start));
    let mut machine = M0::from_flash(&super::program::board(MemoryTiming::ZeroWait), &bytes, bytes.len(), 0)
        .expect("the board is sound");
    let outcome = machine.boot(FUNCTION, 1000);
    assert_eq!((outcome.exit, outcome.cycles, outcome.instructions), (Exit::Returned, 4, 2));
    assert_eq!(machine.stack_top(), RAM + RAM_SIZE - 8);
}

#[test]
fn a_reset_vector_without_the_thumb_bit_faults() {
    let mut bytes = flash(&assemble("bx lr"));
    bytes[4] &= !1;
    let mut machine = M0::from_flash(&super::program::board(MemoryTiming::ZeroWait), &bytes, bytes.len(), 0)
        .expect("the board is sound");
    let kind = FaultKind::Unmapped { address: READY, size: 2, access: Access::Execute };
    assert_eq!(machine.boot(READY, 1000).exit, Exit::Fault(Fault { kind, pc: READY }));
}

#[test]
fn calls_repeat_to_the_cycle() {
    // It counts in the first word of RAM.
    let code = "movs r1, #32; lsls r1, r1, #24; ldr r0, [r1]; adds r0, #1; str r0, [r1]; bx lr";
    let mut machine = booted(code);
    machine.snapshot();
    let first = machine.call(FUNCTION, &[], &options());
    let second = machine.call(FUNCTION, &[], &options());
    assert_eq!((first.result, second.result), (1, 2));
    machine.restore();
    assert_eq!(machine.call(FUNCTION, &[], &options()), first);
}

#[test]
fn memory_is_read_and_written_from_outside() {
    let mut machine = booted("bx lr");
    machine.write(RAM + 1, &[1, 2, 3]).expect("RAM");
    let mut bytes = [0; 5];
    machine.read(RAM, &mut bytes).expect("RAM");
    assert_eq!(bytes, [0, 1, 2, 3, 0]);
    machine.read(FUNCTION, &mut bytes[..2]).expect("flash");
    assert_eq!(bytes[..2], [0x70, 0x47]);
    assert!(machine.write(FUNCTION, &[0]).is_err());
    assert!(machine.write(RAM + RAM_SIZE - 1, &[0, 0]).is_err());
    assert!(machine.read(0, &mut bytes).is_err());
    assert!(machine.read(u32::MAX, &mut bytes).is_err());
    assert!(machine.read(RAM + RAM_SIZE, &mut []).is_ok());
}

#[test]
fn without_a_snapshot_restore_goes_back_to_reset() {
    let mut machine = booted("bx lr");
    machine.write(RAM, &[1]).expect("RAM");
    machine.restore();
    let mut byte = [9];
    machine.read(RAM, &mut byte).expect("RAM");
    assert_eq!(byte, [0]);
    assert_eq!(machine.boot(READY, 1000).exit, Exit::Returned);
}

#[test]
fn arguments_that_the_stack_cannot_hold_are_a_stack_overflow() {
    let tight = CallOptions { stack_limit: RAM + RAM_SIZE - 4, ..options() };
    let outcome = booted("bx lr").call(FUNCTION, &[Arg::Int(0); 6], &tight);
    let kind = FaultKind::StackOverflow { address: RAM + RAM_SIZE - 8, limit: RAM + RAM_SIZE - 4 };
    assert_eq!(outcome.exit, Exit::Fault(Fault { kind, pc: FUNCTION }));
}
