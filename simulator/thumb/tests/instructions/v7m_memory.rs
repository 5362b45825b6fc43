//! ARMv7-M loads, stores, branches, exclusives: registers, flags, program counter, cycles of a
//! Cortex-M4. Semantics after DDI 0403E, A7.7; cycles after DDI 0439, table 3-1, before an
//! instruction that overlaps with nothing.

use super::harness::check_on;
use pennyweight_thumb::core::CortexM4;

#[track_caller]
fn check(asm: &str, before: &str, after: &str, cycles: u64) {
    check_on::<CortexM4>(asm, before, after, cycles);
}

#[test]
fn loads() {
    check("ldr.w r8, [r1, #4]", "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV", "r8=ccddeeff", 2);
    check(
        "ldr.w r0, [r1, #0xfff]",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r1=1ffff105",
        "r0=ccddeeff",
        2,
    );
    check(
        "ldr r0, [r1, #-4]",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r1=20000104",
        "r0=8899aabb",
        2,
    );
    check(
        "ldr r0, [r1, #4]!",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r0=ccddeeff r1=20000104",
        2,
    );
    check(
        "ldr r0, [r1], #-4",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r0=8899aabb r1=200000fc",
        2,
    );
    check(
        "ldr.w r0, [r1, r2, lsl #2]",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r2=1",
        "r0=ccddeeff",
        2,
    );
    check(
        "ldrb r0, [r1, #1]!",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r0=aa r1=20000101",
        2,
    );
    check(
        "ldrb r0, [r1], #1",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r0=bb r1=20000101",
        2,
    );
    check(
        "ldrb.w r0, [r1, r2, lsl #1]",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r2=2",
        "r0=ff",
        2,
    );
    check(
        "ldrh r0, [r1, #2]!",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r0=8899 r1=20000102",
        2,
    );
    check("ldrh.w r8, [r1, #2]", "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV", "r8=8899", 2);
    check(
        "ldrsb.w r0, [r1, #1]",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r0=ffffffaa",
        2,
    );
    check(
        "ldrsh.w r0, [r1, #4]",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r0=ffffeeff",
        2,
    );
    check(
        "ldrsh r0, [r1], #2",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r0=ffffaabb r1=20000102",
        2,
    );
    check(
        "ldrsb r0, [r1, #-1]!",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r1=20000104",
        "r0=ffffff88 r1=20000103",
        2,
    );
    check(
        "ldrsh.w r0, [r1, r2, lsl #3]",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r2=0",
        "r0=ffffaabb",
        2,
    );
    check("ldr.w r0, [pc, #252]", "", "r0=80000000", 2);
    check("ldrb.w r0, [pc, #261]", "", "r0=0", 2);
    check("ldrsh.w r0, [pc, #254]", "", "r0=ffff8000", 2);
    check("ldrt r0, [r1, #4]", "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV", "r0=ccddeeff", 2);
    check(
        "ldr sp, [r1]",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV [20000100]=20000400",
        "sp=20000400",
        2,
    );
    check("pld [r1]", "r1=1", "", 1);
}

#[test]
fn unaligned_accesses() {
    check(
        "ldr r0, [r1]",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r1=20000101",
        "r0=ff8899aa",
        4,
    );
    check(
        "ldr r0, [r1]",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r1=20000102",
        "r0=eeff8899",
        3,
    );
    check(
        "ldrh r0, [r1]",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r1=20000103",
        "r0=ff88",
        3,
    );
    check(
        "ldr.w r0, [r1], #1",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r1=20000103",
        "r0=ddeeff88 r1=20000104",
        4,
    );
    check("str r0, [r1]", "r0=11223344 r1=20000102", "[20000100]=33440000 [20000104]=1122", 2);
    check("strh r0, [r1]", "r0=3344 r1=20000103", "[20000100]=44000000 [20000104]=33", 2);
    check("str r0, [r1]", "r0=11223344 r1=20000101", "[20000100]=22334400 [20000104]=11", 3);
}

#[test]
fn stores() {
    check("str.w r8, [r1, #4]", "r8=5 r1=20000100", "[20000104]=5", 1);
    check("str r0, [r1, #-4]", "r0=5 r1=20000104", "[20000100]=5", 1);
    check("str r0, [r1, #4]!", "r0=5 r1=20000100", "[20000104]=5 r1=20000104", 1);
    check("str r0, [r1], #4", "r0=5 r1=20000100", "[20000100]=5 r1=20000104", 1);
    check("str.w r0, [r1, r2, lsl #2]", "r0=5 r1=20000100 r2=1", "[20000104]=5", 2);
    check("strb.w r0, [r1, #1]", "r0=1ff r1=20000100", "[20000100]=ff00", 1);
    check("strb r0, [r1], #1", "r0=5 r1=20000100", "[20000100]=5 r1=20000101", 1);
    check("strh r0, [r1, #2]!", "r0=5 r1=20000100", "[20000100]=50000 r1=20000102", 1);
    check("strh.w r0, [r1, r2, lsl #1]", "r0=5 r1=20000100 r2=1", "[20000100]=50000", 2);
    check("str lr, [sp, #-4]!", "", "[200007fc]=b0000001 sp=200007fc", 1);
}

