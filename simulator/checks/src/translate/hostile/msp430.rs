//! MSP430: code in RAM, jumps into the middle of instructions and out of memory, code that runs off the end of
//! flash, peripherals through pointers, returns to anywhere.

use pennyweight_machine::{Access, Exit, FaultKind};
use pennyweight_msp430::translator::{Cpu, Cpux, Original};

use super::super::subjects::Msp430Subject;
use super::{assert_ended, Ended, BUDGET, SHORT};
use crate::msp430::Set;

/// Where functions begin.
const ENTRY: u16 = crate::msp430::FLASH;
/// Even addresses in the RAM of both CPUs; no stack reaches so far.
const CODE: u16 = 0x2400;
const COUNT: u16 = 0x2800;

const RET: u16 = 0x4130;
const NOP: u16 = 0x4303;

/// What differs between the CPUs.
#[derive(Clone, Copy)]
struct Part {
    /// The first address of the multiplier.
    multiplier: u16,
    /// One past the last address of RAM.
    ram_end: u16,
}

/// As [`super::compare`], on both CPUs.
#[track_caller]
fn compare_on_each(code: impl Fn(Part) -> Vec<u16>, budget: u64) -> Vec<Ended> {
    fn one<X: Cpu>(code: &[u16], budget: u64) -> Vec<Ended> {
        let bytes: Vec<u8> = code.iter().copied().flat_map(u16::to_le_bytes).collect();
        Msp430Subject::<X>::all().iter().map(|subject| super::compare(subject, &bytes, budget)).collect()
    }
    let part = |set: Set, multiplier| Part { multiplier, ram_end: set.ram().1 };
    let original = one::<Original>(&code(part(Set::Original, 0x0130)), budget);
    let extended = one::<Cpux>(&code(part(Set::Cpux, 0x04c0)), budget);
    [original, extended].concat()
}

/// The same, of one function.
#[track_caller]
fn compare(code: &[u16], budget: u64) -> Vec<Ended> {
    compare_on_each(|_| code.to_vec(), budget)
}

/// MOV #x, Rn.
fn set(n: u16, x: u16) -> [u16; 2] {
    [0x4030 | n, x]
}

/// MOV #x, &address.
fn put(address: u16, x: u16) -> [u16; 3] {
    [0x40b2, x, address]
}

/// BR #address.
fn go(address: u16) -> [u16; 2] {
    [0x4030, address]
}

/// The body is repeated 1,000 times; then it is the end, and `rest`. `body` is given the address where it begins.
fn counted(start: &[u16], body: impl FnOnce(u16) -> Vec<u16>, rest: &[u16]) -> Vec<u16> {
    let mut code = put(COUNT, 1000).to_vec();
    code.extend(start);
    let again = ENTRY + 2 * code.len() as u16;
    code.extend(body(again));
    // SUB #1, &COUNT; JEQ over BR.
    code.extend([0x8392, COUNT, 0x2402]);
    code.extend(go(again));
    code.extend(rest);
    code
}

#[track_caller]
fn assert_returns(code: &[u16]) {
    assert_ended(&compare(code, BUDGET), |exit| *exit == Exit::Returned);
}

#[test]
fn code_in_ram_that_changes_is_interpreted() {
    // ADD #1, R12 and ADD #2, R12 in turn, which the loop writes and calls.
    let start = [&set(4, 0x531c)[..], &set(5, 0x0030), &put(CODE + 2, RET)].concat();
    let body = |_| vec![0x4482, CODE, 0xe504, 0x12b0, CODE];
    assert_returns(&counted(&start, body, &[RET]));
}

#[test]
fn jumps_go_into_the_middle_of_instructions_in_turn() {
    // The second word of MOV #0x531c, R13 is ADD #1, R12.
    let start = [set(6, 0), set(7, 2)].concat();
    let body = |at: u16| {
        let target = at + 10;
        [&set(10, target)[..], &[0x560a, 0xe706, 0x4a00], &[0x403d, 0x531c]].concat()
    };
    assert_returns(&counted(&start, body, &[RET]));
}

#[test]
fn calls_of_computed_places_return() {
    let body = |at: u16| {
        // MOV #callee, R10; CALL R10; CALL #callee; JMP over the callee: ADD R12, R13; RET.
        let callee = at + 12;
        [&set(10, callee)[..], &[0x128a, 0x12b0, callee, 0x3c02, 0x5c0d, RET]].concat()
    };
    assert_returns(&counted(&[], body, &[RET]));
}

