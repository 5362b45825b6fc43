//! Cycles of the QingKe V2A: jnk0le, "pipeline cycle test", `doc/ch32v003_(qkv2).md`, and what follows from
//! the mechanism that `pennyweight_memory::timing::FetchBuffer` describes.

use super::assembler::{c_jump, jal, wide, word};
use super::program::{addi, board_with, flash, options, FLASH, FUNCTION, RAM, READY};
use pennyweight_machine::{Arg, Exit, Machine as _, MemoryTiming};
use pennyweight_riscv::RiscvMachine;

/// C.NOP, C.JR ra, C.LW a3, 0(a0)
const NOP: u16 = 0x0001;
const RET: u16 = 0x8082;
const LOAD: u16 = 0x4114;

/// The cycles of a return.
const RETURNED: u64 = 3;

/// A flash with so many wait states, and places in the buffer.
fn buffered(wait_states: u32, lines: u32) -> MemoryTiming {
    MemoryTiming::FetchBuffer { wait_states, line: 4, lines }
}

/// As on the CH32V003 at 48 MHz.
fn slow() -> MemoryTiming {
    buffered(1, 3)
}

/// Cycles of a call of `code`, whose argument points to `argument`.
fn cycles(timing: MemoryTiming, code: &[u16], argument: u32) -> u64 {
    let code: Vec<u8> = code.iter().flat_map(|half| half.to_le_bytes()).collect();
    let flash = flash(&code);
    let mut machine = RiscvMachine::from_flash(&board_with("qingke-v2a", timing), &flash, flash.len(), FLASH)
        .expect("the board is sound");
    assert_eq!(machine.boot(READY, 1000).exit, Exit::Returned);
    let first = machine.call(FUNCTION, &[Arg::Pointer(argument)], &options());
    assert_eq!(first.exit, Exit::Returned, "{code:x?}");
    let again = machine.call(FUNCTION, &[Arg::Pointer(argument)], &options());
    assert_eq!(again.cycles, first.cycles, "nothing is kept from call to call");
    first.cycles
}

/// Cycles of `code` and a return behind it, less the return.
fn cost(timing: MemoryTiming, code: &[u16]) -> u64 {
    cycles(timing, &[code, &[RET]].concat(), RAM + 0x100) - RETURNED
}

/// `before`, an instruction that jumps from there to an aligned return: its cycles.
fn cost_of_jump(timing: MemoryTiming, before: &[u16], cycles_before: u64) -> u64 {
    let position = before.len() as u16;
    let distance = if position.is_multiple_of(2) { 8 } else { 6 };
    let mut code = before.to_vec();
    code.push(c_jump(distance.into()));
    code.resize((position + distance / 2) as usize, NOP);
    cost(timing, &code) - cycles_before
}

#[test]
fn loads_and_stores_take_two_cycles() {
    for name in ["lb", "lbu", "lh", "lhu", "lw"] {
        assert_eq!(cost(MemoryTiming::ZeroWait, &wide(word(name, 11, 10, 0))), 2, "{name}");
        // Whether the next instruction uses the result or not.
        let used = [wide(word(name, 11, 10, 0)), wide(word("add", 12, 11, 11))].concat();
        assert_eq!(cost(MemoryTiming::ZeroWait, &used), 3, "{name}");
    }
    for name in ["sb", "sh", "sw"] {
        assert_eq!(cost(MemoryTiming::ZeroWait, &wide(word(name, 10, 11, 4))), 2, "{name}");
    }
    // Into the stack pointer too.
    let sp = [wide(word("sw", 10, 2, 0)), wide(word("lw", 2, 10, 0))].concat();
    assert_eq!(cost(MemoryTiming::ZeroWait, &sp), 4);
}

#[test]
fn other_instructions_take_one() {
    for code in [addi(11, 0, 1), word("xor", 11, 12, 13), word("sll", 11, 12, 13), word("bne", 0, 0, 8)] {
        assert_eq!(cost(MemoryTiming::ZeroWait, &wide(code)), 1, "{code:08x}");
    }
}

