//! Counters and other control and status registers.

use super::assembler::{csrr, word};
use super::harness::{check, check_fault, machine, options, PC};
use pennyweight_machine::FaultKind;
use pennyweight_riscv::registers::Reg;

#[test]
fn counters_count_cycles_and_instructions() {
    // rdcycle a0; lw, use (two cycles); rdcycle a1; rdinstret a2; rdcycle a3
    let code = [
        csrr(10, 0xc00),
        word("lw", 6, 5, 0),
        word("addi", 6, 6, 1),
        csrr(11, 0xb00),
        csrr(12, 0xc02),
        csrr(13, 0xc80),
    ];
    let bytes: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
    let before = "x5=80000040";
    let mut run = machine(&bytes, before);
    run.run_to(PC + bytes.len() as u32, &options());
    let mut stepped = machine(&bytes, before);
    for _ in code {
        stepped.step().expect("no fault");
    }
    for machine in [run, stepped] {
        let r = &machine.state().registers;
        assert_eq!((r[Reg::X10], r[Reg::X11], r[Reg::X12], r[Reg::X13]), (0, 4, 4, 0));
    }
}

#[test]
fn registers_that_hold_what_is_written() {
    check("csrr x7, misa", csrr(7, 0x301), "", "x7=40001105", 1);
    check("csrr x7, mhartid", csrr(7, 0xf14), "", "x7=0", 1);
    // csrrw x7, mscratch, x5; csrrs x8, mscratch, x6; csrrci x9, mscratch, 5; csrr x10, mscratch
    let code: [u32; 4] = [0x3402_93f3, 0x3403_2473, 0x3402_f4f3, csrr(10, 0x340)];
    let bytes: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut machine = machine(&bytes, "x5=f0 x6=f");
    machine.run_to(PC + 16, &options());
    let r = &machine.state().registers;
    assert_eq!([r[Reg::X7], r[Reg::X8], r[Reg::X9], r[Reg::X10]], [0, 0xf0, 0xff, 0xfa]);
}

#[test]
fn interrupts_are_turned_off_and_back_on() {
    // csrrsi x7, mstatus, 8; csrrci x8, mstatus, 8; csrrw x9, mstatus, x5; csrr x10, mstatus
    let code: [u32; 4] = [0x3004_63f3, 0x3004_7473, 0x3002_94f3, csrr(10, 0x300)];
    let bytes: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut machine = machine(&bytes, "x5=ffffffff");
    machine.run_to(PC + 16, &options());
    let r = &machine.state().registers;
    assert_eq!([r[Reg::X7], r[Reg::X8], r[Reg::X9], r[Reg::X10]], [0x1800, 0x1808, 0x1800, 0x1888]);
}

#[test]
fn registers_that_are_not_there() {
    for word in [csrr(7, 0xc01), csrr(7, 0x304), 0xc002_9373, csrr(2, 0xc00)] {
        check_fault("csr", &word.to_le_bytes(), "", FaultKind::Undefined { opcode: word });
    }
}
