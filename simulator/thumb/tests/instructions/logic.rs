//! Moves, bitwise operations, extension and byte reversal.

use super::harness::check;

#[test]
fn moves() {
    check("movs r0, #0", "NzCV", "r0=0 nZCV", 1);
    check("movs r7, #255", "NZcv", "r7=ff nzcv", 1);
    check("movs r0, r1", "r1=80000000 nZCV", "r0=80000000 NzCV", 1);
    check("movs r0, r1", "r1=0 nzcv", "r0=0 nZcv", 1);
    check("mov r8, r1", "r1=0 NzCV", "r8=0", 1);
    check("mov r1, r8", "r8=80000000", "r1=80000000", 1);
    check("mov r0, r1", "r1=0 nzcv", "r0=0", 1);
    check("mov r1, pc", "NZCV", "r1=08000104", 1);
    check("mov r1, sp", "", "r1=20000800", 1);
    check("mov lr, r1", "r1=5", "lr=5", 1);
    check("mov r8, r8", "NZCV", "", 1);
}

#[test]
fn bitwise() {
    check("ands r0, r1", "r0=f0f0 r1=ff00 nzCV", "r0=f000 nzCV", 1);
    check("ands r0, r1", "r0=f r1=f0", "r0=0 nZcv", 1);
    check("eors r0, r1", "r0=ff r1=80000000 nzCV", "r0=800000ff NzCV", 1);
    check("eors r0, r0", "r0=ff", "r0=0 nZcv", 1);
    check("orrs r0, r1", "r0=f0 r1=f NZCV", "r0=ff nzCV", 1);
    check("bics r0, r1", "r0=ff r1=f nzcv", "r0=f0", 1);
    check("bics r0, r1", "r0=80000001 r1=1 nzCv", "r0=80000000 NzCv", 1);
    check("mvns r0, r1", "r1=0 nzCV", "r0=ffffffff NzCV", 1);
    check("mvns r0, r1", "r1=ffffffff", "r0=0 nZcv", 1);
    check("tst r0, r1", "r0=80000000 r1=c0000000 nzCV", "NzCV", 1);
    check("tst r0, r1", "r0=1 r1=2 NzCV", "nZCV", 1);
}

#[test]
fn extensions_leave_flags() {
    check("sxtb r0, r1", "r1=12345680 NZCV", "r0=ffffff80", 1);
    check("sxtb r0, r1", "r1=ffffff7f", "r0=7f", 1);
    check("sxth r0, r1", "r1=12348000", "r0=ffff8000", 1);
    check("sxth r0, r1", "r1=ffff7fff", "r0=7fff", 1);
    check("uxtb r0, r1", "r1=ffffff80 nzcv", "r0=80", 1);
    check("uxth r0, r1", "r1=ffff8000", "r0=8000", 1);
    check("uxtb r3, r3", "r3=100", "r3=0", 1);
}

#[test]
fn reversals_leave_flags() {
    check("rev r0, r1", "r1=11223344 NZCV", "r0=44332211", 1);
    check("rev16 r0, r1", "r1=11223344", "r0=22114433", 1);
    check("revsh r0, r1", "r1=11228033", "r0=00003380", 1);
    check("revsh r0, r1", "r1=11223380 nzcv", "r0=ffff8033", 1);
}