#[test]
fn a_product_by_the_compilers_library_returns_from_an_interrupt() {
    let code = |part: Part| {
        let body = |at: u16| {
            // CALL #callee; JMP over the callee: PUSH SR; DINT; NOP; MOV; MOV; MOV; RETI.
            let callee = at + 6;
            let product =
                [0x4c82, part.multiplier, 0x4d82, part.multiplier + 8, 0x421c, part.multiplier + 10];
            [&[0x12b0, callee, 0x3c0a, 0x1202, 0xc232, NOP][..], &product, &[0x1300]].concat()
        };
        counted(&[], body, &[RET])
    };
    let ended = compare_on_each(code, BUDGET);
    // It never leaves for the interpreter but where it begins.
    assert!(ended.iter().all(|end| end.exit == Exit::Returned && (1..20).contains(&end.runs)), "{ended:?}");
}

#[test]
fn a_jump_to_what_follows_is_none() {
    let body = |at: u16| {
        // MOV #next, R10; BR R10; MOV #next, &CODE; BR &CODE; CALL &CODE + 2, and take the address away again.
        let mut code = [&set(10, at + 6)[..], &[0x4a00]].concat();
        code.extend(put(CODE, at + 16));
        code.extend([0x4210, CODE]);
        code.extend(put(CODE + 2, at + 26));
        code.extend([0x1292, CODE + 2, 0x5321]);
        code
    };
    for budget in (7_000..7_010).chain([BUDGET]) {
        let ended = compare(&counted(&[], body, &[RET]), budget);
        assert!(ended.iter().all(|end| end.blocks > 0), "{ended:?}");
    }
}

#[test]
fn a_loop_that_uses_peripherals_takes_turns() {
    // ADD R12, &0x120; MOV &0x120, R13; DADD R12, R13.
    assert_returns(&counted(&[], |_| vec![0x5c82, 0x0120, 0x421d, 0x0120, 0xac0d], &[RET]));
}

#[test]
fn peripherals_through_pointers_are_left_to_the_interpreter() {
    for address in [0x0120, 0x0130, 0x0138] {
        // MOV R12, 0(R10); MOV @R10, R13.
        let code = counted(&set(10, address), |_| vec![0x4c8a, 0, 0x4a2d], &[RET]);
        let ended = compare(&code, BUDGET);
        assert!(ended.iter().all(|end| end.blocks > 0), "{ended:?}");
    }
}

#[test]
fn products_are_those_of_the_multiplier() {
    for mode in [0, 2, 4, 6] {
        // MOV R12, &MPY + mode; MOV R13, &OP2; MOV &RESLO, R12; ADD &RESHI, R13; XOR &SUMEXT, R12.
        let code = |part: Part| {
            let at = |offset: u16| part.multiplier + offset;
            let body = |_| {
                let writes = [[0x4c82, at(mode)], [0x4d82, at(8)]];
                let reads = [[0x421c, at(10)], [0x521d, at(12)], [0xe21c, at(14)]];
                [writes.concat(), reads.concat()].concat()
            };
            counted(&[set(12, 0xfedc), set(13, 0x8765)].concat(), body, &[RET])
        };
        let ended = compare_on_each(code, BUDGET);
        assert!(ended.iter().all(|end| end.blocks > 0 && end.exit == Exit::Returned), "{ended:?}");
    }
}

#[test]
fn pushes_without_end_overflow_the_stack() {
    let code = counted(&[], |at| vec![0x120c, 0x120d, 0x12b0, at], &[]);
    let ended = compare(&code, BUDGET);
    let is_overflow = |end: &Ended| matches!(end.exit, Exit::Fault(fault) if matches!(fault.kind, FaultKind::StackOverflow { .. }));
    assert!(ended.iter().all(is_overflow), "{ended:?}");
}

#[test]
fn frames_larger_than_the_memory_overflow_the_stack() {
    for frame in [0x2000u16, 0x4000, 0xc000] {
        let code = counted(&[], |_| vec![0x5c0d], &[0x8031, frame, 0x4381, 0, 0x5031, frame, RET]);
        let ended = compare(&code, BUDGET);
        assert!(ended.iter().all(|end| end.blocks > 0), "{ended:?}");
        assert!(ended.iter().any(|end| matches!(end.exit, Exit::Fault(_))), "{ended:?}");
    }
}

