//! LUI, AUIPC, hints, fences.

use super::assembler::{auipc, lui, word};
use super::harness::check;

#[test]
fn upper_immediates() {
    // The values of the official tests lui and auipc.
    check("lui x7, 0", lui(7, 0), "", "x7=0", 1);
    check("lui x7, 0xfffff", lui(7, 0xffff_f000), "", "x7=fffff000", 1);
    check("lui x7, 0x7ffff", lui(7, 0x7fff_f000), "", "x7=7ffff000", 1);
    check("lui x7, 0x80000", lui(7, 0x8000_0000), "", "x7=80000000", 1);
    check("auipc x7, 1", auipc(7, 0x1000), "", "x7=20001100", 1);
    check("auipc x7, -1", auipc(7, 0xffff_f000), "", "x7=1ffff100", 1);
    check("auipc x0, 1", auipc(0, 0x1000), "", "", 1);
}

#[test]
fn the_stack_pointer_is_a_register_like_others() {
    check("lui sp, 0x80000", lui(2, 0x8000_0000), "", "x2=80000000", 1);
    check("auipc sp, 0x60001", auipc(2, 0x6000_1000), "", "x2=80001100", 1);
    check("addi sp, sp, -16", word("addi", 2, 2, -16), "", "x2=800007f0", 1);
    check("addi sp, x8, 0", word("addi", 2, 8, 0), "x8=80000400", "x2=80000400", 1);
    check("add sp, sp, x8", word("add", 2, 2, 8), "x8=fffffff0", "x2=800007f0", 1);
    check("sub sp, sp, x8", word("sub", 2, 2, 8), "x8=10", "x2=800007f0", 1);
    check("andi sp, sp, -32", word("andi", 2, 2, -32), "x2=800007f4", "x2=800007e0", 1);
    check("mul sp, x8, x9", word("mul", 2, 8, 9), "x8=40000001 x9=2", "x2=80000002", 1);
}

#[test]
fn fences_and_hints_do_nothing() {
    check("fence", 0x0ff0_000f, "", "", 1);
    check("fence.tso", 0x8330_000f, "", "", 1);
    check("fence.i", 0x0000_100f, "", "", 1);
    check("slt x0, x5, x6: a hint", word("slt", 0, 5, 6), "", "", 1);
}
