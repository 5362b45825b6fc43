//! Cycles of the ESP32-C3's core: loops of timonvo/niccle, `esp/examples/cycle_counting.rs`, with
//! the cycles that it reports for the part, and the rules that `pennyweight_riscv::core::ESP32_C3`
//! takes from CV32E40P's user manual and source.

use super::assembler::{c_jump, csrr, jal, wide, wides, word};
use super::program::{addi, board_with, flash, options, FLASH, FUNCTION, RAM, READY};
use pennyweight_machine::{Arg, Exit, Machine as _, MemoryTiming};
use pennyweight_riscv::RiscvMachine;

/// C.NOP, C.JR ra, and C.ADDI a1, 1
const NOP: u16 = 0x0001;
const RET: u16 = 0x8082;
const COUNT: u16 = 0x0585;

/// The cycles of a return.
const RETURNED: u64 = 2;

/// Cycles of `code` and a return behind it, less the return; a0 points to RAM, a1 is 0, a2 is
/// `count`.
#[track_caller]
fn cost_of(code: &[u16], count: i32) -> u64 {
    let code: Vec<u8> = [code, &[RET]].concat().iter().flat_map(|half| half.to_le_bytes()).collect();
    let flash = flash(&code);
    let board = board_with("esp32-c3", MemoryTiming::ZeroWait);
    let mut machine =
        RiscvMachine::from_flash(&board, &flash, flash.len(), FLASH).expect("the board is sound");
    assert_eq!(machine.boot(READY, 1000).exit, Exit::Returned);
    let arguments = [Arg::Pointer(RAM + 0x100), Arg::Int(0), Arg::Int(count)];
    let first = machine.call(FUNCTION, &arguments, &options());
    assert_eq!(first.exit, Exit::Returned, "{code:x?}");
    let again = machine.call(FUNCTION, &arguments, &options());
    assert_eq!(again.cycles, first.cycles, "nothing is kept from call to call");
    first.cycles - RETURNED
}

#[track_caller]
fn cost(words: &[u32], expected: u64) {
    assert_eq!(cost_of(&wides(words), 0), expected, "{words:08x?}");
}

#[test]
fn loops_take_as_long_as_on_the_part() {
    let bne = |distance| wide(word("bne", 11, 12, distance));
    let beq = |distance| wide(word("beq", 11, 12, distance));
    for passes in [1, 2, 3, 4, 1000] {
        let rest = passes as u64 - 1;
        // BNE back, usually taken: aligned, and not.
        let code = [&[COUNT, NOP][..], &bne(-4)].concat();
        assert_eq!(cost_of(&code, passes), 3 + rest * 5, "{passes}");
        let code = [&[COUNT][..], &bne(-2)].concat();
        assert_eq!(cost_of(&code, passes), 2 + rest * 4, "{passes}");
        // With a jump forward to a word boundary, and to a 16-bit instruction elsewhere.
        let code = [&[c_jump(4), NOP, COUNT, NOP][..], &bne(-8)].concat();
        assert_eq!(cost_of(&code, passes), 5 + rest * 7, "{passes}");
        let code = [&[NOP, c_jump(4), NOP, COUNT][..], &bne(-6)].concat();
        assert_eq!(cost_of(&code, passes), 1 + 4 + rest * 6, "{passes}");
        // BNE forward, usually taken, to a jump back.
        let code = [&[COUNT][..], &bne(6), &[c_jump(4), c_jump(-8)]].concat();
        assert_eq!(cost_of(&code, passes), 4 + rest * 6, "{passes}");
        // BEQ forward, rarely taken.
        let code = [&[COUNT][..], &beq(6), &[c_jump(-6)]].concat();
        assert_eq!(cost_of(&code, passes), 4 + rest * 4, "{passes}");
    }
}

