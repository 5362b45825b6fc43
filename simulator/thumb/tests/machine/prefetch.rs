//! One wait state behind the STM32F0's prefetch buffer: what follows from the mechanism that
//! `timing::prefetch` describes, by hand.

use super::program::{booted_on, options, FLASH, FUNCTION, ONE_WAIT_STATE, RAM};
use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::{Arg, Exit, Machine as _};

const BX_LR: u16 = 0x4770;
const NOP: u16 = 0xbf00;

/// Cycles of `code` beyond those without wait states, less the same of an empty function that
/// returns from the same half of a word.
fn stalls(code: &[u16]) -> u64 {
    stalls_on(&ONE_WAIT_STATE, code)
}

fn stalls_on(timing: &MemoryTiming, code: &[u16]) -> u64 {
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
fn padded(code: &[u16]) -> Vec<u16> {
    let mut all = vec![NOP; 8];
    all.extend(code);
    all.extend([NOP; 8]);
    all.push(BX_LR);
    all
}

#[test]
fn straight_code_of_single_cycles_runs_without_stalls() {
    for length in 0..40 {
        let mut code = vec![NOP; length];
        code.push(BX_LR);
        assert_eq!(stalls(&code), 0, "{length}");
    }
}

#[test]
fn data_in_ram_does_not_stall() {
    // ldr, str, ldm, stm, push, pop on RAM (r1), in both halves of a word.
    for instruction in [0x680b, 0x600b, 0xc90c, 0xc10c] {
        assert_eq!(stalls(&padded(&[instruction])), 0, "{instruction:04x}");
        assert_eq!(stalls(&padded(&[NOP, instruction])), 0, "{instruction:04x}");
    }
    assert_eq!(stalls(&padded(&[0xb47f, 0xbc7f])), 0);
}

#[test]
fn a_taken_branch_waits_for_its_target_and_for_the_next_word_if_the_target_is_the_upper_half() {
    // b over four words, to the lower half, far enough that the buffer does not have it.
    let mut far = vec![NOP; 13];
    far[0] = 0xe006;
    let lower = stalls(&padded(&far));
    far[0] = 0xe007;
    let upper = stalls(&padded(&far));
    assert_eq!((lower, upper), (1, 2));
}

#[test]
fn a_branch_that_is_not_taken_does_not_stall() {
    // cmp r0, r0; bne
    assert_eq!(stalls(&padded(&[0x4280, 0xd104])), 0);
    assert_eq!(stalls(&padded(&[NOP, 0x4280, 0xd104])), 0);
}

#[test]
fn a_literal_costs_one_cycle_less_in_the_lower_half_of_a_word() {
    // Measured on STM32F0 by jnk0le ("pipeline cycle test", doc/cortex_m0.md).
    let lower = stalls(&padded(&[0x4b00, NOP]));
    let upper = stalls(&padded(&[NOP, 0x4b00]));
    assert_eq!((lower, upper), (1, 2));
    // It can be repeated.
    assert_eq!(stalls(&padded(&[0x4b00, NOP, 0x4b00, NOP, 0x4b00, NOP])), 3);
}

#[test]
fn a_table_in_flash_costs_the_same_as_a_literal() {
    // ldr r3, [r0]
    assert_eq!(stalls(&padded(&[0x6803, NOP])), stalls(&padded(&[0x4b00, NOP])));
    assert_eq!(stalls(&padded(&[NOP, 0x6803])), stalls(&padded(&[NOP, 0x4b00])));
}

#[test]
fn multiples_from_flash_wait_for_every_word() {
    // ldm r0!, {r3-r6}: the first read as above, three more that nothing hides.
    assert_eq!(stalls(&padded(&[0xc878, NOP])), 1 + 3);
}

#[test]
fn more_wait_states_cost_more() {
    let straight = padded(&[NOP; 32]);
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
    let code = padded(&[0x4b00, NOP, NOP, 0x4b00]);
    let mut machine = booted_on(ONE_WAIT_STATE, &code);
    let first = machine.call(FUNCTION, &[], &options());
    assert_eq!(machine.call(FUNCTION, &[], &options()), first);
}