#[test]
fn taken_branches_take_three_and_four_to_a_split_instruction() {
    let nop = wide(addi(0, 0, 0));
    for taken in [word("beq", 0, 0, 8), word("bge", 0, 0, 8), jal(0, 8)] {
        assert_eq!(cost(MemoryTiming::ZeroWait, &[wide(taken), nop].concat()), 3, "{taken:08x}");
    }
    // To 32-bit and 16-bit instructions in either half of a word.
    let over = |distance: i32, rest: &[u16]| {
        cost(MemoryTiming::ZeroWait, &[&wide(word("beq", 0, 0, distance))[..], rest].concat())
    };
    assert_eq!(over(4, &nop), 3 + 1);
    assert_eq!(over(4, &[NOP]), 3 + 1);
    assert_eq!(over(6, &[NOP, NOP]), 3 + 1);
    assert_eq!(over(6, &[NOP, nop[0], nop[1]]), 4 + 1);
}

#[test]
fn with_a_wait_state_the_older_branch_of_a_word_takes_four_and_the_younger_five() {
    for before in 0..12 {
        let nops = vec![NOP; before];
        let expected = if before % 2 == 0 { 4 } else { 5 };
        assert_eq!(cost_of_jump(slow(), &nops, before as u64), expected, "{before}");
        assert_eq!(cost_of_jump(MemoryTiming::ZeroWait, &nops, before as u64), 3, "{before}");
    }
}

#[test]
fn an_instruction_of_two_cycles_swaps_them_and_a_32_bit_instruction_swaps_them_back() {
    let [low, high] = wide(addi(0, 0, 0));
    assert_eq!(cost_of_jump(slow(), &[LOAD, NOP], 3), 5);
    assert_eq!(cost_of_jump(slow(), &[LOAD, NOP, NOP], 4), 4);
    assert_eq!(cost_of_jump(slow(), &[LOAD, NOP, low, high], 4), 4);
    assert_eq!(cost_of_jump(slow(), &[LOAD, NOP, low, high, NOP], 5), 5);
    // A buffer of two lines has no place for the line that would be read meanwhile.
    assert_eq!(cost_of_jump(buffered(1, 2), &[LOAD, NOP], 3), 4);
    assert_eq!(cost_of_jump(buffered(1, 2), &[LOAD, NOP, NOP], 4), 5);
}

#[test]
fn with_a_wait_state_16_bit_code_runs_at_full_speed_and_32_bit_code_at_half() {
    assert_eq!(cost(slow(), &[NOP; 16]), 16);
    let wides: Vec<u16> = wide(addi(0, 0, 0)).repeat(8);
    assert_eq!(cost(slow(), &wides), 16);
    assert_eq!(cost(buffered(3, 3), &wides), 32);
}

#[test]
fn with_a_wait_state_a_target_in_the_upper_half_of_a_word_costs_one_more() {
    let behind = |distance: i32, rest: &[u16]| cost(slow(), &[&wide(jal(0, distance))[..], rest].concat());
    assert_eq!(behind(6, &[NOP, NOP, NOP]), behind(4, &[NOP, NOP]) + 1);
    let [low, high] = wide(addi(0, 0, 0));
    assert_eq!(behind(6, &[NOP, low, high, NOP]), behind(4, &[low, high, NOP]) + 1);
}

#[test]
fn a_data_read_waits_for_the_flash() {
    let code = [LOAD, NOP, NOP, RET];
    let from = |timing: MemoryTiming, address| cycles(timing, &code, address);
    assert_eq!(from(MemoryTiming::ZeroWait, FLASH), from(MemoryTiming::ZeroWait, RAM));
    assert_eq!(from(buffered(0, 3), FLASH), from(buffered(0, 3), RAM));
    assert!(from(slow(), FLASH) > from(slow(), RAM));
}
