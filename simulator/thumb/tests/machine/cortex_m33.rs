//! What neighbours and branch targets cost on a Cortex-M33 without wait states: the rules of
//! `core::cortex_m33`, one by one. All are those of jnk0le/random, "pipeline cycle test",
//! doc/cortex_m33.md, unless another source is named; the examples of that page are here, too.

use super::program::{booted_with, options, FUNCTION, RAM};
use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::{Arg, Exit, Machine as _};
use pennyweight_thumb::core::CortexM33;

/// Cycles of `code` between instructions that depend on nothing; r0 and r1 point to RAM, r2 is 0 and
/// r3 is 4. The code begins at a word boundary.
#[track_caller]
fn cycles(code: &str) -> u64 {
    let run = |code: &str| {
        let all = format!("mov r7, r7; mov r7, r7; {code}mov r7, r7; mov r7, r7; bx lr");
        let mut machine = booted_with::<CortexM33>(MemoryTiming::ZeroWait, &all);
        let args = [Arg::Pointer(RAM), Arg::Pointer(RAM + 64), Arg::Int(0), Arg::Int(4)];
        let outcome = machine.call(FUNCTION, &args, &options());
        assert_eq!(outcome.exit, Exit::Returned, "{code}");
        outcome.cycles
    };
    run(&format!("{code}; ")) - run("")
}

#[test]
fn a_load_is_ready_after_two_cycles() {
    assert_eq!(cycles("ldr r4, [r0]"), 1);
    assert_eq!(cycles("ldr r4, [r0]; ldr r5, [r0]; ldr r6, [r0]"), 3);
    assert_eq!(cycles("ldr r4, [r0]; mov r5, r4"), 3);
    assert_eq!(cycles("ldr r4, [r0]; mov r7, r7; mov r5, r4"), 3);
    // What writes its base back has that a cycle earlier.
    assert_eq!(cycles("ldr.w r4, [r1], #4; ldr.w r4, [r1], #4"), 2);
    // Of several registers, the last; the others have come by then.
    assert_eq!(cycles("ldm r0, {r0, r4}; mov r5, r4"), 4);
    assert_eq!(cycles("ldm r0, {r0, r4}; mov r5, r0"), 3);
}

#[test]
fn what_a_store_writes_may_be_ready_a_cycle_late() {
    assert_eq!(cycles("ldr r4, [r0]; str r4, [r1]"), 2);
    assert_eq!(cycles("mla r4, r2, r3, r2; str r4, [r1]"), 2);
    // Its address may not.
    assert_eq!(cycles("str r1, [r0]; ldr r5, [r0]; str r4, [r5]"), 4);
    // Nothing waits for a store.
    assert_eq!(cycles("str r4, [r1]; ldr r5, [r0]"), 2);
}

#[test]
fn a_shifted_operand_makes_a_result_late() {
    assert_eq!(cycles("add.w r4, r2, r3, ror #23"), 1);
    assert_eq!(cycles("add.w r4, r2, r3, ror #23; mov r5, r4"), 3);
    assert_eq!(cycles("add.w r4, r2, r3, ror #23; mov r7, r7; mov r5, r4"), 3);
    assert_eq!(cycles("add.w r4, r2, #0x1fc0; mov r5, r4"), 3);
    // One shifted operand after the other does not chain.
    assert_eq!(cycles("add.w r4, r2, r3, ror #23; add.w r4, r4, r3, ror #23"), 3);
    // Plain operands, plain constants, patterns, BFI.
    assert_eq!(cycles("add.w r4, r2, r3; mov r5, r4"), 2);
    assert_eq!(cycles("add.w r4, r2, #1; mov r5, r4"), 2);
    assert_eq!(cycles("eor.w r4, r2, #0x1b1b1b1b; mov r5, r4"), 2);
    assert_eq!(cycles("bfi r4, r2, #4, #8; mov r5, r4"), 2);
    // A shift alone, and a shifted constant alone: nothing is added to them.
    assert_eq!(cycles("ror.w r4, r2, #23; mov r5, r4"), 2);
    assert_eq!(cycles("mov.w r4, #0x1fc0; mov r5, r4"), 2);
}

#[test]
fn flags_of_a_shifted_register_are_late() {
    assert_eq!(cycles("adds.w r4, r2, r3, lsl #1; adc.w r5, r2, r2"), 3);
    assert_eq!(cycles("adds.w r4, r2, r3, lsl #1; mov r7, r7; adc.w r5, r2, r2"), 3);
    assert_eq!(cycles("adds.w r4, r2, r3; adc.w r5, r2, r2"), 2);
    // beq is not taken.
    assert_eq!(cycles("adds.w r4, r2, r3, lsl #1; beq .+4"), 1 + 1 + 1);
    assert_eq!(cycles("adds.w r4, r2, r3; beq .+4"), 1 + 1);
}

