//! What neighbours and branch targets cost on Cortex-M3 and M4 without wait states: the rules of
//! `core::pipeline`, one by one. DDI 0439, 3.3.3 "Load/store timings"; jnk0le/random, "pipeline
//! cycle test", doc/cortex_m3m4.md, where marked \[j\].

use super::program::{booted_with, options, FUNCTION, RAM};
use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::{Arg, Exit, Machine as _};
use pennyweight_thumb::core::{Core, CortexM3, CortexM4};

const BX_LR: u16 = 0x4770;
/// MOV R7, R7: overlaps with nothing.
const MOVE: u16 = 0x463f;

/// Cycles of `code` between instructions that overlap with nothing; r0 and r1 point to RAM.
fn cycles_on<C: Core>(code: &[u16]) -> u64 {
    let run = |code: &[u16]| {
        let mut all = vec![MOVE, MOVE];
        all.extend(code);
        all.extend([MOVE, BX_LR]);
        let mut machine = booted_with::<C>(MemoryTiming::ZeroWait, &all);
        let args = [Arg::Pointer(RAM), Arg::Pointer(RAM + 64), Arg::Int(0), Arg::Int(4)];
        let outcome = machine.call(FUNCTION, &args, &options());
        assert_eq!(outcome.exit, Exit::Returned, "{code:04x?}");
        outcome.cycles
    };
    run(code) - run(&[])
}

fn cycles(code: &[u16]) -> u64 {
    let (m3, m4) = (cycles_on::<CortexM3>(code), cycles_on::<CortexM4>(code));
    assert_eq!(m3, m4, "{code:04x?}");
    m4
}

#[test]
fn loads_overlap_with_the_loads_behind_them() {
    // ldr r4, [r0] and more of them, to r5, r6
    assert_eq!(cycles(&[0x6804]), 2);
    assert_eq!(cycles(&[0x6804, 0x6805]), 3);
    assert_eq!(cycles(&[0x6804, 0x6805, 0x6806]), 4);
    // Whatever the size: ldrb, ldrh, ldr literal.
    assert_eq!(cycles(&[0x7804, 0x8805, 0x4e00]), 4);
}

#[test]
fn an_address_that_was_just_loaded_does_not_overlap() {
    // r0 -> RAM: str r1, [r0] first, so that what is loaded is an address; ldr r4, [r0]; ldr r5, [r4]
    let store = cycles(&[0x6001, MOVE]);
    assert_eq!(cycles(&[0x6001, MOVE, 0x6804, 0x6825]) - store, 4);
    assert_eq!(cycles(&[0x6001, MOVE, 0x6804, 0x680d]) - store, 3);
}

#[test]
fn a_store_hides_behind_a_load_and_a_load_waits_for_a_store() {
    // str r4, [r1]; ldr r5, [r0]
    assert_eq!(cycles(&[0x600c]), 1);
    assert_eq!(cycles(&[0x600c, 0x604c]), 2);
    assert_eq!(cycles(&[0x6805, 0x600c]), 2);
    assert_eq!(cycles(&[0x600c, 0x6805]), 4);
    // ldm r0, {r0, r4} behind a store
    assert_eq!(cycles(&[0xc811]), 3);
    assert_eq!(cycles(&[0x600c, 0xc811]), 5);
}

#[test]
fn a_store_with_two_address_registers_takes_a_cycle_more() {
    // str r4, [r1, r2]; then with a NOP, which it takes in [j]
    assert_eq!(cycles(&[0x508c]), 2);
    assert_eq!(cycles(&[0x508c, 0xbf00]), 2);
    assert_eq!(cycles(&[0x508c, MOVE]), 3);
}

#[test]
fn a_load_takes_a_nop_in() {
    // [j]; cmp does not do
    assert_eq!(cycles(&[0x6804, 0xbf00]), 2);
    assert_eq!(cycles(&[0x6804, 0x2c00]), 3);
}

#[test]
fn loads_that_write_back_go_on_with_a_chain_on_the_m4_only() {
    // ldr r4, [r0]; ldr r5, [r1], #4 [j]
    let chain = [0x6804, 0xf851, 0x5b04];
    assert_eq!((cycles_on::<CortexM3>(&chain), cycles_on::<CortexM4>(&chain)), (4, 3));
    // On the same base it does not.
    assert_eq!(cycles(&[0xf851, 0x4b04, 0xf851, 0x5b04]), 4);
    // It may begin one.
    assert_eq!(cycles(&[0xf851, 0x5b04, 0x6804]), 3);
}

