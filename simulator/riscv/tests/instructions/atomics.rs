//! LR, SC and AMO; the values are those of the official tests (rv32ua).

use super::assembler::word;
use super::harness::{check, machine, options};
use pennyweight_riscv::registers::Reg;

/// Operation, word in memory, operand, word afterwards.
const CASES: [(&str, u32, u32, u32); 24] = [
    ("amoadd.w", 0x8000_0000, 0xffff_f800, 0x7fff_f800),
    ("amoadd.w", 0x7fff_f800, 0x8000_0000, 0xffff_f800),
    ("amoand.w", 0x8000_0000, 0xffff_f800, 0x8000_0000),
    ("amoand.w", 0x8000_0000, 0x8000_0000, 0x8000_0000),
    ("amoor.w", 0x8000_0000, 0xffff_f800, 0xffff_f800),
    ("amoor.w", 0xffff_f800, 1, 0xffff_f801),
    ("amoxor.w", 0x8000_0000, 0xffff_f800, 0x7fff_f800),
    ("amoxor.w", 0x7fff_f800, 0xc000_0001, 0xbfff_f801),
    ("amoswap.w", 0x8000_0000, 0xffff_f800, 0xffff_f800),
    ("amoswap.w", 0xffff_f800, 0x8000_0000, 0x8000_0000),
    ("amomax.w", 0x8000_0000, 0xffff_f800, 0xffff_f800),
    ("amomax.w", 0, 1, 1),
    ("amomax.w", 1, 0x8000_0000, 1),
    ("amomaxu.w", 0x8000_0000, 0xffff_f800, 0xffff_f800),
    ("amomaxu.w", 0, 0xffff_ffff, 0xffff_ffff),
    ("amomaxu.w", 1, 0, 1),
    ("amomin.w", 0x8000_0000, 0xffff_f800, 0x8000_0000),
    ("amomin.w", 0, 0xffff_ffff, 0xffff_ffff),
    ("amomin.w", 1, 0x8000_0000, 0x8000_0000),
    ("amominu.w", 0x8000_0000, 0xffff_f800, 0x8000_0000),
    ("amominu.w", 0, 0xffff_ffff, 0),
    ("amominu.w", 1, 0, 0),
    ("amomaxu.w", 5, 5, 5),
    ("amoadd.w", 0xffff_ffff, 1, 0),
];

#[test]
fn read_modify_write() {
    for (name, old, operand, new) in CASES {
        let before = format!("x5=80000040 x6={operand:x} [80000040]={old:x}");
        let memory = format!("[80000040]={new:x}");
        check(name, word(name, 7, 5, 6), &before, &format!("x7={old:x} {memory}"), 1);
        check(name, word(name, 6, 5, 6), &before, &format!("x6={old:x} {memory}"), 1);
        check(name, word(name, 5, 5, 6), &before, &format!("x5={old:x} {memory}"), 1);
        check(name, word(name, 0, 5, 6), &before, &memory, 1);
        // Ordering bits change nothing.
        check(name, word(name, 7, 5, 6) | 3 << 25, &before, &format!("x7={old:x} {memory}"), 1);
    }
}

#[test]
fn a_store_without_a_reservation_fails() {
    check("lr.w", word("lr.w", 7, 5, 0), "x5=80000040 [80000040]=11223344", "x7=11223344", 1);
    check("sc.w", word("sc.w", 7, 5, 6), "x5=80000040 x6=1 [80000040]=9", "x7=1", 1);
}

#[test]
fn a_reservation_is_for_one_store_to_its_word() {
    let lr = word("lr.w", 10, 5, 0);
    let sc = |result| word("sc.w", result, 5, 6);
    let elsewhere = word("sc.w", 12, 8, 6);
    let run = |code: &[u32], before: &str| {
        let bytes: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut machine = machine(&bytes, before);
        machine.run_to(super::harness::PC + bytes.len() as u32, &options());
        let r = &machine.state().registers;
        (r[Reg::X11], r[Reg::X12])
    };
    let before = "x5=80000040 x6=7 x8=80000044 x11=55 x12=55";
    assert_eq!(run(&[lr, sc(11), sc(12)], before), (0, 1));
    assert_eq!(run(&[lr, elsewhere, sc(11)], before), (1, 1));
}