#[test]
fn what_sets_flags_in_the_third_stage_takes_two_cycles() {
    // The second cycle is that in which the result comes.
    assert_eq!(cycles("muls r4, r2, r4; mov r5, r4"), 3);
    assert_eq!(cycles("adds.w r4, r2, #0x1fc0; mov r5, r4"), 3);
    assert_eq!(cycles("movs.w r4, #0x1fc0; mov r5, r4"), 2);
}

#[test]
fn sums_of_products_chain() {
    assert_eq!(cycles("mla r4, r2, r3, r2; mla r4, r2, r3, r4"), 2);
    assert_eq!(cycles("mla r4, r2, r3, r2; mla r4, r4, r3, r2"), 3);
    assert_eq!(cycles("mla r4, r2, r3, r2; mov r5, r4"), 3);
    assert_eq!(cycles("umlal r4, r5, r2, r3; umlal r4, r5, r2, r3"), 2);
    assert_eq!(cycles("umull r4, r5, r2, r3; umaal r4, r5, r2, r3"), 2);
    // From a shifted operand and from an extension, and these from them.
    assert_eq!(cycles("add.w r4, r2, r3, ror #23; mla r4, r2, r3, r4"), 2);
    assert_eq!(cycles("sxtab r4, r2, r3; mla r4, r2, r3, r4"), 2);
    assert_eq!(cycles("mla r4, r2, r3, r2; sxtab r4, r4, r3"), 2);
    assert_eq!(cycles("sxtab r4, r2, r3; sxtab r4, r4, r3"), 2);
    assert_eq!(cycles("sxtab r4, r2, r3; sxtab r4, r2, r4"), 3);
    // From a load, but not for an extension.
    assert_eq!(cycles("ldr r4, [r0]; mla r4, r2, r3, r4"), 2);
    assert_eq!(cycles("ldr r4, [r0]; sxtab r4, r4, r3"), 3);
    // An extension that adds nothing is a shift.
    assert_eq!(cycles("uxtb.w r4, r2, ror #8; mov r5, r4"), 2);
}

/// SIMD is in the third stage (elektroniknet.de, see `core/cortex_m33.rs`).
#[test]
fn simd_is_late_and_no_summand() {
    assert_eq!(cycles("uadd8 r4, r2, r3; mov r5, r4"), 3);
    assert_eq!(cycles("uadd8 r4, r2, r3; mla r4, r2, r3, r4"), 3);
}

#[test]
fn a_nop_is_issued_with_a_16_bit_instruction_before_it() {
    // Not with the instruction behind it, nor with another NOP.
    assert_eq!(cycles("adds r4, r2, r3; nop"), 1);
    assert_eq!(cycles("ldr r4, [r0]; nop"), 1);
    assert_eq!(cycles("mov.w r4, r2; nop"), 2);
    assert_eq!(cycles("mov.w r4, r2; nop; nop; mov r5, r2"), 4);
    assert_eq!(cycles("adds r4, r2, r3; nop; nop"), 2);
    // Two others are not issued together.
    assert_eq!(cycles("mov r4, r2; mov r5, r2"), 2);
    // A load's result is not ready any earlier.
    assert_eq!(cycles("ldr r4, [r0]; nop; mov r5, r4"), 3);
}

#[test]
fn branches_that_are_not_taken() {
    // r2 is 0, so that Z is set.
    assert_eq!(cycles("cmp r2, #0; bne .+4"), 1);
    assert_eq!(cycles("cmp.w r2, #0; bne .+4"), 2);
    assert_eq!(cycles("cmp r2, #0; mov r4, r2; bne .+4"), 2);
    assert_eq!(cycles("mov r4, r2; cbnz r2, .+4"), 1);
    // A wide one is in no pair.
    assert_eq!(cycles("cmp r2, #0; bne.w .+4"), 2);
    // What is behind it waits for what is before it.
    assert_eq!(cycles("cmp r2, #0; ldr r4, [r0]; bne .+4; mov r5, r4"), 4);
    assert_eq!(cycles("cmp r2, #0; ldr r4, [r0]; beq .+2; mov r5, r4"), 1 + 1 + 1 + 1);
    // CBZ waits for a load itself.
    assert_eq!(cycles("str r3, [r0]; ldr r4, [r0]; cbz r4, .+4"), 1 + 1 + 1 + 1);
}

