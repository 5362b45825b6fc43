//! Cycles of Hazard3: RP2350 datasheet, section 3.8.7 "Instruction cycle counts", and where it is silent or
//! differs, the core's source, as `pennyweight_riscv::core::hazard3` and `looped` cite it.

use super::assembler::{jal, wide, wides, word};
use super::program::{addi, board_with, flash, options, FLASH, FUNCTION, RAM, READY};
use pennyweight_machine::{Arg, Exit, Machine as _, MemoryTiming};
use pennyweight_riscv::RiscvMachine;

/// C.NOP, C.JR ra, C.ADDI a1, -1
const NOP: u16 = 0x0001;
const RET: u16 = 0x8082;
const COUNT: u16 = 0x15fd;

/// The cycles of a return.
const RETURNED: u64 = 2;

/// Cycles of a call of `code` and a return behind it, less the return, when run and when stepped. a0 points into
/// RAM, a1 is `count`.
#[track_caller]
fn cost_with(count: i32, code: &[u16]) -> u64 {
    let code: Vec<u8> = code.iter().chain(&[RET]).flat_map(|half| half.to_le_bytes()).collect();
    let flash = flash(&code);
    let mut machine =
        RiscvMachine::from_flash(&board_with("hazard3", MemoryTiming::ZeroWait), &flash, flash.len(), FLASH)
            .expect("the board is sound");
    assert_eq!(machine.boot(READY, 1000).exit, Exit::Returned);
    let arguments = [Arg::Pointer(RAM + 0x100), Arg::Int(count)];
    let outcome = machine.call(FUNCTION, &arguments, &options());
    assert_eq!(outcome.exit, Exit::Returned, "{code:x?}");
    outcome.cycles - RETURNED
}

#[track_caller]
fn cost(code: &[u16]) -> u64 {
    cost_with(7, code)
}

#[track_caller]
fn takes(words: &[u32], cycles: u64) {
    assert_eq!(cost(&wides(words)), cycles, "{words:08x?}");
}

/// Tables of 3.8.7.1, 3.8.7.5 and 3.8.7.6.
#[test]
fn computing_takes_a_cycle() {
    for name in ["add", "sltu", "sra", "mul", "mulh", "mulhsu", "mulhu", "sh3add", "bclr", "ror", "pack"] {
        takes(&[word(name, 12, 11, 11), word(name, 13, 12, 12)], 2);
    }
    for name in ["bexti", "bseti", "rori", "srai"] {
        takes(&[word(name, 12, 11, 3)], 1);
    }
    // csrrw x12, mscratch, x11
    takes(&[0x3405_9673, word("add", 13, 12, 12)], 2);
}

/// 3.8.7.1 and footnote 2: a result of a load that is used at once costs a cycle, except as what is stored.
#[test]
fn loads_and_their_users() {
    let unused = addi(13, 0, 1);
    for name in ["lb", "lbu", "lh", "lhu", "lw", "lr.w"] {
        let load = word(name, 12, 10, 0);
        takes(&[load, unused], 2);
        takes(&[load, word("add", 13, 12, 0)], 3);
        takes(&[load, word("add", 13, 0, 12)], 3);
        takes(&[load, unused, word("add", 13, 12, 12)], 3);
        takes(&[load, word("sw", 10, 12, 4)], 2);
        takes(&[load, addi(12, 0, 1)], 2);
        takes(&[load, word("bne", 12, 0, 8)], 3);
    }
    // As an address it is waited for.
    takes(&[word("sw", 10, 10, 8), word("lw", 12, 10, 8), word("sw", 12, 11, 0)], 4);
    // `hazard3_core.v` compares the numbers in the encoding: of a hint, and of CSRRWI mscratch, 12.
    takes(&[word("lw", 12, 10, 0), addi(0, 12, 1)], 3);
    takes(&[word("lw", 12, 10, 0), 0x3406_5073], 3);
    takes(&[word("lw", 12, 10, 0), 0x3406_d073], 2);
}

