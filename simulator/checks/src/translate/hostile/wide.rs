//! Thumb: IT blocks, accesses that are not aligned, tables of offsets.

use pennyweight_machine::Exit;

use super::thumb::{compare_wide, counted, ldr, pointer, BACK, EQ, LR, NE};
use super::{assert_ended, BUDGET};
use crate::thumb::encode::{add, adds, adr, b, b_if, bl, bx, lsls, lsrs, mov, movs, msr, pop, push, subs};

/// Signed: less, greater.
const LT: u16 = 11;
const GT: u16 = 12;
const NOP: u16 = 0xbf00;

/// The condition holds for an instruction, or its opposite.
const T: u16 = 0;
const E: u16 = 1;

/// IT for these instructions, of which the first is `T`.
fn it(condition: u16, instructions: &[u16]) -> u16 {
    let bits = instructions.iter().skip(1).map(|other| (condition & 1) ^ other);
    let mask = bits.fold(0, |mask, bit| mask << 1 | bit);
    0xbf00 | condition << 4 | (mask << 1 | 1) << (4 - instructions.len())
}

/// `CMP rn, #imm`.
fn cmp_imm(rn: u16, imm: u16) -> u16 {
    0x2800 | rn << 8 | imm
}

/// `LDR.W`, `LDRH.W`, `STR.W` and `STRH.W` of rt at [rn, rm].
fn indexed(first: u16, rt: u16, rn: u16, rm: u16) -> [u16; 2] {
    [first | rn, rt << 12 | rm]
}

#[track_caller]
fn assert_returns(code: &[u16]) {
    assert_ended(&compare_wide(code, BUDGET), |exit| *exit == Exit::Returned);
}

/// R0's low bits are in R1, which is compared with 3.
fn compared() -> Vec<u16> {
    vec![lsls(1, 0, 29), lsrs(1, 1, 29), cmp_imm(1, 3)]
}

#[test]
fn it_blocks_set_registers_memory_and_flags() {
    let code = counted(&[&pointer(3)[..], &[movs(2, 0), movs(6, 0)]].concat(), |_| {
        [
            &compared()[..],
            // Moves and sums, which set no flags.
            &[it(LT, &[T, E, T, E]), adds(2, 1), adds(2, 3), mov(4, 2), mov(4, 1)],
            // Loads and stores; the base changes.
            &[it(EQ, &[T, T, E]), 0x601a, ldr(5, 3), adds(6, 1)],
            // A comparison in the middle changes the condition.
            &[it(NE, &[T, T, T]), cmp_imm(1, 5), adds(2, 7), mov(7, 2)],
            // Flags that only some ways set are read afterwards: ADDS.W r7, r7, #1; ADC r2, r6; LSLS.W r7, r2, #9.
            &[it(GT, &[T, T]), 0xf117, 0x0701, 0xea5f, 0x2742, 0x4172],
            // Multiplication, division and SMULL with times of their own.
            &[it(GT, &[T, T, E]), 0xfbb2, 0xf4f1, 0xfb82, 0x7407, 0x4374],
        ]
        .concat()
    });
    assert_returns(&code);
}

#[test]
fn it_blocks_end_in_jumps() {
    // A branch, a call, a return through the stack, a jump through a register, in turn not taken.
    let code = counted(&[], |again| {
        let mut body = compared();
        let at = |body: &Vec<u16>| again + body.len();
        body.extend([it(LT, &[E, T]), adds(2, 1)]);
        body.push(b(at(&body), at(&body) + 2));
        body.extend([adds(2, 5), cmp_imm(1, 4), it(EQ, &[T])]);
        let here = at(&body);
        body.extend(bl(here, here + 4));
        // Around a function, which returns in two ways.
        body.push(b(here + 2, here + 10));
        body.push(NOP);
        body.extend([push(1 << 4, true), cmp_imm(1, 4), it(EQ, &[E, T]), adds(2, 1), pop(1 << 4, true), NOP]);
        // Behind it: an even number of halfwords from here on.
        while at(&body) % 2 != 0 {
            body.push(NOP);
        }
        let here = at(&body);
        body.extend([adr(7, here, here + 6), adds(7, 1), cmp_imm(1, 6), it(GT, &[T]), bx(7), adds(2, 3)]);
        body
    });
    assert_returns(&code);
}