#[test]
fn branches_that_are_taken() {
    // Behind an instruction that sets the flags, 2 cycles; behind another one, 1.
    assert_eq!(cycles("cmp r2, #0; beq .+4; mov r7, r7"), 1 + 2);
    assert_eq!(cycles("cmp r2, #0; mov r4, r2; beq .+4; mov r7, r7"), 2 + 1);
    assert_eq!(cycles("cmp r2, #0; mov.w r4, r2; beq .+4; mov r7, r7"), 2 + 2);
    assert_eq!(cycles("cmp r2, #0; mov r4, r2; beq.w .+6; mov r7, r7"), 2 + 2);
    assert_eq!(cycles("cmp r2, #0; ldm r0, {r0, r4}; beq .+4; mov r7, r7"), 1 + 2 + 1);
    assert_eq!(cycles("mov r4, r2; b .+4; mov r7, r7"), 1 + 1);
    assert_eq!(cycles("cmp r2, #0; b .+4; mov r7, r7"), 1 + 2);
    assert_eq!(cycles("mov r4, r2; cbz r2, .+4; mov r7, r7"), 1 + 1);
    assert_eq!(cycles("mov r4, r2; cbz r4, .+4; mov r7, r7"), 1 + 2);
    // What was loaded before it is ready at its target.
    assert_eq!(cycles("cmp r2, #0; ldr r4, [r0]; beq .+4; mov r7, r7; mov r5, r4"), 2 + 1 + 1);
}

#[test]
fn loops() {
    // r3 counts from 4.
    assert_eq!(cycles("subs r3, #1; bne .-2"), 3 * 3 + 1);
    assert_eq!(cycles("subs r3, #1; mov r4, r2; bne .-4"), 3 * 3 + 2);
}

/// The core fetches a word a cycle.
#[test]
fn a_target_that_is_not_aligned_waits_for_the_next_word() {
    // The branch at FUNCTION + 4 goes to FUNCTION + 8, the one at FUNCTION + 6 to FUNCTION + 10.
    assert_eq!(cycles("b .+4; mov r7, r7; mov.w r7, r7"), 1 + 1);
    assert_eq!(cycles("mov r7, r7; b .+4; mov r7, r7; mov.w r7, r7"), 1 + 1 + 1 + 1);
    assert_eq!(cycles("mov r7, r7; b .+4; mov r7, r7; mov r7, r7"), 1 + 1 + 1);
    // A second slot is empty then.
    assert_eq!(cycles("b .+4; mov r7, r7; mov r7, r7; nop"), 1 + 1);
    assert_eq!(cycles("mov r7, r7; b .+4; mov r7, r7; mov r7, r7; nop"), 1 + 1 + 2);
}

#[test]
fn it_is_issued_with_a_16_bit_instruction_before_it() {
    // Z is set.
    assert_eq!(cycles("cmp r2, #0; it eq; mov r7, r7"), 2);
    assert_eq!(cycles("cmp.w r2, #0; it eq; mov r7, r7"), 3);
    assert_eq!(cycles("cmp r2, #0; mov r7, r7; it eq; mov r7, r7"), 3);
}

#[test]
fn what_is_passed_over_takes_a_cycle_and_nothing_waits_for_it() {
    // The page's examples; Z is set.
    let shifted_constant =
        |condition: &str| cycles(&format!("cmp r2, #0; mov r7, r7; it {condition}; adds.w r4, r1, #0x1fc0"));
    assert_eq!((shifted_constant("eq"), shifted_constant("ne")), (2 + 2, 2 + 1));
    let shifted_register = |condition: &str| {
        cycles(&format!("cmp r2, #0; mov r7, r7; it {condition}; add.w r4, r2, r3, ror #23; mov r5, r4"))
    };
    assert_eq!((shifted_register("eq"), shifted_register("ne")), (2 + 1 + 2, 2 + 1 + 1));
    // It does not wait itself, either.
    let waiting = |condition: &str| cycles(&format!("cmp r2, #0; ldr r4, [r0]; it {condition}; mov r5, r4"));
    assert_eq!((waiting("eq"), waiting("ne")), (2 + 2, 2 + 1));
    // Under one condition, both or none; under opposite ones, never both.
    let both = |block: &str| cycles(&format!("cmp r2, #0; {block}; ldr r4, [r0]; mov r5, r4"));
    assert_eq!((both("itt eq"), both("itt ne"), both("ite eq")), (1 + 3, 1 + 2, 1 + 2));
}

/// A 16-bit instruction and the second half of a 32-bit one may look alike: the code before them decides.
#[test]
fn halves_of_instructions_are_told_apart() {
    // The second half of the addition, 0x0002, alone would be MOVS, and that of the multiplication,
    // 0xf403, the first half of another instruction.
    assert_eq!(cycles("cmp r2, #0; add.w r0, r1, r2; beq .+4; mov r7, r7"), 2 + 2);
    assert_eq!(cycles("cmp r2, #0; mul.w r4, r2, r3; mov r5, r2; beq .+4; mov r7, r7"), 1 + 2 + 1);
}
