//! Code in RAM: copied there, changed while it runs, called back and forth.

use super::program::{booted, options, FUNCTION, RAM};
use pennyweight_machine::{Arg, CallOptions, Exit, Machine as _, Outcome};

const CODE: u32 = RAM + 0x200;

fn run(flash: &[u16], ram: &[u16], options: &CallOptions) -> Outcome {
    let mut machine = booted(flash);
    let bytes: Vec<u8> = ram.iter().flat_map(|half| half.to_le_bytes()).collect();
    machine.write(CODE, &bytes).expect("RAM");
    machine.call(FUNCTION, &[Arg::Pointer(CODE | 1)], options)
}

/// push {lr}; blx r0; adds r0, #1; pop {pc}
const CALL_RAM: [u16; 4] = [0xb500, 0x4780, 0x3001, 0xbd00];

#[test]
fn code_in_ram_runs_and_returns_to_flash() {
    // movs r0, #10; 1: subs r0, #1; bne 1b; movs r0, #41; bx lr
    let outcome = run(&CALL_RAM, &[0x200a, 0x3801, 0xd1fd, 0x2029, 0x4770], &options());
    assert_eq!((outcome.exit, outcome.result), (Exit::Returned, 42));
    assert_eq!(outcome.instructions, 2 + (1 + 20 + 2) + 2);
    assert_eq!(outcome.cycles, (2 + 3) + (1 + 10 + 9 * 3 + 1 + 1 + 3) + (1 + 5));
}

#[test]
fn code_that_changes_itself_runs_as_changed() {
    // adr r1, 1f; movs r2, #0x2a; strb r2, [r1]; nop; 1: movs r0, #0; bx lr
    let outcome = run(&CALL_RAM, &[0xa101, 0x222a, 0x700a, 0xbf00, 0x2000, 0x4770], &options());
    assert_eq!((outcome.exit, outcome.result), (Exit::Returned, 43));
}

#[test]
fn a_literal_in_ram_is_read_when_it_is_used() {
    // ldr r0, 1f; bx lr; nop; nop; 1: .word 99
    let outcome = run(&CALL_RAM, &[0x4801, 0x4770, 0xbf00, 0xbf00, 0x0063, 0x0000], &options());
    assert_eq!((outcome.exit, outcome.result), (Exit::Returned, 100));
}

#[test]
fn the_budget_holds_in_ram_too() {
    let outcome = run(&CALL_RAM, &[0xe7fe], &CallOptions { budget: 500, ..options() });
    assert_eq!(outcome.exit, Exit::OutOfCycles { pc: CODE });
    let outcome = run(&CALL_RAM, &[0xbf00; 0x600], &CallOptions { budget: 500, ..options() });
    assert!(matches!(outcome.exit, Exit::OutOfCycles { .. }), "{outcome:?}");
}
