//! IT blocks (DDI 0403, A7.3.3), stepped and run, on a Cortex-M4.

use super::program::{booted_with, options, FUNCTION};
use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::{Arg, Exit, FaultKind, Machine as _};
use pennyweight_thumb::core::CortexM4;
use pennyweight_thumb::op::ItState;

const BX_LR: u16 = 0x4770;

/// Result of `code` called with `argument`, and its cycles and instructions.
fn call(code: &[u16], argument: i32) -> (i32, u64, u64) {
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
    // cmp r0, #5; itte eq; moveq r0, #1; addeq r0, #2; movne r0, #9; bx lr
    let code = [0x2805, 0xbf06, 0x2001, 0x3002, 0x2009, BX_LR];
    // The IT is folded into the comparison; what is passed over takes a cycle.
    assert_eq!(call(&code, 5), (3, 1 + 3 + 2, 6));
    assert_eq!(call(&code, 4), (9, 1 + 3 + 2, 6));
}

#[test]
fn instructions_of_16_bits_set_no_flags_but_comparisons_do() {
    // cmp r0, #0; ittt eq; moveq r0, #5; subeq r0, #5; addeq r0, #7; bx lr: EQ holds all along
    assert_eq!(call(&[0x2800, 0xbf02, 0x2005, 0x3805, 0x3007, BX_LR], 0).0, 7);
    // cmp r0, #0; ittt eq; moveq r0, #5; cmpeq r0, #4; moveq r0, #7; bx lr: the comparison ends it
    assert_eq!(call(&[0x2800, 0xbf02, 0x2005, 0x2804, 0x2007, BX_LR], 0).0, 5);
}

#[test]
fn the_last_may_branch() {
    // cmp r0, #0; it ne; bxne lr; movs r0, #3; bx lr
    let code = [0x2800, 0xbf18, BX_LR, 0x2003, BX_LR];
    assert_eq!(call(&code, 8), (8, 1 + 2, 3));
    assert_eq!(call(&code, 0), (3, 1 + 1 + 1 + 2, 5));
    // cmp r0, #0; it eq; beq.n over the next; movs r0, #1; bx lr
    assert_eq!(call(&[0x2800, 0xbf08, 0xe000, 0x2001, BX_LR], 0).0, 0);
    assert_eq!(call(&[0x2800, 0xbf08, 0xe000, 0x2001, BX_LR], 7).0, 1);
}

#[test]
fn a_loop_through_a_block() {
    // movs r1, #0; 1: tst r0, #1; it ne; addne r1, #1; lsrs r0, #1; bne 1b; mov r0, r1; bx lr
    let code = [0x2100, 0xf010, 0x0f01, 0xbf18, 0x3101, 0x0840, 0xd1f9, 0x4608, BX_LR];
    assert_eq!(call(&code, 0b1011_0111).0, 6);
}

#[test]
fn a_fault_in_a_block_names_its_instruction() {
    // cmp r0, r0; it eq; udfeq
    let mut machine = booted_with::<CortexM4>(MemoryTiming::ZeroWait, &[0x4280, 0xbf08, 0xde05]);
    let outcome = machine.call(FUNCTION, &[], &options());
    let Exit::Fault(fault) = outcome.exit else { panic!("{:?}", outcome.exit) };
    assert_eq!((fault.kind, fault.pc), (FaultKind::Undefined { opcode: 0xde05 }, FUNCTION + 4));
}

#[test]
fn stepping_shows_the_state_of_the_block() {
    let mut machine = booted_with::<CortexM4>(MemoryTiming::ZeroWait, &[0xbf06, 0x2001, 0x3002, 0x2009]);
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
    // it eq; then beq, cbz, it, cps
    for word in [0xd000, 0xb100, 0xbf08, 0xb662] {
        let mut machine = booted_with::<CortexM4>(MemoryTiming::ZeroWait, &[0x4280, 0xbf08, word]);
        let outcome = machine.call(FUNCTION, &[], &options());
        let Exit::Fault(fault) = outcome.exit else { panic!("{word:04x}: {:?}", outcome.exit) };
        assert_eq!(fault.kind, FaultKind::Undefined { opcode: word.into() });
    }
}