/// 3.8.7.2 has 18 and 19; a cycle more: `hazard3_muldiv_seq.v`, measured in Verilator.
#[test]
fn divisions() {
    for name in ["div", "divu", "rem", "remu"] {
        takes(&[addi(12, 0, 100), word(name, 13, 12, 11)], 1 + 19);
        takes(&[addi(12, 0, 100), word(name, 13, 12, 0)], 1 + 19);
    }
    for name in ["div", "rem"] {
        takes(&[addi(12, 0, -7), word(name, 13, 11, 12)], 1 + 19);
        takes(&[addi(12, 0, -100), word(name, 13, 12, 11)], 1 + 20);
        takes(&[addi(12, 0, -100), word(name, 13, 12, 12)], 1 + 20);
        takes(&[addi(12, 0, -100), word(name, 13, 12, 0)], 1 + 20);
    }
    takes(&[addi(12, 0, -100), word("divu", 13, 12, 11), word("add", 14, 13, 13)], 1 + 19 + 1);
}

/// 3.8.7.3 and its footnotes.
#[test]
fn atomic_operations() {
    let (reserve, store) = (word("lr.w", 12, 10, 0), word("sc.w", 13, 10, 11));
    let amo = |d, m| word("amoadd.w", d, 10, m);
    takes(&[amo(12, 11)], 4);
    takes(&[amo(12, 11), word("add", 13, 12, 12)], 5);
    takes(&[amo(12, 11), amo(13, 12)], 8);
    takes(&[reserve, store], 3);
    takes(&[reserve, addi(14, 0, 1), store], 3);
    takes(&[store, word("add", 14, 13, 13)], 3);
    takes(&[reserve, amo(14, 11)], 6);
    takes(&[amo(14, 11), reserve], 5);
}

/// 3.8.7.1 and footnote 1.
#[test]
fn jumps_take_two_cycles_and_three_to_a_split_instruction() {
    let nop = wide(addi(0, 0, 0));
    for taken in [word("beq", 0, 0, 8), word("bge", 0, 0, 8), jal(0, 8)] {
        assert_eq!(cost(&[wide(taken), nop].concat()), 2, "{taken:08x}");
    }
    let over = |distance: i32, rest: &[u16]| {
        cost(&[&wide(word("beq", 0, 0, distance))[..], rest].concat()) - (rest.len() as u64).min(1)
    };
    assert_eq!(over(4, &nop), 2);
    assert_eq!(over(4, &[NOP]), 2);
    assert_eq!(over(6, &[NOP, NOP]), 2);
    assert_eq!(over(6, &[NOP, nop[0], nop[1]]), 3);
    assert_eq!(cost(&wides(&[word("bne", 0, 0, 8)])), 1);
    // FENCE.I
    assert_eq!(cost(&wides(&[0x0000_100f])), 2);
    assert_eq!(cost(&[NOP, 0x100f, 0, nop[0], nop[1]]), 1 + 3 + 1);
}

/// The loop that 3.8.7.10 describes: 52 cycles for 10 bytes.
#[test]
fn the_datasheets_copy_loop() {
    let copy = wides(&[
        word("lbu", 13, 10, 0),
        word("sb", 12, 13, 0),
        addi(10, 10, 1),
        addi(12, 12, 1),
        word("bltu", 12, 14, -16),
    ]);
    let begin = wides(&[addi(12, 10, 0x40), addi(14, 12, 10)]);
    assert_eq!(cost(&[begin, copy].concat()), 2 + 52);
}

/// C.BNEZ a1 back over so many bytes.
fn back(bytes: i32) -> u16 {
    let d = -bytes as u16;
    0xe181 & !0x1c7c
        | (d >> 8 & 1) << 12
        | (d >> 3 & 3) << 10
        | (d >> 6 & 3) << 5
        | (d >> 1 & 3) << 3
        | (d >> 5 & 1) << 2
}

