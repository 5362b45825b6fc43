//! What ends a run: undefined instructions, accesses to where nothing is, sleep.

use pennyweight_machine::{Access, Exit, FaultKind, Machine};

use crate::common::*;

fn fault(program: &[u16], registers: &[(usize, u16)]) -> FaultKind {
    let mut m = prepared(program, registers, &[]);
    let before = m.registers();
    let outcome = m.step();
    match outcome.exit {
        Exit::Fault(fault) => {
            assert_eq!(fault.pc, u32::from(CODE));
            assert_eq!((outcome.cycles, outcome.instructions), (0, 0), "it does not count");
            assert_eq!(m.registers().0[PC], before.0[PC]);
            fault.kind
        }
        exit => panic!("{exit:?} for {program:x?}"),
    }
}

#[test]
fn undefined_instructions() {
    for first in [0x0000, 0x0fff, 0x1301, 0x1380, 0x13ff, 0x1400, 0x1fff, 0x10c5, 0x11c5, 0x12c5] {
        assert_eq!(fault(&[first], &[]), FaultKind::Undefined { opcode: first.into() });
    }
    // Rotating a constant or #N.
    for program in [one(RRC, false, immediate(3)), one(SXT, false, Source(1, 3, None))] {
        assert_eq!(fault(&program, &[]), FaultKind::Undefined { opcode: program[0].into() });
    }
}

#[test]
fn words_at_odd_addresses() {
    let expected = |access| FaultKind::Unaligned { address: 0x1a03, size: 2, access };
    assert_eq!(fault(&two(MOV, false, indirect(6), to(5)), &[(6, 0x1a03)]), expected(Access::Read));
    assert_eq!(fault(&two(MOV, false, r(5), to_indexed(0, 6)), &[(6, 0x1a03)]), expected(Access::Write));
    assert_eq!(fault(&two(ADD, false, r(5), to_indexed(0, 6)), &[(6, 0x1a03)]), expected(Access::Read));
}

/// What the part does, if it is asked for: the lowest bit of a word's address counts for nothing.
#[test]
fn words_at_odd_addresses_where_they_are_allowed() {
    let run = |program: &[u16], allowed: bool| {
        let mut m = prepared(program, &[(5, 0xabcd), (6, 0x1a03)], &[(0x1a02, 0x1234), (0x1a04, 0x5678)]);
        assert!(m.allow_odd_words(allowed));
        let outcome = m.step();
        (outcome.exit, m.registers().0[5], word(&m, 0x1a02), word(&m, 0x1a04))
    };
    let load = two(MOV, false, indirect(6), to(5));
    let store = two(MOV, false, r(5), to_indexed(0, 6));
    let byte = two(MOV, true, r(5), to_indexed(0, 6));
    assert_eq!(run(&load, true), (Exit::Returned, 0x1234, 0x1234, 0x5678));
    assert_eq!(run(&store, true), (Exit::Returned, 0xabcd, 0xabcd, 0x5678));
    assert_eq!(run(&byte, true), (Exit::Returned, 0xabcd, 0xcd34, 0x5678));
    assert!(matches!(run(&load, false).0, Exit::Fault(_)));
    assert!(matches!(run(&store, false).0, Exit::Fault(_)));
    assert_eq!(run(&byte, false), (Exit::Returned, 0xabcd, 0xcd34, 0x5678));
}

#[test]
fn where_nothing_is() {
    for address in [0x0a00u16, 0x0fff, 0x10fe, 0x3900, 0xdffe] {
        let unmapped = |size, access| FaultKind::Unmapped { address: address.into(), size, access };
        let byte = two(MOV, true, indirect(6), to(5));
        assert_eq!(fault(&byte, &[(6, address)]), unmapped(1, Access::Read));
        let store = two(MOV, true, r(5), to_indexed(0, 6));
        assert_eq!(fault(&store, &[(6, address)]), unmapped(1, Access::Write));
    }
    let store = two(MOV, false, r(5), to_indexed(0, 6));
    assert_eq!(fault(&store, &[(6, FLASH)]), FaultKind::FlashWrite { address: FLASH.into() });
    assert_eq!(fault(&store, &[(6, 0xfffe)]), FaultKind::FlashWrite { address: 0xfffe });
}

