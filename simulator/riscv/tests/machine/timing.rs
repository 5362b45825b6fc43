//! Cycles of sequences: SiFive E31 Core Complex Manual v2p0, section 3.3, latencies; section 3.2,
//! predictions. All figures are those of a second call, when jumps are predicted.

use super::assembler::{jal, word};
use super::program::{addi, booted_on, options, warm, CACHED, FLASH, FUNCTION, RAM, RET};
use pennyweight_machine::{Arg, Machine as _};

/// Cycles of `code` and a return, less the return.
#[track_caller]
fn cost(code: &[u32], expected: u64) {
    let mut code = code.to_vec();
    code.push(RET);
    let outcome = warm(&code, &[Arg::Pointer(RAM + 0x100), Arg::Int(3)]);
    assert_eq!(outcome.exit, pennyweight_machine::Exit::Returned);
    assert_eq!(outcome.cycles - 1, expected, "{code:08x?}");
}

#[test]
fn results_of_loads() {
    let use_it = word("add", 12, 11, 11);
    let other = addi(13, 0, 1);
    for (load, latency) in [("lw", 2), ("lb", 3), ("lbu", 3), ("lh", 3), ("lhu", 3), ("lr.w", 2)] {
        let load = word(load, 11, 10, 0);
        cost(&[load, use_it], latency + 1);
        cost(&[load, other, use_it], latency.max(2) + 1);
        cost(&[load, other, other, use_it], 4);
        // A result that is not read delays nothing; but a write waits too.
        cost(&[load, other], 2);
        cost(&[load, addi(11, 0, 1)], latency + 1);
    }
    // The address and the stored value of a store are operands like others.
    cost(&[word("lw", 11, 10, 0), word("sw", 10, 11, 4)], 3);
}

#[test]
fn multiplications() {
    let mul = |d| word("mul", d, 11, 11);
    cost(&[mul(12), word("add", 13, 12, 12)], 6);
    cost(&[mul(12), addi(14, 0, 1), word("add", 13, 12, 12)], 6);
    cost(&[mul(12), addi(14, 0, 1)], 2);
    // One at a time.
    cost(&[mul(12), mul(13)], 6);
    cost(&[mul(12), mul(13), mul(14)], 11);
    cost(&[word("mulhu", 12, 11, 11), word("mulh", 13, 11, 11), word("add", 14, 13, 13)], 11);
}

#[test]
fn divisions() {
    // 3 / 3: one bit of quotient.
    cost(&[word("divu", 12, 11, 11), addi(13, 0, 1)], 3);
    cost(&[addi(12, 0, -1), addi(13, 0, 1), word("divu", 14, 12, 13)], 2 + 33);
    cost(&[addi(12, 0, -1), addi(13, 0, 1), word("div", 14, 12, 13)], 2 + 2);
    cost(&[addi(12, 0, 255), addi(13, 0, 1), word("remu", 14, 12, 13)], 2 + 9);
    cost(&[word("mul", 12, 11, 11), word("div", 13, 11, 11)], 5 + 2);
}

#[test]
fn results_across_jumps() {
    let load = word("lbu", 11, 10, 0);
    let use_it = word("add", 12, 11, 11);
    let unused = addi(13, 0, 1);
    // A jump that is predicted takes a cycle, in which the load continues.
    cost(&[load, jal(0, 8), unused, use_it], 4);
    // Through two jumps.
    cost(&[load, jal(0, 8), unused, jal(0, 8), unused, use_it], 4);
    // The instruction in front of a target does not matter to who jumps there.
    cost(&[jal(0, 8), load, use_it], 2);
    // A branch that is not taken hides as much as any instruction.
    cost(&[load, word("bne", 0, 0, 8), use_it], 4);
}

#[test]
fn predictions() {
    // The first time each jump is wrong, and so is the return, whose entry is not there either.
    let code = [jal(0, 8), addi(13, 0, 1), RET];
    let mut machine = booted_on(pennyweight_machine::MemoryTiming::ZeroWait, &code);
    assert_eq!(machine.call(FUNCTION, &[], &options()).cycles, 2 + 3 + 3);
    assert_eq!(machine.call(FUNCTION, &[], &options()).cycles, 2);
    // A loop of ten passes: the last branch goes elsewhere than the nine before.
    let code = [addi(12, 0, 10), addi(12, 12, -1), word("bne", 12, 0, -4), RET];
    let mut machine = booted_on(pennyweight_machine::MemoryTiming::ZeroWait, &code);
    for _ in 0..10 {
        machine.call(FUNCTION, &[], &options());
    }
    // What is remembered is the way that the branch last went: wrong at the end, and again when
    // the loop begins again.
    assert_eq!(machine.call(FUNCTION, &[], &options()).cycles, 22 + 3 + 3);
}

/// Returns beyond the return stack's six entries, that to the caller included, are wrong.
#[test]
fn returns_of_nested_calls() {
    let warm = |depth: u32| {
        // mv save, ra; jal ra, the next function; mv ra, save; ret
        let level = |i: u32| [addi(18 + i, 1, 0), jal(1, 12), addi(1, 18 + i, 0), RET];
        let mut code: Vec<u32> = (0..depth).flat_map(level).collect();
        code.push(RET);
        let mut machine = booted_on(pennyweight_machine::MemoryTiming::ZeroWait, &code);
        for _ in 0..4 {
            machine.call(FUNCTION, &[], &options());
        }
        machine.call(FUNCTION, &[], &options()).cycles
    };
    let costs: Vec<u64> = (3..9).map(warm).collect();
    let steps: Vec<u64> = costs.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(steps, [4, 4, 4 + 3, 4 + 3, 4 + 3]);
}

#[test]
fn cache_misses_and_data_reads() {
    // 0x20000100: six instructions in two lines, both in one call's way.
    let code = [addi(12, 0, 1), addi(12, 0, 2), addi(12, 0, 3), addi(12, 0, 4), word("lw", 13, 10, 0), RET];
    let mut machine = booted_on(CACHED, &code);
    let args = [Arg::Pointer(RAM)];
    let cold = machine.call(FUNCTION, &args, &options()).cycles;
    let warm = machine.call(FUNCTION, &args, &options()).cycles;
    assert_eq!((cold, warm), (6 + 2 * 50 + 3, 6));
    let from_flash = machine.call(FUNCTION, &[Arg::Pointer(FLASH)], &options()).cycles;
    assert_eq!(from_flash, 6 + 20);
}
