//! Additions, subtractions, comparisons, multiplication, address forming.

use super::harness::check;

#[test]
fn adds_register() {
    check("adds r0, r1, r2", "r1=1 r2=2 NZCV", "r0=3 nzcv", 1);
    check("adds r0, r1, r2", "r1=ffffffff r2=1", "r0=0 nZCv", 1);
    check("adds r0, r1, r2", "r1=7fffffff r2=1", "r0=80000000 NzcV", 1);
    check("adds r0, r1, r2", "r1=80000000 r2=80000000", "r0=0 nZCV", 1);
    check("adds r0, r1, r2", "r1=ffffffff r2=ffffffff", "r0=fffffffe NzCv", 1);
    check("adds r7, r7, r7", "r7=40000000", "r7=80000000 NzcV", 1);
}

#[test]
fn adds_immediate() {
    check("adds r0, r1, #7", "r1=fffffffd", "r0=4 nzCv", 1);
    check("adds r0, r1, #0", "r1=0 NzCV", "r0=0 nZcv", 1);
    check("adds r3, #255", "r3=7fffff01", "r3=80000000 NzcV", 1);
    check("adds r3, #0", "r3=5 NZCV", "r3=5 nzcv", 1);
}

#[test]
fn add_high_registers_leaves_flags() {
    check("add r8, r1", "r8=ffffffff r1=1 NzcV", "r8=0", 1);
    check("add r1, lr", "r1=1", "r1=b0000002", 1);
    check("add r1, sp", "r1=1", "r1=20000801", 1);
    check("add r1, pc", "r1=1", "r1=08000105", 1);
    check("add r0, r1", "r0=80000000 r1=80000000 nzcv", "r0=0", 1);
    check("add lr, r2", "r2=3 NZCV", "lr=b0000004", 1);
}

#[test]
fn adcs() {
    check("adcs r0, r1", "r0=1 r1=2 nzcv", "r0=3 nzcv", 1);
    check("adcs r0, r1", "r0=1 r1=2 nzCv", "r0=4 nzcv", 1);
    check("adcs r0, r1", "r0=ffffffff r1=0 nzCv", "r0=0 nZCv", 1);
    check("adcs r0, r1", "r0=7fffffff r1=0 nzCv", "r0=80000000 NzcV", 1);
    check("adcs r0, r1", "r0=ffffffff r1=ffffffff nzCv", "r0=ffffffff NzCv", 1);
    check("adcs r0, r1", "r0=80000000 r1=7fffffff nzCV", "r0=0 nZCv", 1);
}

#[test]
fn subs_register() {
    check("subs r0, r1, r2", "r1=3 r2=2", "r0=1 nzCv", 1);
    check("subs r0, r1, r2", "r1=2 r2=2", "r0=0 nZCv", 1);
    check("subs r0, r1, r2", "r1=2 r2=3", "r0=ffffffff Nzcv", 1);
    check("subs r0, r1, r2", "r1=80000000 r2=1", "r0=7fffffff nzCV", 1);
    check("subs r0, r1, r2", "r1=7fffffff r2=ffffffff", "r0=80000000 NzcV", 1);
    check("subs r0, r1, r2", "r1=0 r2=80000000", "r0=80000000 NzcV", 1);
}

#[test]
fn subs_immediate() {
    check("subs r0, r1, #7", "r1=6", "r0=ffffffff Nzcv", 1);
    check("subs r0, r1, #0", "r1=0", "r0=0 nZCv", 1);
    check("subs r2, #255", "r2=ff", "r2=0 nZCv", 1);
    check("subs r2, #1", "r2=80000000", "r2=7fffffff nzCV", 1);
}

#[test]
fn sbcs() {
    check("sbcs r0, r1", "r0=5 r1=3 nzCv", "r0=2 nzCv", 1);
    check("sbcs r0, r1", "r0=5 r1=3 nzcv", "r0=1 nzCv", 1);
    check("sbcs r0, r1", "r0=3 r1=3 nzcv", "r0=ffffffff Nzcv", 1);
    check("sbcs r0, r1", "r0=0 r1=ffffffff nzcv", "r0=0 nZcv", 1);
    check("sbcs r0, r1", "r0=80000000 r1=0 nzcv", "r0=7fffffff nzCV", 1);
    check("sbcs r0, r0: the carry as a mask", "r0=12345678 nzcv", "r0=ffffffff Nzcv", 1);
    check("sbcs r0, r0: the carry as a mask", "r0=12345678 nzCv", "r0=0 nZCv", 1);
}

#[test]
fn rsbs() {
    check("rsbs r0, r1, #0", "r1=1", "r0=ffffffff Nzcv", 1);
    check("rsbs r0, r1, #0", "r1=0", "r0=0 nZCv", 1);
    check("rsbs r0, r1, #0", "r1=80000000", "r0=80000000 NzcV", 1);
}

#[test]
fn comparisons() {
    check("cmp r3, #255", "r3=ff", "nZCv", 1);
    check("cmp r3, #1", "r3=0", "Nzcv", 1);
    check("cmp r3, #1", "r3=80000000", "nzCV", 1);
    check("cmp r1, r2", "r1=1 r2=2", "Nzcv", 1);
    check("cmp r1, r2", "r1=2 r2=2", "nZCv", 1);
    check("cmp r8, r1", "r8=5 r1=4", "nzCv", 1);
    check("cmp r1, r9", "r9=5 r1=4", "Nzcv", 1);
    check("cmp sp, lr", "lr=20000800", "nZCv", 1);
    check("cmn r1, r2", "r1=1 r2=ffffffff", "nZCv", 1);
    check("cmn r1, r2", "r1=7fffffff r2=1", "NzcV", 1);
}

#[test]
fn muls_leaves_carry_and_overflow() {
    check("muls r0, r1, r0", "r0=6 r1=7 NZCV", "r0=2a nzCV", 1);
    check("muls r0, r1, r0", "r0=10000 r1=10000 nzcv", "r0=0 nZcv", 1);
    check("muls r0, r1, r0", "r0=ffffffff r1=1 nzcV", "r0=ffffffff NzcV", 1);
    check("muls r0, r1, r0", "r0=ffffffff r1=ffffffff", "r0=1 nzcv", 1);
    check("muls r2, r2, r2", "r2=12345", "r2=4b65f099", 1);
}

#[test]
fn addresses() {
    check("add r1, pc, #0x40", "NZCV", "r1=08000144", 1);
    check("add r1, pc, #0", "", "r1=08000104", 1);
    check("add r2, sp, #1020", "NZCV", "r2=20000bfc", 1);
    check("add r2, sp, #0", "", "r2=20000800", 1);
}