#[test]
fn jumps_to_where_nothing_is_blame_the_jump() {
    for (program, target) in [
        (two(MOV, false, immediate(0x0010), to(0)), 0x10),
        (two(MOV, false, immediate(0x3900), to(0)), 0x3900),
        (one(CALL, false, immediate(0x0a00)), 0xa00),
        (two(MOV, false, r(5), to(0)), 0x3a00),
    ] {
        let mut m = prepared(&program, &[(5, 0x3a00)], &[]);
        let outcome = m.resume(1000);
        let Exit::Fault(fault) = outcome.exit else { panic!("{:?}", outcome.exit) };
        let kind = FaultKind::Unmapped { address: target, size: 2, access: Access::Execute };
        assert_eq!((fault.kind, fault.pc), (kind, CODE.into()));
        assert_eq!(outcome.instructions, 1, "the jump itself was executed");
    }
}

#[test]
fn nothing_wakes_a_sleeping_cpu() {
    // BIS #CPUOFF, SR; MOV; RETI to a status register with CPUOFF.
    assert_eq!(fault(&two(BIS, false, immediate(0x10), to(2)), &[]), FaultKind::Asleep);
    assert_eq!(fault(&two(MOV, false, immediate(0xd8), to(2)), &[]), FaultKind::Asleep);
    let mut m = prepared(&[0x1300], &[], &[(0x2000, 0x10), (0x2002, CODE)]);
    assert!(matches!(m.step().exit, Exit::Fault(f) if f.kind == FaultKind::Asleep));
}

#[test]
fn pushes_outside_of_ram() {
    let push = one(PUSH, false, r(5));
    assert!(matches!(fault(&push, &[(SP, 0x3902)]), FaultKind::Unmapped { address: 0x3900, .. }));
    assert!(matches!(fault(&push, &[(SP, 0x1100)]), FaultKind::StackOverflow { address: 0x10fe, .. }));
    let mut m = machine(&push);
    m.write(0x1100, &[1, 2]).expect("in RAM");
}

#[test]
fn frames_below_address_0() {
    let overflow = FaultKind::StackOverflow { address: 0, limit: 0 };
    // SP is 0x2000.
    for frame in [0x2002, 0x2200, 0x9000] {
        let negative = 0u16.wrapping_sub(frame);
        assert_eq!(fault(&two(SUB, false, immediate(frame), to(1)), &[]), overflow, "{frame:#x}");
        assert_eq!(fault(&two(SUB, false, r(5), to(1)), &[(5, frame)]), overflow, "{frame:#x}");
        if frame <= 0x8000 {
            assert_eq!(fault(&two(ADD, false, immediate(negative), to(1)), &[]), overflow, "{frame:#x}");
            assert_eq!(fault(&two(ADD, false, r(5), to(1)), &[(5, negative)]), overflow, "{frame:#x}");
        }
    }
    // None of these takes the stack pointer past address 0.
    for (program, pointer) in [
        (two(SUB, false, immediate(0x1000), to(1)), 0x1000),
        (two(SUB, false, immediate(0xfff0), to(1)), 0x2010),
        (two(SUB, false, r(5), to(1)), 0x2010),
        (two(ADD, false, immediate(0x2000), to(1)), 0x4000),
        (two(MOV, false, immediate(0xe000), to(1)), 0xe000),
    ] {
        let mut m = prepared(&program, &[(5, 0xfff0)], &[]);
        step(&mut m);
        assert_eq!(m.registers().0[SP], pointer, "{program:x?}");
    }
}