#[test]
fn jumps_out_of_memory_fault_after_many_cycles() {
    // By a number, by a register, by a return, by a call; to peripherals, behind RAM, to odd addresses.
    for target in [0x0101u16, 0x3f00] {
        let [_, word] = set(10, target);
        let away = [
            vec![0x4030, target],
            vec![0x403a, word, 0x4a00],
            vec![0x1230, target, RET],
            vec![0x12b0, target],
            vec![0x403a, word, 0x128a],
            // With code in between, to which a jump that is not taken leads.
            vec![0x403a, word, 0x930a, 0x2401, NOP, 0x4a00],
        ];
        for away in away {
            let code = counted(&[], |_| vec![0x5c0d], &away);
            let ended = compare(&code, BUDGET);
            let is_jump = |end: &Ended| {
                matches!(end.exit, Exit::Fault(fault)
                    if matches!(fault.kind, FaultKind::Unmapped { access: Access::Execute, .. }))
            };
            assert!(ended.iter().all(|end| end.blocks > 0 && is_jump(end)), "{ended:?}");
        }
    }
}

#[test]
fn the_jump_is_to_blame_that_led_to_code_which_runs_off_memory() {
    // Into erased flash, which runs on to its end; into RAM, from which code in RAM runs on.
    for target in [0xff00, 0] {
        for way in 0..3 {
            let code = |part: Part| {
                let last = part.ram_end - 8;
                let target = if target == 0 { last } else { target };
                let away = [vec![0x4030, target], vec![0x403a, target, 0x4a00], vec![0x1230, target, RET]];
                // NOPs up to the word where the return address is, which is one as well.
                let ram = [0, 2, 4, 6].map(|offset| put(last + offset, NOP)).concat();
                counted(&ram, |_| vec![0x5c0d], &away[way])
            };
            let ended = compare_on_each(code, BUDGET);
            assert!(
                ended.iter().all(|end| end.blocks > 0 && matches!(end.exit, Exit::Fault(_))),
                "{ended:?}"
            );
        }
    }
}

#[test]
fn reads_through_the_stack_pointer_and_of_flash_end_as_in_the_interpreter() {
    // The stack pointer reads a table in flash: MOV SP, R11; MOV #table, SP; ADD @SP+, R12; MOV R11, SP.
    let body = |_| [&[0x410b][..], &set(1, ENTRY), &[0x513c, 0x4b01]].concat();
    let ended = compare(&counted(&[], body, &[RET]), BUDGET);
    assert!(ended.iter().all(|end| end.blocks > 0 && end.exit == Exit::Returned), "{ended:?}");
    // MOV #table, R10; ADD @R10+, R12; XOR 4(R10), R13; CMP &table, R12; CMP R12, &table.
    let body = |_| [&set(10, ENTRY)[..], &[0x5a3c, 0xea1d, 4, 0x921c, ENTRY, 0x9c82, ENTRY]].concat();
    assert_returns(&counted(&[], body, &[RET]));
}

#[test]
fn writes_to_flash_fault() {
    let code = counted(&set(10, ENTRY), |_| vec![0x5c0d], &[0x4c8a, 0, RET]);
    let ended = compare(&code, BUDGET);
    let is_write = |end: &Ended| matches!(end.exit, Exit::Fault(fault) if matches!(fault.kind, FaultKind::FlashWrite { .. }));
    assert!(ended.iter().all(|end| end.blocks > 0 && is_write(end)), "{ended:?}");
}

#[test]
fn a_loop_without_end_uses_its_budget_up() {
    let code = [0x5c0d, 0x2400, 0x3ffd];
    for budget in (1_000..1_012).chain([SHORT, SHORT + 1]) {
        let ended = compare(&code, budget);
        assert!(ended.iter().all(|end| matches!(end.exit, Exit::OutOfCycles { .. })), "{ended:?}");
    }
}

#[test]
fn the_cpu_stops_where_the_interpreter_stops() {
    // BIS #0x10, SR; POP SR with that bit set.
    for stop in [vec![0xd032, 0x10], vec![0x1230, 0x18, 0x4132]] {
        let code = counted(&[], |_| vec![0x5c0d], &stop);
        let ended = compare(&code, BUDGET);
        let is_asleep =
            |end: &Ended| matches!(end.exit, Exit::Fault(fault) if fault.kind == FaultKind::Asleep);
        assert!(ended.iter().all(|end| end.blocks > 0 && is_asleep(end)), "{ended:?}");
    }
}
