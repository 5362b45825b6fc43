//! Decoding as a whole: every halfword decodes to something sensible.

use pennyweight_thumb::core::{Core as _, CortexM0};
use pennyweight_thumb::op::InstructionSet as _;
use pennyweight_thumb::v6m::{Code, V6m};

#[test]
fn the_undefined_halfwords_are_those_of_the_manual() {
    let undefined = |word: u16| V6m::decode(word, 0, 0x100, false).code == Code::Undefined;
    let count = |range: std::ops::RangeInclusive<u16>| range.filter(|&word| undefined(word)).count();
    assert_eq!(count(0x0000..=0x43ff), 0);
    // ADD PC, PC: 1. CMP: two low registers 64, PC on either side 31. MOV PC, PC and MOV SP, PC: 2.
    // BX and BLX: all but 15 each.
    assert_eq!(count(0x4400..=0x44ff), 1);
    assert_eq!(count(0x4500..=0x45ff), 64 + 31);
    assert_eq!(count(0x4600..=0x46ff), 2);
    assert_eq!(count(0x4700..=0x47ff), 256 - 30);
    assert_eq!(count(0x4800..=0xafff), 0);
    // LDM and STM with an empty list.
    assert_eq!(count(0xc000..=0xcfff), 16);
    // UDF.
    assert_eq!(count(0xd000..=0xdfff), 256);
    assert_eq!(count(0xe000..=0xe7ff), 0);
    // ADD SP and SUB SP, extensions, PUSH but one, CPS, reversals, POP but one, BKPT, hints.
    let defined = 256 + 256 + (512 - 1) + 2 + 3 * 64 + (512 - 1) + 256 + 16;
    assert_eq!(count(0xb000..=0xbfff), 0x1000 - defined);
}

#[test]
fn width_follows_the_first_halfword_and_every_executable_instruction_costs_something() {
    let file = pennyweight_bundled::core(CortexM0::MODEL);
    let core = CortexM0::new(&mut file.parameters()).expect("a core");
    for first in 0..=u16::MAX {
        for second in [0u16, 0x8000, 0x8f4f, 0x8800, 0xd000, 0xf800, 0xffff] {
            let op = V6m::decode(first, second, 0x100, false);
            assert_eq!(V6m::width(&op) == 2, V6m::is_wide(first), "{first:04x} {second:04x}");
            let ends = matches!(op.code, Code::Undefined | Code::Trap | Code::Wfi);
            assert_eq!(core.cycles(&op) == 0, ends, "{first:04x} {second:04x}");
        }
    }
}
