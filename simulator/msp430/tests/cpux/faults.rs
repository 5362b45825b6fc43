//! What CPUX does not do, and where no memory is.

use pennyweight_machine::{Access, Exit, Fault, FaultKind};

use crate::parts::*;

fn fault(words: &[u16], registers: &[(usize, u32)]) -> FaultKind {
    let mut m = prepared(words, registers, &[]);
    let outcome = m.step();
    assert_eq!((outcome.cycles, outcome.instructions), (0, 0));
    match outcome.exit {
        Exit::Fault(Fault { kind, pc }) => {
            assert_eq!(pc, u32::from(CODE));
            kind
        }
        exit => panic!("{words:x?}: {exit:?}"),
    }
}

#[test]
fn reserved_codes_are_undefined() {
    for words in [
        // CALLA's reserved codes (section 4.6.1).
        vec![0x13a0],
        vec![0x13c5],
        // RETI with an operand.
        vec![0x1301],
        // Extension words before what has no extended form, and with a reserved size (table 4-11).
        vec![0x1840, 0x1285],
        vec![0x1840, 0x1300],
        vec![0x1840, 0x3c00],
        vec![0x1840, 0x0605],
        vec![0x1840, 0x1840],
        vec![0x1800, 0x5405],
        vec![0x1800, 0x10c5],
        vec![0x1840, 0x10c5],
        // RRAX of a constant.
        vec![0x1840, 0x1113],
        // POPM.W #2, SP, and one that comes to it from above.
        vec![0x1710],
        vec![0x172f],
    ] {
        assert_eq!(fault(&words, &[]), FaultKind::Undefined { opcode: words[0].into() }, "{words:x?}");
    }
}

#[test]
fn there_is_no_memory_above_64_kb() {
    let unmapped = |address, access| FaultKind::Unmapped { address, size: 2, access };
    // MOVA @R6, R5; MOVA R5, 0(R6); MOVX.W &0x23456, R5
    assert_eq!(fault(&[0x0605], &[(6, 0x1_2346)]), unmapped(0x1_2346, Access::Read));
    assert_eq!(fault(&[0x0576, 0], &[(6, 0x1_2346)]), unmapped(0x1_2346, Access::Write));
    let load = twox(MOV, Size::W, Wide(1, 2, Some(0x2_3456)), wide_to(5));
    assert_eq!(fault(&load, &[]), unmapped(0x2_3456, Access::Read));
    // BRA #0x12345, CALLA #0x54320, RETA to there
    assert_eq!(fault(&[0x0180, 0x2344], &[]), unmapped(0x1_2344, Access::Execute));
    assert_eq!(fault(&[0x13b5, 0x4320], &[]), unmapped(0x5_4320, Access::Execute));
    // PUSH with a stack pointer above.
    assert_eq!(fault(&[0x1205], &[(SP, 0x2_0000)]), unmapped(0x1_fffe, Access::Write));
    // The second word of 20 bits.
    assert_eq!(fault(&[0x0605], &[(6, 0xfffe)]), unmapped(0x1_0000, Access::Read));
}

/// In RAM too, where code is decoded during execution, such a branch does not count.
#[test]
fn a_branch_from_ram_above_64_kb_does_not_count() {
    for (words, target) in [([0x0180, 0x2344], 0x1_2344), ([0x13b5, 0x4320], 0x5_4320)] {
        let memory = [(AT, words[0]), (AT + 2, words[1])];
        let mut m = prepared(&[], &[(PC, AT.into())], &memory);
        let outcome = m.step();
        let kind = FaultKind::Unmapped { address: target, size: 2, access: Access::Execute };
        assert_eq!(outcome.exit, Exit::Fault(Fault { kind, pc: AT.into() }));
        assert_eq!((outcome.cycles, outcome.instructions), (0, 0), "{words:x?}");
    }
}

/// A frame larger than the memory below the stack is an overflow with each instruction that makes one.
#[test]
fn frames_past_address_0_overflow_the_stack() {
    let (less, more) = (Wide(3, 0, Some(0x4000)), Wide(3, 0, Some(0xf_c000)));
    for words in [
        twox(SUB, Size::A, less, wide_to(1)),
        twox(SUB, Size::W, less, wide_to(1)),
        twox(ADD, Size::A, more, wide_to(1)),
        // SUBA #0x4000, SP; ADDA #0xfc000, SP
        vec![0x00b1, 0x4000],
        vec![0x0fa1, 0xc000],
    ] {
        assert_eq!(fault(&words, &[]), FaultKind::StackOverflow { address: 0, limit: 0 }, "{words:x?}");
    }
    // A table in flash.
    let mut m = prepared(&[0x0081, 0xf000], &[], &[]);
    step(&mut m);
    assert_eq!(m.registers().0[SP], 0xf000);
}

/// MPY32 takes words only, and neither fractions nor saturation.
#[test]
fn the_multiplier_refuses() {
    for (byte, value, address) in [(true, 5, 0x4c0), (false, 8, 0x4ec), (false, 4, 0x4ec)] {
        let kind = fault(&two(MOV, byte, immediate(value), to_absolute(address)), &[]);
        let size = if byte { 1 } else { 2 };
        assert_eq!(kind, FaultKind::Unmapped { address: address.into(), size, access: Access::Write });
    }
}

#[test]
fn unaligned_words() {
    for words in [vec![0x0605], twox(MOV, Size::A, Wide(2, 6, None), wide_to(5))] {
        let kind = FaultKind::Unaligned { address: 0x2a03, size: 2, access: Access::Read };
        assert_eq!(fault(&words, &[(6, 0x2a03)]), kind);
    }
}