#[test]
fn several_registers() {
    check(
        "ldrd r0, r2, [r1]",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r0=8899aabb r2=ccddeeff",
        3,
    );
    check(
        "ldrd r0, r2, [r1, #8]!",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r1=200000f8",
        "r0=8899aabb r2=ccddeeff r1=20000100",
        3,
    );
    check(
        "ldrd r0, r2, [r1], #-8",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r0=8899aabb r2=ccddeeff r1=200000f8",
        3,
    );
    check("strd r0, r2, [r1, #-8]", "r0=1 r2=2 r1=20000108", "[20000100]=1 [20000104]=2", 3);
    check("strd r0, r2, [r1], #8", "r0=1 r2=2 r1=20000100", "[20000100]=1 [20000104]=2 r1=20000108", 3);
    check(
        "ldm.w r1, {r0, r8}",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r0=8899aabb r8=ccddeeff",
        3,
    );
    check(
        "ldm.w r1!, {r0, r8}",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r0=8899aabb r8=ccddeeff r1=20000108",
        3,
    );
    check(
        "ldmdb r1, {r0, r8}",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r1=20000108",
        "r0=8899aabb r8=ccddeeff",
        3,
    );
    check(
        "ldmdb r1!, {r0, r8}",
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r1=20000108",
        "r0=8899aabb r8=ccddeeff r1=20000100",
        3,
    );
    check("stm.w r1, {r0, r8}", "r0=1 r8=2 r1=20000100", "[20000100]=1 [20000104]=2", 3);
    check("stmdb r1!, {r0, r8}", "r0=1 r8=2 r1=20000108", "[20000100]=1 [20000104]=2 r1=20000100", 3);
    check("push.w {r8, lr}", "r8=7", "sp=200007f8 [200007f8]=7 [200007fc]=b0000001", 3);
    check("pop.w {r4, r8}", "[20000800]=5 [20000804]=6", "r4=5 r8=6 sp=20000808", 3);
    check("pop.w {r8, pc}", "[20000800]=5 [20000804]=8000201", "r8=5 sp=20000808 pc=8000200", 5);
    check("ldr pc, [sp], #4", "[20000800]=8000201", "sp=20000804 pc=8000200", 4);
    check("ldr pc, [r1, r2, lsl #2]", "r1=20000100 r2=1 [20000104]=8000201", "pc=8000200", 4);
}

/// DDI 0337G, table 15-3: which targets the decode stage fetches, and which the execute stage.
#[test]
fn branches() {
    check("b.w .+0x20", "", "pc=8000120", 2);
    check("b.w .-4", "", "pc=80000fc", 2);
    check("beq.w .+0x20: taken", "nZcv", "pc=8000120", 2);
    check("beq.w .+0x20: not taken", "nzcv", "", 1);
    check("bl .+0x20", "", "pc=8000120 lr=8000105", 2);
    check("bx r3", "r3=8000201", "pc=8000200", 3);
    check("blx r3", "r3=8000201", "pc=8000200 lr=8000103", 3);
    check("bx lr", "lr=8000201", "pc=8000200", 2);
    check("blx lr", "lr=8000201", "pc=8000200 lr=8000103", 2);
    check("mov pc, lr", "lr=8000201", "pc=8000200", 2);
    check("cbz r3, .+30: taken", "r3=0", "pc=800011e", 3);
    check("cbz r3, .+30: not taken", "r3=1", "", 1);
    check("cbnz r3, .+30: taken", "r3=1", "pc=800011e", 3);
    check("tbb [r1, r2]", "r1=20000100 r2=1 [20000100]=1000", "pc=8000124", 4);
    check("tbh [r1, r2, lsl #1]", "r1=20000100 r2=1 [20000100]=100000", "pc=8000124", 4);
}

#[test]
fn special() {
    check("mrs r0, apsr", "NzCv q=1 ge=a", "r0=a80a0000", 1);
    check("msr apsr_nzcvq, r1", "r1=580f0000 NzCv", "nZcV q=1", 1);
    check("msr apsr_g, r1", "r1=580f0000 NzCv", "ge=f", 1);
    check("dsb", "", "", 1);
    check("nop.w", "", "", 1);
    check("nop", "", "", 1);
}