/// 3.8.7.10.1: a loop in one word is not predicted if it was entered by a jump; each pass ends with one.
#[test]
fn a_loop_in_one_word_is_not_predicted() {
    assert_eq!(cost_with(10, &[COUNT, back(2)]), 10 * 3 - 1);
    // With a 32-bit instruction: two cycles, and one more in the first and in the last pass.
    let [low, high] = wide(addi(11, 11, -1));
    assert_eq!(cost_with(10, &[low, high, back(4)]), 10 * 2 + 1 + 1);
    // In two words: the branch is in the second one.
    assert_eq!(cost_with(10, &[NOP, COUNT, back(2)]), 1 + 10 * 2 + 1 + 1);
}

/// `hazard3_frontend.v`: words whose halves do not all count come too slowly for instructions of 32 bits. From the
/// second word of a loop of three instructions, of which the first spans two words and the branch ends in the
/// lower half of one, four words a pass.
#[test]
fn predicted_loops_can_starve() {
    let [low, high] = wide(addi(11, 11, -1));
    let nop = wide(addi(13, 0, 1));
    let branch = wide(word("bne", 0, 11, -8));
    let code = [NOP, low, high, nop[0], nop[1], branch[0], branch[1]];
    // A pass: 3 instructions in 4 words. The first and the last pass lose what jumps lose.
    assert_eq!(cost_with(10, &code), 1 + (3 + 2) + 8 * 4 + (3 + 1));
    // Aligned, it takes 3 cycles.
    assert_eq!(cost_with(10, &code[1..]), (3 + 1) + 8 * 3 + (3 + 1));
}

/// Another branch that is taken backwards is remembered instead; a jump to the word of a branch hides it.
#[test]
fn one_branch_is_remembered() {
    // Two passes of a loop around two passes of a loop: the inner one is remembered again each time.
    let inner = wides(&[addi(12, 0, 2), addi(12, 12, -1), word("bne", 0, 12, -4)]);
    let outer = wides(&[addi(11, 11, -1), word("bne", 0, 11, -16)]);
    // 1 + 1 + 2 + 1 + 2 (predicted, but leaves) + 1 + 2 or 1 cycles.
    assert_eq!(cost_with(2, &[inner, outer].concat()), 10 + 9);
}

/// 3.8.7.8; CM.POPRETZ with one register takes 4 cycles in the source, not 5.
#[test]
fn several_registers() {
    let frame = |registers: u16| (if registers == 13 { 15 } else { registers + 3 }) << 4;
    for registers in (1..=11).chain([13]) {
        let (push, pop) = (0xb802 | frame(registers), 0xba02 | frame(registers));
        assert_eq!(cost(&[push, pop]), 2 * (1 + u64::from(registers)), "{registers}");
        // jal ra, +6; c.j +10; cm.push; cm.popret
        for (pop, least, more) in [(0xbe02, 4, 2), (0xbc02, 4, 3)] {
            let [low, high] = wide(jal(1, 6));
            // mv a5, ra; jal; c.j +6; cm.push; cm.popret; mv ra, a5
            let code = [0x8786, low, high, 0xa019, push, pop | frame(registers), 0x80be];
            let popped = least.max(more + u64::from(registers));
            let expected = 1 + 2 + (1 + u64::from(registers)) + popped + 2 + 1;
            assert_eq!(cost(&code), expected, "{registers}");
        }
    }
    // cm.mva01s s0, s1; cm.mvsa01 s0, s1
    assert_eq!(cost(&[0xac66, 0xac26]), 4);
    // The first move waits for a load, the second does not.
    let load = |d| wide(word("lw", d, 10, 0));
    assert_eq!(cost(&[&load(8)[..], &[0xac66]].concat()), 4);
    assert_eq!(cost(&[&load(9)[..], &[0xac66]].concat()), 3);
}
