//! Special registers, hints, barriers.

use super::harness::{check, machine};
use pennyweight_thumb::core::CortexM0;
use pennyweight_thumb::registers::Reg;

#[test]
fn status_register() {
    for number in 0..4u16 {
        check("mrs r0, xpsr", &[0xf3ef, 0x8000 | number], "NzCv", "r0=a0000000", 4);
        check("msr xpsr, r1", &[0xf381, 0x8800 | number], "r1=5fffffff NzCv", "nZcV", 4);
    }
    for number in 5..8u16 {
        check("mrs r0, ipsr", &[0xf3ef, 0x8000 | number], "NZCV", "r0=0", 4);
        check("msr ipsr, r1", &[0xf381, 0x8800 | number], "r1=ffffffff nzcv", "", 4);
    }
    check("mrs r12, apsr", &[0xf3ef, 0x8c00], "NZCV", "r12=f0000000", 4);
}

#[test]
fn stack_pointers() {
    check("mrs r0, msp", &[0xf3ef, 0x8008], "", "r0=20000800", 4);
    check("mrs r0, psp", &[0xf3ef, 0x8009], "", "r0=0", 4);
    check("msr msp, r1", &[0xf381, 0x8808], "r1=20000407", "sp=20000404", 4);

    // PSP = r1; CONTROL = 2; MSP = r2: SP is PSP, and the old SP is MSP until then.
    let code = [0xf381, 0x8809, 0xf383, 0x8814, 0xf3ef, 0x8408, 0xf382, 0x8808, 0xf3ef, 0x8514];
    let mut m = machine::<CortexM0>(&code, "r1=20000403 r2=20000600 r3=2");
    for _ in 0..3 {
        m.step().expect("a move");
    }
    assert_eq!(m.state().registers[Reg::Sp], 0x2000_0400);
    assert_eq!(m.state().registers[Reg::R4], 0x2000_0800);
    m.step().expect("a move");
    m.step().expect("a move");
    assert_eq!(m.state().registers[Reg::Sp], 0x2000_0400);
    assert_eq!(m.state().registers[Reg::R5], 2);
}

#[test]
fn interrupt_mask() {
    check("mrs r0, primask", &[0xf3ef, 0x8010], "", "r0=0", 4);
    let mut m =
        machine::<CortexM0>(&[0xb672, 0xf3ef, 0x8010, 0xb662, 0xf3ef, 0x8110, 0xf382, 0x8810], "r2=3");
    let cycles: Vec<u64> = (0..5).map(|_| m.step().expect("an instruction")).collect();
    assert_eq!(cycles, [1, 4, 1, 4, 4]);
    assert_eq!(m.state().registers[Reg::R0], 1);
    assert_eq!(m.state().registers[Reg::R1], 0);
    assert!(m.state().system.primask);
}

#[test]
fn hints_and_barriers_do_nothing() {
    check("nop", &[0xbf00], "NZCV", "", 1);
    check("yield", &[0xbf10], "NZCV", "", 1);
    check("an unallocated hint", &[0xbff0], "NZCV", "", 1);
    check("dsb", &[0xf3bf, 0x8f4f], "NZCV", "", 4);
    check("dmb", &[0xf3bf, 0x8f5f], "NZCV", "", 4);
    check("isb", &[0xf3bf, 0x8f6f], "NZCV", "", 4);
}

#[test]
fn wfe_uses_up_an_event() {
    let mut m = machine::<CortexM0>(&[0xbf40, 0xbf20, 0xbf20], "");
    assert_eq!(m.step(), Ok(1));
    assert_eq!(m.step(), Ok(2));
    assert!(m.step().is_err());
}
