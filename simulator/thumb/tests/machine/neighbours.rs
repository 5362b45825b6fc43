//! What neighbours and branch targets cost on Cortex-M3 and M4 without wait states: the rules of
//! `core::pipeline`, one by one. DDI 0439, 3.3.3 "Load/store timings"; jnk0le/random, "pipeline
//! cycle test", doc/cortex_m3m4.md, where marked \[j\].

use super::program::{booted_with, options, FUNCTION, RAM};
use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::{Arg, Exit, Machine as _};
use pennyweight_thumb::core::{Core, CortexM3, CortexM4};

/// Cycles of `code` between instructions that overlap with nothing; r0 and r1 point to RAM.
fn cycles_on<C: Core>(code: &str) -> u64 {
    let run = |code: &str| {
        let all = format!("mov r7, r7; mov r7, r7; {code}mov r7, r7; bx lr");
        let mut machine = booted_with::<C>(MemoryTiming::ZeroWait, &all);
        let args = [Arg::Pointer(RAM), Arg::Pointer(RAM + 64), Arg::Int(0), Arg::Int(4)];
        let outcome = machine.call(FUNCTION, &args, &options());
        assert_eq!(outcome.exit, Exit::Returned, "{code}");
        outcome.cycles
    };
    run(&format!("{code}; ")) - run("")
}

fn cycles(code: &str) -> u64 {
    let (m3, m4) = (cycles_on::<CortexM3>(code), cycles_on::<CortexM4>(code));
    assert_eq!(m3, m4, "{code}");
    m4
}

#[test]
fn loads_overlap_with_the_loads_behind_them() {
    assert_eq!(cycles("ldr r4, [r0]"), 2);
    assert_eq!(cycles("ldr r4, [r0]; ldr r5, [r0]"), 3);
    assert_eq!(cycles("ldr r4, [r0]; ldr r5, [r0]; ldr r6, [r0]"), 4);
    // Whatever the size, and literals.
    assert_eq!(cycles("ldrb r4, [r0]; ldrh r5, [r0]; ldr r6, [pc, #0]"), 4);
}

#[test]
fn an_address_that_was_just_loaded_does_not_overlap() {
    // r0 points to RAM; the store makes what is loaded an address.
    let store = cycles("str r1, [r0]; mov r7, r7");
    assert_eq!(cycles("str r1, [r0]; mov r7, r7; ldr r4, [r0]; ldr r5, [r4]") - store, 4);
    assert_eq!(cycles("str r1, [r0]; mov r7, r7; ldr r4, [r0]; ldr r5, [r1]") - store, 3);
}

#[test]
fn a_store_hides_behind_a_load_and_a_load_waits_for_a_store() {
    assert_eq!(cycles("str r4, [r1]"), 1);
    assert_eq!(cycles("str r4, [r1]; str r4, [r1, #4]"), 2);
    assert_eq!(cycles("ldr r5, [r0]; str r4, [r1]"), 2);
    assert_eq!(cycles("str r4, [r1]; ldr r5, [r0]"), 4);
    assert_eq!(cycles("ldm r0, {r0, r4}"), 3);
    assert_eq!(cycles("str r4, [r1]; ldm r0, {r0, r4}"), 5);
}

#[test]
fn a_store_with_two_address_registers_takes_a_cycle_more() {
    // It takes in a NOP [j].
    assert_eq!(cycles("str r4, [r1, r2]"), 2);
    assert_eq!(cycles("str r4, [r1, r2]; nop"), 2);
    assert_eq!(cycles("str r4, [r1, r2]; mov r7, r7"), 3);
}

#[test]
fn a_load_takes_a_nop_in() {
    // [j]; but no CMP.
    assert_eq!(cycles("ldr r4, [r0]; nop"), 2);
    assert_eq!(cycles("ldr r4, [r0]; cmp r4, #0"), 3);
}

