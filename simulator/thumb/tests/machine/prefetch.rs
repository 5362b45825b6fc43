//! One wait state behind the STM32F0's prefetch buffer: what follows from the mechanism that
//! `timing::prefetch` describes, by hand.

use super::program::{booted_on, options, FLASH, FUNCTION, ONE_WAIT_STATE, RAM};
use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::{Arg, Exit, Machine as _};

/// Cycles of `code` beyond those without wait states, less the same of an empty function that
/// returns from the same half of a word.
fn stalls(code: &str) -> u64 {
    stalls_on(&ONE_WAIT_STATE, code)
}

fn stalls_on(timing: &MemoryTiming, code: &str) -> u64 {
    let cycles = |timing: &MemoryTiming| {
        let outcome = booted_on(timing.clone(), code).call(
            FUNCTION,
            &[Arg::Pointer(FLASH), Arg::Pointer(RAM), Arg::Int(1)],
            &options(),
        );
        assert_eq!(outcome.exit, Exit::Returned);
        outcome.cycles
    };
    cycles(timing) - cycles(&MemoryTiming::ZeroWait)
}

/// `code`, then enough to come back to a steady state, then the return.
fn padded(code: &str) -> String {
    let nops = "nop; ".repeat(8);
    format!("{nops}{code}; {nops}bx lr")
}

#[test]
fn straight_code_of_single_cycles_runs_without_stalls() {
    for length in 0..40 {
        let code = "nop; ".repeat(length) + "bx lr";
        assert_eq!(stalls(&code), 0, "{length}");
    }
}

#[test]
fn data_in_ram_does_not_stall() {
    // r1 points to RAM; in both halves of a word.
    for instruction in ["ldr r3, [r1]", "str r3, [r1]", "ldm r1!, {r2, r3}", "stm r1!, {r2, r3}"] {
        assert_eq!(stalls(&padded(instruction)), 0, "{instruction}");
        assert_eq!(stalls(&padded(&format!("nop; {instruction}"))), 0, "{instruction}");
    }
    assert_eq!(stalls(&padded("push {r0-r6}; pop {r0-r6}")), 0);
}

#[test]
fn a_taken_branch_waits_for_its_target_and_for_the_next_word_if_the_target_is_the_upper_half() {
    // Over four words, far enough that the buffer does not have the target.
    let far = |branch: &str| stalls(&padded(&format!("{branch}; {}nop", "nop; ".repeat(11))));
    let lower = far("b .+16");
    let upper = far("b .+18");
    assert_eq!((lower, upper), (1, 2));
}

#[test]
fn a_branch_that_is_not_taken_does_not_stall() {
    assert_eq!(stalls(&padded("cmp r0, r0; bne .+12")), 0);
    assert_eq!(stalls(&padded("nop; cmp r0, r0; bne .+12")), 0);
}

#[test]
fn a_literal_costs_one_cycle_less_in_the_lower_half_of_a_word() {
    // Measured on STM32F0 by jnk0le ("pipeline cycle test", doc/cortex_m0.md).
    let lower = stalls(&padded("ldr r3, [pc, #0]; nop"));
    let upper = stalls(&padded("nop; ldr r3, [pc, #0]"));
    assert_eq!((lower, upper), (1, 2));
    // It can be repeated.
    assert_eq!(stalls(&padded("ldr r3, [pc, #0]; nop; ldr r3, [pc, #0]; nop; ldr r3, [pc, #0]; nop")), 3);
}

#[test]
fn a_table_in_flash_costs_the_same_as_a_literal() {
    assert_eq!(stalls(&padded("ldr r3, [r0]; nop")), stalls(&padded("ldr r3, [pc, #0]; nop")));
    assert_eq!(stalls(&padded("nop; ldr r3, [r0]")), stalls(&padded("nop; ldr r3, [pc, #0]")));
}

#[test]
fn multiples_from_flash_wait_for_every_word() {
    // The first read as above, three more that nothing hides.
    assert_eq!(stalls(&padded("ldm r0!, {r3-r6}; nop")), 1 + 3);
}

#[test]
fn more_wait_states_cost_more() {
    let straight = padded(&format!("{}nop", "nop; ".repeat(31)));
    let cost = |wait_states| stalls_on(&MemoryTiming::Prefetch { wait_states, line: 4, lines: 3 }, &straight);
    assert_eq!(cost(1), 0);
    assert!(cost(2) > 0 && cost(3) > cost(2), "{} {}", cost(2), cost(3));
    // Lines of 8 bytes keep up with three wait states: two cycles a word.
    let wide = |wait_states| stalls_on(&MemoryTiming::Prefetch { wait_states, line: 8, lines: 2 }, &straight);
    assert_eq!(wide(1), 0);
    assert!(wide(3) <= 4, "{}", wide(3));
}

#[test]
fn every_call_begins_with_the_same_buffer() {
    let code = padded("ldr r3, [pc, #0]; nop; nop; ldr r3, [pc, #0]");
    let mut machine = booted_on(ONE_WAIT_STATE, &code);
    let first = machine.call(FUNCTION, &[], &options());
    assert_eq!(machine.call(FUNCTION, &[], &options()), first);
}
