//! Calls by the ABI: arguments, results, stack, guard zones, budgets.

use super::assembler::word;
use super::program::{addi, booted_on, options, warm, FUNCTION, RAM, RAM_SIZE, RET};
use pennyweight_machine::board::MemoryTiming::ZeroWait;
use pennyweight_machine::{Access, Arg, CallOptions, Exit, Fault, FaultKind, Machine as _, Zone};

#[test]
fn arguments_arrive_and_results_come_back() {
    // a0 = a0 - a7 + the second word on the stack
    let code = [word("sub", 10, 10, 17), word("lw", 11, 2, 4), word("add", 10, 10, 11), RET];
    let args: Vec<Arg> = (1..=10).map(Arg::Int).collect();
    let outcome = warm(&code, &args);
    assert_eq!((outcome.exit, outcome.result), (Exit::Returned, 3));
    // Arguments on the stack are not the function's stack.
    assert_eq!(outcome.stack, 0);
    assert_eq!(outcome.instructions, 4);
    // One cycle waiting for the load.
    assert_eq!(outcome.cycles, 5);
}

#[test]
fn the_stack_is_watched_and_limited() {
    let code = [addi(2, 2, -64), word("sw", 2, 1, -16), addi(2, 2, 64), RET];
    assert_eq!(warm(&code, &[]).stack, 80);
    let mut machine = booted_on(ZeroWait, &code);
    let limit = RAM + RAM_SIZE - 32;
    let outcome = machine.call(FUNCTION, &[], &CallOptions { stack_limit: limit, ..options() });
    let kind = FaultKind::StackOverflow { address: RAM + RAM_SIZE - 64, limit };
    assert_eq!(outcome.exit, Exit::Fault(Fault { kind, pc: FUNCTION }));
}

#[test]
fn guard_zones_stop_accesses_and_cost_no_cycles() {
    let code = [word("lbu", 11, 10, 0), word("sb", 10, 11, 1), RET];
    let zone = |start, no_read, no_write| Zone { start, end: start + 1, no_read, no_write };
    let run = |zones: Vec<Zone>| {
        let mut machine = booted_on(ZeroWait, &code);
        let options = CallOptions { zones, stack_limit: RAM + 0x200, ..options() };
        machine.call(FUNCTION, &[Arg::Pointer(RAM + 8)], &options)
    };
    let far = run(vec![zone(RAM + 100, true, true)]);
    assert_eq!(far, run(Vec::new()));
    assert_eq!(far.exit, Exit::Returned);
    let fault = |kind, pc| Exit::Fault(Fault { kind, pc });
    let guard = |address, access| FaultKind::Guard { address, size: 1, access };
    assert_eq!(run(vec![zone(RAM + 8, true, true)]).exit, fault(guard(RAM + 8, Access::Read), FUNCTION));
    assert_eq!(
        run(vec![zone(RAM + 9, false, true)]).exit,
        fault(guard(RAM + 9, Access::Write), FUNCTION + 4)
    );
}

/// A zone far away, below the stack's limit: what it forbids is forbidden in free stack.
#[test]
fn accesses_below_the_stack_pointer_fault_like_those_in_zones() {
    let run = |code: &[u32], no_read: bool, no_write: bool| {
        let mut machine = booted_on(ZeroWait, code);
        let zones = vec![Zone { start: RAM, end: RAM + 4, no_read, no_write }];
        let options = CallOptions { zones, stack_limit: RAM + 0x200, ..options() };
        machine.call(FUNCTION, &[Arg::Pointer(RAM + 0x200)], &options).exit
    };
    let free = |address, size, access, pc| {
        Exit::Fault(Fault { kind: FaultKind::FreeStack { address, size, access }, pc })
    };
    let top = RAM + RAM_SIZE;
    let (write, read) = (Access::Write, Access::Read);
    for (code, address, size, access) in [
        (word("sw", 2, 11, -16), top - 16, 4, write),
        (word("sh", 2, 11, -2), top - 2, 2, write),
        (word("sb", 10, 11, 0), RAM + 0x200, 1, write),
        (word("lw", 11, 2, -4), top - 4, 4, read),
        (word("lbu", 11, 10, 0), RAM + 0x200, 1, read),
    ] {
        let expected = free(address, size, access, FUNCTION);
        assert_eq!(run(&[code, RET], true, true), expected);
        assert_eq!(run(&[code, RET], access == read, access == write), expected);
        assert_eq!(run(&[code, RET], access == write, access == read), Exit::Returned);
    }
    // A prologue and an epilogue; a store to what was given back; one below the limit.
    let frame = [addi(2, 2, -32), word("sw", 2, 1, 28), word("lw", 1, 2, 28), addi(2, 2, 32)];
    assert_eq!(run(&[frame.as_slice(), &[RET]].concat(), true, true), Exit::Returned);
    let late = [frame.as_slice(), &[word("sw", 2, 1, -4), RET]].concat();
    assert_eq!(run(&late, true, true), free(top - 4, 4, write, FUNCTION + 16));
    assert_eq!(run(&[word("sb", 10, 11, -1), RET], true, true), Exit::Returned);
}

#[test]
fn a_loop_for_ever_runs_out_of_cycles() {
    let outcome = warm(&[word("beq", 0, 0, 0)], &[]);
    assert_eq!(outcome.exit, Exit::OutOfCycles { pc: FUNCTION });
    assert!((100_000..100_010).contains(&outcome.cycles), "{outcome:?}");
}

#[test]
fn restore_brings_back_memory_registers_and_predictions() {
    let code =
        [word("lw", 11, 10, 0), addi(11, 11, 1), word("sw", 10, 11, 0), word("bne", 11, 0, 8), RET, RET];
    let mut machine = booted_on(super::program::CACHED, &code);
    machine.snapshot();
    let args = [Arg::Pointer(RAM)];
    let first = machine.call(FUNCTION, &args, &options());
    let second = machine.call(FUNCTION, &args, &options());
    assert!(second.cycles < first.cycles);
    machine.restore();
    let mut word = [0; 4];
    machine.read(RAM, &mut word).expect("RAM");
    assert_eq!(word, [0; 4]);
    assert_eq!(machine.call(FUNCTION, &args, &options()), first);
    assert_eq!(machine.call(FUNCTION, &args, &options()), second);
}

#[test]
fn code_in_ram_runs_at_the_same_cost() {
    // Copies three instructions to RAM and calls them: addi a0, a0, 5; lw; ret
    let body = [addi(10, 10, 5), word("add", 11, 10, 10), RET];
    let direct = warm(&body, &[Arg::Int(1)]);
    let mut machine = booted_on(super::program::CACHED, &body);
    let in_ram: Vec<u8> = super::program::bytes(&body);
    machine.write(RAM + 0x100, &in_ram).expect("RAM");
    machine.call(RAM + 0x100, &[Arg::Int(1)], &options());
    let outcome = machine.call(RAM + 0x100, &[Arg::Int(1)], &options());
    assert_eq!((outcome.exit, outcome.result), (Exit::Returned, 6));
    assert_eq!((outcome.cycles, outcome.instructions), (direct.cycles, direct.instructions));
}
