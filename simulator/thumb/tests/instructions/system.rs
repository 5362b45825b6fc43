//! Special registers, hints, barriers.

use super::assembler::assemble;
use super::harness::{check, machine};
use pennyweight_thumb::core::CortexM0;
use pennyweight_thumb::registers::Reg;

#[test]
fn status_register() {
    for name in ["apsr", "iapsr", "eapsr", "xpsr"] {
        check(&format!("mrs r0, {name}"), "NzCv", "r0=a0000000", 4);
        check(&format!("msr {name}, r1"), "r1=5fffffff NzCv", "nZcV", 4);
    }
    for name in ["ipsr", "epsr", "iepsr"] {
        check(&format!("mrs r0, {name}"), "NZCV", "r0=0", 4);
        check(&format!("msr {name}, r1"), "r1=ffffffff nzcv", "", 4);
    }
    check("mrs r12, apsr", "NZCV", "r12=f0000000", 4);
}

#[test]
fn stack_pointers() {
    check("mrs r0, msp", "", "r0=20000800", 4);
    check("mrs r0, psp", "", "r0=0", 4);
    check("msr msp, r1", "r1=20000407", "sp=20000404", 4);

    // PSP = r1; CONTROL = 2; MSP = r2: SP is PSP, and the old SP is MSP until then.
    let code = assemble("msr psp, r1; msr control, r3; mrs r4, msp; msr msp, r2; mrs r5, control");
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
    check("mrs r0, primask", "", "r0=0", 4);
    let code = assemble("cpsid i; mrs r0, primask; cpsie i; mrs r1, primask; msr primask, r2");
    let mut m = machine::<CortexM0>(&code, "r2=3");
    let cycles: Vec<u64> = (0..5).map(|_| m.step().expect("an instruction")).collect();
    assert_eq!(cycles, [1, 4, 1, 4, 4]);
    assert_eq!(m.state().registers[Reg::R0], 1);
    assert_eq!(m.state().registers[Reg::R1], 0);
    assert!(m.state().system.primask);
}

#[test]
fn hints_and_barriers_do_nothing() {
    check("nop", "NZCV", "", 1);
    check("yield", "NZCV", "", 1);
    check(".short 0xbff0: an unallocated hint", "NZCV", "", 1);
    check("dsb", "NZCV", "", 4);
    check("dmb", "NZCV", "", 4);
    check("isb", "NZCV", "", 4);
}

#[test]
fn wfe_uses_up_an_event() {
    let mut m = machine::<CortexM0>(&assemble("sev; wfe; wfe"), "");
    assert_eq!(m.step(), Ok(1));
    assert_eq!(m.step(), Ok(2));
    assert!(m.step().is_err());
}