#[test]
fn loads_take_two_cycles_if_the_next_instruction_uses_the_result() {
    for name in ["lb", "lbu", "lh", "lhu", "lw"] {
        let load = word(name, 11, 10, 0);
        cost(&[load, word("add", 12, 11, 11)], 3);
        cost(&[load, addi(13, 0, 1)], 2);
        cost(&[load, addi(13, 0, 1), word("add", 12, 11, 11)], 3);
        // `load_stall_o`: a write, and the value of a store.
        cost(&[load, addi(11, 0, 1)], 3);
        cost(&[load, word("sw", 10, 11, 4)], 3);
        cost(&[load, word("bne", 11, 0, 8)], 3);
    }
    for name in ["sb", "sh", "sw"] {
        cost(&[word(name, 10, 11, 4), word(name, 10, 11, 8)], 2);
    }
}

#[test]
fn other_instructions_take_one() {
    for code in [addi(11, 0, 1), word("xor", 11, 12, 13), word("sll", 11, 12, 13), csrr(11, 0x340)] {
        cost(&[code, word("add", 12, 11, 11)], 2);
    }
    cost(&[word("bne", 0, 0, 8)], 1);
}

/// User manual, "Pipeline Details", table of cycle counts: jumps and branches.
#[test]
fn a_target_of_32_bits_that_is_not_aligned_costs_one_more() {
    let nop = wide(addi(0, 0, 0));
    let over = |first: u32, rest: &[u16]| cost_of(&[&wide(first)[..], rest].concat(), 0);
    for (first, cycles) in [(word("beq", 0, 0, 6), 3), (jal(0, 6), 2)] {
        assert_eq!(over(first, &[NOP, NOP]), cycles + 1, "{first:08x}");
        assert_eq!(over(first, &[NOP, nop[0], nop[1]]), cycles + 1 + 1, "{first:08x}");
    }
    assert_eq!(over(word("beq", 0, 0, 4), &nop), 3 + 1);
    assert_eq!(over(jal(0, 4), &nop), 2 + 1);
}

/// `cv32e40p_controller.sv`, `jr_stall_o`.
#[test]
fn a_jump_waits_for_its_target() {
    // la a3, behind the jump; jr a3
    let target = |offset: i32| [word("addi", 13, 5, offset), word("jalr", 0, 13, 0)];
    let here = 0x0000_0297; // auipc t0, 0
    let other = addi(14, 0, 1);
    let [set, go] = target(12);
    cost(&[here, set, go], 2 + 1 + 2);
    let [set, go] = target(16);
    cost(&[here, set, other, go], 3 + 2);
    // From memory: stored, loaded, and gone to.
    let [set, go] = target(20);
    let [store, load] = [word("sw", 10, 13, 0), word("lw", 13, 10, 0)];
    cost(&[here, set, store, load, go], 4 + 2 + 2);
    let [set, go] = target(24);
    cost(&[here, set, store, load, other, go], 5 + 1 + 2);
    let [set, go] = target(28);
    cost(&[here, set, store, load, other, other, go], 6 + 2);
}

/// User manual, "Pipeline Details", table of cycle counts: multiplication.
#[test]
fn products_take_one_cycle_and_their_upper_halves_five() {
    cost(&[word("mul", 12, 11, 11), word("add", 13, 12, 12)], 2);
    for name in ["mulh", "mulhu", "mulhsu"] {
        cost(&[word(name, 12, 11, 11), word("add", 13, 12, 12)], 6);
        cost(&[word(name, 12, 11, 11), word(name, 13, 11, 11)], 10);
    }
}

/// `cv32e40p_alu_div.sv`: 3 to 35 cycles.
#[test]
fn divisions_take_longer_for_small_divisors() {
    for (divisor, cycles) in [(0, 35), (1, 34), (10, 31), (2047, 24)] {
        for name in ["div", "divu", "rem", "remu"] {
            cost(&[addi(12, 0, divisor), word(name, 13, 10, 12)], 1 + cycles);
        }
    }
    for (divisor, signed) in [(-1, 34), (-2, 33), (-2048, 23)] {
        cost(&[addi(12, 0, divisor), word("divu", 13, 10, 12)], 1 + 3);
        cost(&[addi(12, 0, divisor), word("div", 13, 10, 12)], 1 + signed);
    }
}
