//! Compressed instructions: each once and at the ends of its immediate's range; expansions against
//! encodings that GNU as made. The cases of the official test rvc are among them.

use super::assembler::{jal, lui, word};
use super::harness::check_short;
use pennyweight_riscv::decode::expand;

#[test]
fn effects() {
    check_short("c.addi4spn a0, sp, 1020", 0x1fe8, "x2=80000004", "x10=80000400", 1);
    check_short("c.addi16sp -512", 0x7101, "", "x2=80000600", 1);
    check_short("c.addi16sp 496", 0x617d, "", "x2=800009f0", 1);
    check_short("c.lw a0, 124(a1)", 0x5de8, "x11=80000100 [8000017c]=77", "x10=77", 1);
    check_short("c.sw a0, 64(a1)", 0xc1a8, "x11=80000100 x10=88", "[80000140]=88", 1);
    check_short("c.lwsp a0, 252(sp)", 0x557e, "[800008fc]=99", "x10=99", 1);
    check_short("c.swsp a0, 252(sp)", 0xdfaa, "x10=aa", "[800008fc]=aa", 1);
    check_short("c.lui a0, 0xfffe1", 0x7505, "", "x10=fffe1000", 1);
    check_short("c.srai a0, 31", 0x857d, "x10=80000000", "x10=ffffffff", 1);
    check_short("c.sub a0, a1", 0x8d0d, "x10=5 x11=7", "x10=fffffffe", 1);
    check_short("c.nop", 0x0001, "", "", 1);
    check_short("c.j +0xe", 0xa039, "", "pc=2000010e", 4);
    check_short("c.jal +0x7fe", 0x2ffd, "", "x1=20000102 pc=200008fe", 4);
    check_short("c.beqz a0, -256", 0xd101, "x10=0", "pc=20000000", 4);
    check_short("c.beqz a0, -256", 0xd101, "x10=1", "", 1);
    check_short("c.bnez a0, +254", 0xed7d, "x10=1", "pc=200001fe", 4);
    check_short("c.jr a0", 0x8502, "x10=20000180", "pc=20000180", 4);
    check_short("c.jalr a0", 0x9502, "x10=20000180", "x1=20000102 pc=20000180", 4);
    check_short("c.mv a0, a1", 0x852e, "x11=3", "x10=3", 1);
    check_short("c.add a0, a1", 0x952e, "x10=1 x11=3", "x10=4", 1);
    check_short("c.mv sp, s0", 0x8122, "x8=80000400", "x2=80000400", 1);
}

#[test]
fn expansions() {
    let cases: &[(u16, u32)] = &[
        // c.addi s0, -16; c.li a5, -16; c.slli s0, 4; c.srli s0, 12; c.andi s0, -17
        (0x1441, word("addi", 8, 8, -16)),
        (0x57c1, word("addi", 15, 0, -16)),
        (0x0412, word("slli", 8, 8, 4)),
        (0x8031, word("srli", 8, 8, 12)),
        (0x983d, word("andi", 8, 8, -17)),
        // c.xor, c.or, c.and s1, a0
        (0x8ca9, word("xor", 9, 9, 10)),
        (0x8cc9, word("or", 9, 9, 10)),
        (0x8ce9, word("and", 9, 9, 10)),
        // c.lui s0, 1; c.lui s0, 0xfffff
        (0x6405, lui(8, 0x1000)),
        (0x747d, lui(8, 0xffff_f000)),
        // c.j and c.jal at both ends
        (0xb001, jal(0, -2048)),
        (0xaffd, jal(0, 2046)),
        (0x3001, jal(1, -2048)),
        // c.beqz s0, -256; c.bnez a5, 254
        (0xd001, word("beq", 8, 0, -256)),
        (0xeffd, word("bne", 15, 0, 254)),
        // c.lw s0, 4(s1); c.sw a5, 124(a4)
        (0x40c0, word("lw", 8, 9, 4)),
        (0xdf7c, word("sw", 14, 15, 124)),
        // c.addi4spn s0, sp, 4
        (0x0040, word("addi", 8, 2, 4)),
    ];
    for &(half, expected) in cases {
        assert_eq!(expand(half), Some(expected), "{half:04x}: {:08x?}", expand(half));
    }
}