#[test]
fn jumps_lead_into_it_blocks() {
    // Behind the branch, the instructions of the block are executed without a condition.
    let code = counted(&[movs(2, 0)], |again| {
        let mut body = compared();
        let here = again + body.len();
        body.extend([b_if(EQ, here, here + 3), it(LT, &[T, T, E]), adds(2, 1), adds(2, 3), adds(2, 7)]);
        body
    });
    assert_returns(&code);
}

#[test]
fn a_branch_in_the_middle_of_an_it_block_is_interpreted() {
    let code = counted(&[movs(2, 0)], |again| {
        let mut body = compared();
        let here = again + body.len();
        body.extend([it(EQ, &[T, T, T]), adds(2, 1), b(here + 2, here + 5), adds(2, 3), NOP, adds(2, 9)]);
        body
    });
    assert_returns(&code);
}

#[test]
fn flags_that_no_result_has_are_conditions() {
    // N and Z at once, by MSR.
    let code = counted(&[movs(7, 0xc), lsls(7, 7, 28)], |_| {
        [&msr(0, 7)[..], &[it(EQ, &[T, E]), adds(2, 1), adds(2, 3), it(LT, &[T, E]), adds(3, 1), adds(3, 3)]]
            .concat()
    });
    assert_returns(&code);
}

#[test]
fn accesses_need_not_be_aligned() {
    // R1 walks through all alignments; loads from flash too.
    let code = counted(&[&pointer(3)[..], &[movs(1, 0), movs(4, 0)]].concat(), |_| {
        [
            &indexed(0xf840, 0, 3, 1)[..],
            &indexed(0xf850, 5, 3, 1),
            &indexed(0xf820, 5, 3, 1),
            &indexed(0xf830, 6, 3, 1),
            &indexed(0xf930, 7, 3, 1),
            &[add(2, 5), add(2, 6), add(2, 7)],
            &indexed(0xf850, 5, 4, 1),
            &indexed(0xf830, 6, 4, 1),
            &[add(2, 5), add(2, 6), adds(1, 1), lsls(1, 1, 27), lsrs(1, 1, 27)],
        ]
        .concat()
    });
    assert_returns(&code);
}

#[test]
fn an_access_across_the_end_of_ram_faults() {
    // R3 walks to the end of RAM in steps of three.
    for first in [0xf850, 0xf840, 0xf830, 0xf820] {
        let code =
            [&pointer(3)[..], &[movs(1, 0)], &indexed(first, 2, 3, 1), &[adds(3, 3), b(8, 5)]].concat();
        let ended = compare_wide(&code, BUDGET);
        assert!(ended.iter().all(|end| matches!(end.exit, Exit::Fault(_)) && end.blocks > 0), "{ended:?}");
    }
}

#[test]
fn tables_of_offsets_lead_to_many_places() {
    let code = counted(&[movs(2, 0)], |_| {
        let mut body = vec![lsls(1, 0, 30), lsrs(1, 1, 30)];
        // TBB [PC, r1] with four entries; then TBH with four.
        body.extend([0xe8df, 0xf001, 0x0302, 0x0504]);
        body.extend([adds(2, 1), adds(2, 2), adds(2, 3), adds(2, 4)]);
        body.extend([0xe8df, 0xf011, 4, 5, 6, 7]);
        body.extend([adds(2, 1), adds(2, 2), adds(2, 3), adds(2, 4)]);
        body
    });
    assert_returns(&code);
}

#[test]
fn a_table_leads_nowhere() {
    // TBB [PC, r0]: its offsets are beyond the program.
    let code = [&[movs(0, 1), 0xe8df, 0xf000][..], &[0xffff; 2], &[subs(0, 1), bx(LR)]].concat();
    let ended = compare_wide(&code, BUDGET);
    assert!(ended.iter().all(|end| matches!(end.exit, Exit::Fault(_))), "{ended:?}");
}

#[test]
fn a_loop_of_conditional_returns_uses_its_budget_up() {
    // Behind an IT block, the budget is checked.
    let mut code = vec![mov(BACK, LR), movs(2, 0)];
    let again = code.len();
    code.extend([
        cmp_imm(2, 200),
        it(GT, &[T, E]),
        movs(2, 0),
        adds(2, 1),
        cmp_imm(2, 201),
        it(EQ, &[T]),
        bx(BACK),
    ]);
    code.push(b(code.len(), again));
    for budget in (1_000..1_030).chain([50_000, 50_001]) {
        let ended = compare_wide(&code, budget);
        assert!(
            ended.iter().all(|end| matches!(end.exit, Exit::Returned | Exit::OutOfCycles { .. })),
            "{ended:?}"
        );
    }
}
