//! Code in RAM: copied there, changed while it runs, called back and forth.

use super::assembler::assemble;
use super::program::{booted, options, to_bytes, FUNCTION, RAM};
use pennyweight_machine::{Arg, CallOptions, Exit, Machine as _, Outcome};

const CODE: u32 = RAM + 0x200;

fn run(flash: &str, ram: &str, options: &CallOptions) -> Outcome {
    let mut machine = booted(flash);
    machine.write(CODE, &to_bytes(&assemble(ram))).expect("RAM");
    machine.call(FUNCTION, &[Arg::Pointer(CODE | 1)], options)
}

const CALL_RAM: &str = "push {lr}; blx r0; adds r0, #1; pop {pc}";

#[test]
fn code_in_ram_runs_and_returns_to_flash() {
    let outcome = run(CALL_RAM, "movs r0, #10; subs r0, #1; bne .-2; movs r0, #41; bx lr", &options());
    assert_eq!((outcome.exit, outcome.result), (Exit::Returned, 42));
    assert_eq!(outcome.instructions, 2 + (1 + 20 + 2) + 2);
    assert_eq!(outcome.cycles, (2 + 3) + (1 + 10 + 9 * 3 + 1 + 1 + 3) + (1 + 5));
}

#[test]
fn code_that_changes_itself_runs_as_changed() {
    // It makes `movs r0, #42` of the last but one.
    let code = "add r1, pc, #4; movs r2, #42; strb r2, [r1]; nop; movs r0, #0; bx lr";
    let outcome = run(CALL_RAM, code, &options());
    assert_eq!((outcome.exit, outcome.result), (Exit::Returned, 43));
}

#[test]
fn a_literal_in_ram_is_read_when_it_is_used() {
    let outcome = run(CALL_RAM, "ldr r0, [pc, #4]; bx lr; nop; nop; .short 0x0063, 0x0000", &options());
    assert_eq!((outcome.exit, outcome.result), (Exit::Returned, 100));
}

#[test]
fn the_budget_holds_in_ram_too() {
    let nops = "nop; ".repeat(0x5ff) + "nop";
    let outcome = run(CALL_RAM, "b .", &CallOptions { budget: 500, ..options() });
    assert_eq!(outcome.exit, Exit::OutOfCycles { pc: CODE });
    let outcome = run(CALL_RAM, &nops, &CallOptions { budget: 500, ..options() });
    assert!(matches!(outcome.exit, Exit::OutOfCycles { .. }), "{outcome:?}");
}
