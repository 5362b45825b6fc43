//! Shifts and rotations: the carry, and amounts of 0, 31, 32, 33 and more.

use super::harness::check;

#[test]
fn lsls_immediate() {
    check("lsls r0, r1, #1", "r1=80000001 nzcV", "r0=2 nzCV", 1);
    check("lsls r0, r1, #31", "r1=3 nzcv", "r0=80000000 NzCv", 1);
    check("lsls r0, r1, #4", "r1=0fffffff nzCv", "r0=fffffff0 Nzcv", 1);
    check("lsls r0, r1, #1", "r1=80000000", "r0=0 nZCv", 1);
}

#[test]
fn lsrs_immediate() {
    check("lsrs r0, r1, #1", "r1=80000001 NzcV", "r0=40000000 nzCV", 1);
    check("lsrs r0, r1, #31", "r1=80000000 nzCv", "r0=1 nzcv", 1);
    check("lsrs r0, r1, #32", "r1=80000000 nzcv", "r0=0 nZCv", 1);
    check("lsrs r0, r1, #32", "r1=7fffffff nzCv", "r0=0 nZcv", 1);
}

#[test]
fn asrs_immediate() {
    check("asrs r0, r1, #1", "r1=80000001", "r0=c0000000 NzCv", 1);
    check("asrs r0, r1, #31", "r1=80000000 nzCV", "r0=ffffffff NzcV", 1);
    check("asrs r0, r1, #32", "r1=80000000 nzcv", "r0=ffffffff NzCv", 1);
    check("asrs r0, r1, #32", "r1=7fffffff nzCv", "r0=0 nZcv", 1);
}

#[test]
fn lsls_register() {
    check("lsls r0, r1: by 0", "r0=80000000 r1=0 nZCV", "r0=80000000 NzCV", 1);
    check("lsls r0, r1: by 0x100", "r0=5 r1=100 NZcv", "r0=5 nzcv", 1);
    check("lsls r0, r1: by 1", "r0=80000001 r1=1", "r0=2 nzCv", 1);
    check("lsls r0, r1: by 31", "r0=3 r1=1f", "r0=80000000 NzCv", 1);
    check("lsls r0, r1: by 32", "r0=1 r1=20 nzcv", "r0=0 nZCv", 1);
    check("lsls r0, r1: by 32", "r0=fffffffe r1=20 nzCv", "r0=0 nZcv", 1);
    check("lsls r0, r1: by 33", "r0=ffffffff r1=21 nzCv", "r0=0 nZcv", 1);
    check("lsls r0, r1: by 255", "r0=ffffffff r1=ff nzCv", "r0=0 nZcv", 1);
    check("lsls r0, r1: by the low byte", "r0=1 r1=ffffff04", "r0=10 nzcv", 1);
    check("lsls r2, r2", "r2=3", "r2=18 nzcv", 1);
}

#[test]
fn lsrs_register() {
    check("lsrs r0, r1: by 0", "r0=80000000 r1=0 nzCv", "r0=80000000 NzCv", 1);
    check("lsrs r0, r1: by 1", "r0=3 r1=1", "r0=1 nzCv", 1);
    check("lsrs r0, r1: by 32", "r0=80000000 r1=20 nzcv", "r0=0 nZCv", 1);
    check("lsrs r0, r1: by 33", "r0=ffffffff r1=21 nzCv", "r0=0 nZcv", 1);
    check("lsrs r0, r1: by 64", "r0=ffffffff r1=40 nzCv", "r0=0 nZcv", 1);
}

#[test]
fn asrs_register() {
    check("asrs r0, r1: by 0", "r0=0 r1=0 NzCv", "r0=0 nZCv", 1);
    check("asrs r0, r1: by 4", "r0=80000008 r1=4", "r0=f8000000 NzCv", 1);
    check("asrs r0, r1: by 32", "r0=80000000 r1=20 nzcv", "r0=ffffffff NzCv", 1);
    check("asrs r0, r1: by 33", "r0=80000000 r1=21 nzcv", "r0=ffffffff NzCv", 1);
    check("asrs r0, r1: by 200", "r0=7fffffff r1=c8 nzCv", "r0=0 nZcv", 1);
}

#[test]
fn rors() {
    check("rors r0, r1: by 0", "r0=80000001 r1=0 nzcv", "r0=80000001 Nzcv", 1);
    check("rors r0, r1: by 1", "r0=80000001 r1=1 nzcv", "r0=c0000000 NzCv", 1);
    check("rors r0, r1: by 8", "r0=11223344 r1=8 nzCv", "r0=44112233 nzcv", 1);
    check("rors r0, r1: by 32", "r0=80000001 r1=20 nzcv", "r0=80000001 NzCv", 1);
    check("rors r0, r1: by 64", "r0=1 r1=40 nzCv", "r0=1 nzcv", 1);
    check("rors r0, r1: by 33", "r0=3 r1=21 nzcv", "r0=80000001 NzCv", 1);
    check("rors r0, r1: by 0x100", "r0=80000000 r1=100 nzcv", "r0=80000000 Nzcv", 1);
}
