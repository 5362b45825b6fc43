//! IT blocks (DDI 0403, A7.3.3), stepped and run, on a Cortex-M4.
//!
//! Instructions in them are written as outside of them, such as `movs` for `moveq`: the encodings are the
//! same.

use super::assembler::assemble;
use super::program::{booted_with, options, FUNCTION};
use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::{Arg, Exit, FaultKind, Machine as _};
use pennyweight_thumb::core::CortexM4;
use pennyweight_thumb::op::ItState;

/// Result of `code` called with `argument`, and its cycles and instructions.
fn call(code: &str, argument: i32) -> (i32, u64, u64) {
    let mut machine = booted_with::<CortexM4>(MemoryTiming::ZeroWait, code);
    let outcome = machine.call(FUNCTION, &[Arg::Int(argument)], &options());
    assert_eq!(outcome.exit, Exit::Returned);

    // Step by step, it is the same.
    let mut stepped = booted_with::<CortexM4>(MemoryTiming::ZeroWait, code);
    stepped.snapshot();
    stepped.state_mut().registers[pennyweight_thumb::registers::Reg::R0] = argument as u32;
    stepped.state_mut().registers[pennyweight_thumb::registers::Reg::Lr] = FUNCTION - 0x20 + 1;
    stepped.state_mut().pc = FUNCTION;
    let (mut cycles, mut instructions) = (0, 0);
    while stepped.state().pc != FUNCTION - 0x20 {
        cycles += stepped.step().expect("no fault");
        instructions += 1;
    }
    let result = stepped.state().registers[pennyweight_thumb::registers::Reg::R0] as i32;
    assert_eq!((result, instructions), (outcome.result, outcome.instructions));
    assert_eq!(cycles, outcome.cycles);
    (outcome.result, outcome.cycles, outcome.instructions)
}

#[test]
fn then_and_else() {
    let code = "cmp r0, #5; itte eq; movs r0, #1; adds r0, #2; movs r0, #9; bx lr";
    // The IT is folded into the comparison; a skipped instruction takes a cycle.
    assert_eq!(call(code, 5), (3, 1 + 3 + 2, 6));
    assert_eq!(call(code, 4), (9, 1 + 3 + 2, 6));
}

#[test]
fn instructions_of_16_bits_set_no_flags_but_comparisons_do() {
    // EQ holds all along.
    assert_eq!(call("cmp r0, #0; ittt eq; movs r0, #5; subs r0, #5; adds r0, #7; bx lr", 0).0, 7);
    // The comparison ends it.
    assert_eq!(call("cmp r0, #0; ittt eq; movs r0, #5; cmp r0, #4; movs r0, #7; bx lr", 0).0, 5);
}

#[test]
fn the_last_may_branch() {
    let code = "cmp r0, #0; it ne; bx lr; movs r0, #3; bx lr";
    assert_eq!(call(code, 8), (8, 1 + 2, 3));
    assert_eq!(call(code, 0), (3, 1 + 1 + 1 + 2, 5));
    // Over the next.
    assert_eq!(call("cmp r0, #0; it eq; b .+4; movs r0, #1; bx lr", 0).0, 0);
    assert_eq!(call("cmp r0, #0; it eq; b .+4; movs r0, #1; bx lr", 7).0, 1);
}

#[test]
fn a_loop_through_a_block() {
    let code = "movs r1, #0; tst.w r0, #1; it ne; adds r1, #1; lsrs r0, r0, #1; bne .-10; mov r0, r1; bx lr";
    assert_eq!(call(code, 0b1011_0111).0, 6);
}

#[test]
fn a_fault_in_a_block_names_its_instruction() {
    let mut machine = booted_with::<CortexM4>(MemoryTiming::ZeroWait, "cmp r0, r0; it eq; udf #5");
    let outcome = machine.call(FUNCTION, &[], &options());
    let Exit::Fault(fault) = outcome.exit else { panic!("{:?}", outcome.exit) };
    assert_eq!((fault.kind, fault.pc), (FaultKind::Undefined { opcode: 0xde05 }, FUNCTION + 4));
}

#[test]
fn stepping_shows_the_state_of_the_block() {
    let code = "itte eq; movs r0, #1; adds r0, #2; movs r0, #9";
    let mut machine = booted_with::<CortexM4>(MemoryTiming::ZeroWait, code);
    machine.state_mut().pc = FUNCTION;
    machine.state_mut().flags.set_apsr(1 << 30);
    let mut states = Vec::new();
    for _ in 0..4 {
        machine.step().expect("no fault");
        states.push(machine.state().it.0);
    }
    assert_eq!(states, [0b0000_0110, 0b0000_1100, 0b0001_1000, 0]);
    assert_eq!(machine.state().it, ItState::default());
}

#[test]
fn what_may_not_stand_in_a_block_is_undefined_there() {
    for instruction in ["beq .+4", "cbz r0, .+4", "it eq", "cpsie i"] {
        let code = format!("cmp r0, r0; it eq; {instruction}");
        let mut machine = booted_with::<CortexM4>(MemoryTiming::ZeroWait, &code);
        let outcome = machine.call(FUNCTION, &[], &options());
        let Exit::Fault(fault) = outcome.exit else { panic!("{instruction}: {:?}", outcome.exit) };
        assert_eq!(fault.kind, FaultKind::Undefined { opcode: assemble(instruction)[0].into() });
    }
}