#[test]
fn loads_that_write_back_go_on_with_a_chain_on_the_m4_only() {
    // [j]
    let chain = "ldr r4, [r0]; ldr.w r5, [r1], #4";
    assert_eq!((cycles_on::<CortexM3>(chain), cycles_on::<CortexM4>(chain)), (4, 3));
    // On the same base it does not.
    assert_eq!(cycles("ldr.w r4, [r1], #4; ldr.w r5, [r1], #4"), 4);
    // It may begin one.
    assert_eq!(cycles("ldr.w r5, [r1], #4; ldr r4, [r0]"), 3);
}

#[test]
fn stores_that_write_back_to_one_base_wait_for_it() {
    // [j]; on two bases they do not.
    assert_eq!(cycles("str.w r4, [r1], #4; str.w r4, [r1], #4"), 3);
    assert_eq!(cycles("str.w r4, [r1], #4; str.w r4, [r0], #4"), 2);
}

#[test]
fn a_wide_branch_target_that_is_not_aligned_waits_for_its_second_half() {
    // The branch at FUNCTION + 4 goes to FUNCTION + 8, the one at FUNCTION + 6 to FUNCTION + 10.
    assert_eq!(cycles("b .+4; mov r7, r7; mov.w r7, r7"), 2 + 1);
    assert_eq!(cycles("mov r7, r7; b .+4; mov r7, r7; mov.w r7, r7"), 1 + 2 + 1 + 1);
    // A narrow one does not.
    assert_eq!(cycles("mov r7, r7; b .+4; mov r7, r7; mov r7, r7"), 1 + 2 + 1);
}

#[test]
fn a_return_waits_for_a_link_register_that_is_being_written() {
    // DDI 0337G, table 15-3.
    let call = |code: &str| {
        let mut machine = booted_with::<CortexM3>(MemoryTiming::ZeroWait, code);
        let outcome = machine.call(FUNCTION, &[], &options());
        assert_eq!(outcome.exit, Exit::Returned);
        outcome.cycles
    };
    let apart = call("push {lr}; ldr.w lr, [sp]; add sp, #4; bx lr");
    let together = call("push {lr}; ldr.w lr, [sp], #4; bx lr");
    // 2 + 2 + 1 + 2 and 2 + (2 + 1) + 2.
    assert_eq!((apart, together), (7, 7));
}

#[test]
fn it_is_folded_into_a_narrow_instruction_before_it() {
    // Behind a narrow and behind a wide instruction; Z is set.
    assert_eq!(cycles("cmp r2, #0; it eq; mov r7, r7"), 2);
    assert_eq!(cycles("cmp r2, #0; mov.w r7, r7; it eq; mov r7, r7"), 4);
    // A skipped instruction takes a cycle.
    assert_eq!(cycles("cmp r2, #0; it ne; ldr r4, [r0]"), 2);
}

#[test]
fn long_multiplications_of_the_m3_depend_on_their_operands() {
    // r2 is 0 and r3 is 4; r0 and r1 are addresses.
    assert_eq!(cycles_on::<CortexM3>("umull r4, r5, r2, r3"), 3);
    assert_eq!(cycles_on::<CortexM3>("umull r4, r5, r2, r1"), 4);
    assert_eq!(cycles_on::<CortexM3>("umull r4, r5, r0, r1"), 5);
    assert_eq!(cycles_on::<CortexM3>("umlal r4, r5, r2, r3"), 4);
    assert_eq!(cycles_on::<CortexM3>("umlal r4, r5, r0, r1"), 7);
    assert_eq!(cycles_on::<CortexM4>("umlal r4, r5, r0, r1"), 1);
    assert_eq!(cycles("mul.w r4, r0, r1"), 1);
    assert_eq!(
        (cycles_on::<CortexM3>("mla r4, r0, r1, r2"), cycles_on::<CortexM4>("mla r4, r0, r1, r2")),
        (2, 1)
    );
}

#[test]
fn a_loop_is_entered_from_above_and_from_its_end() {
    // A load in front of it overlaps the first time only.
    let plain = cycles("ldr r4, [r0]; ldr r5, [r0]; subs r3, #1; bne .-6");
    assert_eq!(plain, 4 * (3 + 1) + 3 * 2 + 1);
    assert_eq!(cycles("ldr r6, [r0]; ldr r4, [r0]; ldr r5, [r0]; subs r3, #1; bne .-6"), plain + 1);
}