#[test]
fn stores_that_write_back_to_one_base_wait_for_it() {
    // str r4, [r1], #4 twice; on two bases [j]
    assert_eq!(cycles(&[0xf841, 0x4b04, 0xf841, 0x4b04]), 3);
    assert_eq!(cycles(&[0xf841, 0x4b04, 0xf840, 0x4b04]), 2);
}

#[test]
fn a_wide_branch_target_that_is_not_aligned_waits_for_its_second_half() {
    // FUNCTION + 4: b to FUNCTION + 8 or + 10, where mov.w r7, r7 stands
    assert_eq!(cycles(&[0xe000, MOVE, 0xea4f, 0x0707]), 2 + 1);
    assert_eq!(cycles(&[MOVE, 0xe000, MOVE, 0xea4f, 0x0707]), 1 + 2 + 1 + 1);
    // A narrow one does not.
    assert_eq!(cycles(&[MOVE, 0xe000, MOVE, MOVE]), 1 + 2 + 1);
}

#[test]
fn a_return_waits_for_a_link_register_that_is_being_written() {
    // DDI 0337G, table 15-3. push {lr}, then ldr.w lr, [sp] and add sp, #4.
    let (push, load, add) = ([0xb500], [0xf8dd, 0xe000], [0xb001]);
    let call = |parts: [&[u16]; 3]| {
        let mut code = parts.concat();
        code.push(BX_LR);
        let mut machine = booted_with::<CortexM3>(MemoryTiming::ZeroWait, &code);
        let outcome = machine.call(FUNCTION, &[], &options());
        assert_eq!(outcome.exit, Exit::Returned);
        outcome.cycles
    };
    // ldr.w lr, [sp], #4 takes the place of both in the second.
    let apart = call([&push, &load, &add]);
    let together = call([&push, &[0xf85d, 0xeb04], &[]]);
    // 2 + 2 + 1 + 2 and 2 + (2 + 1) + 2.
    assert_eq!((apart, together), (7, 7));
}

#[test]
fn it_is_folded_into_a_narrow_instruction_before_it() {
    // it eq; moveq r7, r7, behind a narrow and behind a wide instruction; Z is set by cmp r2, #0
    assert_eq!(cycles(&[0x2a00, 0xbf08, MOVE]), 2);
    assert_eq!(cycles(&[0x2a00, 0xea4f, 0x0707, 0xbf08, MOVE]), 4);
    // What is passed over takes a cycle: ldrne r4, [r0]
    assert_eq!(cycles(&[0x2a00, 0xbf18, 0x6804]), 2);
}

#[test]
fn long_multiplications_of_the_m3_depend_on_their_operands() {
    // umull r4, r5, r2, r3 with r2 = 0, r3 = 4; then of r0, r1, which are addresses; umlal
    assert_eq!(cycles_on::<CortexM3>(&[0xfba2, 0x4503]), 3);
    assert_eq!(cycles_on::<CortexM3>(&[0xfba2, 0x4501]), 4);
    assert_eq!(cycles_on::<CortexM3>(&[0xfba0, 0x4501]), 5);
    assert_eq!(cycles_on::<CortexM3>(&[0xfbe2, 0x4503]), 4);
    assert_eq!(cycles_on::<CortexM3>(&[0xfbe0, 0x4501]), 7);
    assert_eq!(cycles_on::<CortexM4>(&[0xfbe0, 0x4501]), 1);
    // mul, mla
    assert_eq!(cycles(&[0xfb00, 0xf401]), 1);
    assert_eq!((cycles_on::<CortexM3>(&[0xfb00, 0x2401]), cycles_on::<CortexM4>(&[0xfb00, 0x2401])), (2, 1));
}

#[test]
fn a_loop_is_entered_from_above_and_from_its_end() {
    // 1: ldr r4, [r0]; ldr r5, [r0]; subs r3, #1; bne 1b: what comes before it does not matter
    // ldr r6, [r0] in front overlaps the first time only.
    let plain = cycles(&[0x6804, 0x6805, 0x3b01, 0xd1fb]);
    assert_eq!(plain, 4 * (3 + 1) + 3 * 2 + 1);
    assert_eq!(cycles(&[0x6806, 0x6804, 0x6805, 0x3b01, 0xd1fb]), plain + 1);
}
