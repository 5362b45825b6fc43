//! ARMv7-M loads, stores, branches, exclusives: registers, flags, program counter, cycles of a
//! Cortex-M4. Semantics after DDI 0403E, A7.7; cycles after DDI 0439, table 3-1, before an
//! instruction that overlaps with nothing.

use super::harness::check_on;
use pennyweight_thumb::core::CortexM4;

#[track_caller]
fn check(asm: &str, code: &[u16], before: &str, after: &str, cycles: u64) {
    check_on::<CortexM4>(asm, code, before, after, cycles);
}

#[test]
fn loads() {
    check(
        "ldr.w r8, [r1, #4]",
        &[0xf8d1, 0x8004],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r8=ccddeeff",
        2,
    );
    check(
        "ldr.w r0, [r1, #0xfff]",
        &[0xf8d1, 0x0fff],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r1=1ffff105",
        "r0=ccddeeff",
        2,
    );
    check(
        "ldr r0, [r1, #-4]",
        &[0xf851, 0x0c04],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r1=20000104",
        "r0=8899aabb",
        2,
    );
    check(
        "ldr r0, [r1, #4]!",
        &[0xf851, 0x0f04],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r0=ccddeeff r1=20000104",
        2,
    );
    check(
        "ldr r0, [r1], #-4",
        &[0xf851, 0x0904],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r0=8899aabb r1=200000fc",
        2,
    );
    check(
        "ldr.w r0, [r1, r2, lsl #2]",
        &[0xf851, 0x0022],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r2=1",
        "r0=ccddeeff",
        2,
    );
    check(
        "ldrb r0, [r1, #1]!",
        &[0xf811, 0x0f01],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r0=aa r1=20000101",
        2,
    );
    check(
        "ldrb r0, [r1], #1",
        &[0xf811, 0x0b01],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r0=bb r1=20000101",
        2,
    );
    check(
        "ldrb.w r0, [r1, r2, lsl #1]",
        &[0xf811, 0x0012],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r2=2",
        "r0=ff",
        2,
    );
    check(
        "ldrh r0, [r1, #2]!",
        &[0xf831, 0x0f02],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r0=8899 r1=20000102",
        2,
    );
    check(
        "ldrh.w r8, [r1, #2]",
        &[0xf8b1, 0x8002],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r8=8899",
        2,
    );
    check(
        "ldrsb.w r0, [r1, #1]",
        &[0xf991, 0x0001],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r0=ffffffaa",
        2,
    );
    check(
        "ldrsh.w r0, [r1, #4]",
        &[0xf9b1, 0x0004],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r0=ffffeeff",
        2,
    );
    check(
        "ldrsh r0, [r1], #2",
        &[0xf931, 0x0b02],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r0=ffffaabb r1=20000102",
        2,
    );
    check(
        "ldrsb r0, [r1, #-1]!",
        &[0xf911, 0x0d01],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r1=20000104",
        "r0=ffffff88 r1=20000103",
        2,
    );
    check(
        "ldrsh.w r0, [r1, r2, lsl #3]",
        &[0xf931, 0x0032],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r2=0",
        "r0=ffffaabb",
        2,
    );
    check(".short 0xf8df, 0x00fc: ldr.w r0, literal", &[0xf8df, 0x00fc], "", "r0=80000000", 2);
    check(".short 0xf89f, 0x0105: ldrb.w r0, literal", &[0xf89f, 0x0105], "", "r0=0", 2);
    check(".short 0xf9bf, 0x00fe: ldrsh.w r0, literal", &[0xf9bf, 0x00fe], "", "r0=ffff8000", 2);
    check(
        "ldrt r0, [r1, #4]",
        &[0xf851, 0x0e04],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r0=ccddeeff",
        2,
    );
    check(
        "ldr sp, [r1]",
        &[0xf8d1, 0xd000],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV [20000100]=20000400",
        "sp=20000400",
        2,
    );
    check("pld [r1]", &[0xf891, 0xf000], "r1=1", "", 1);
}

#[test]
fn unaligned_accesses() {
    check(
        "ldr r0, [r1]",
        &[0x6808],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r1=20000101",
        "r0=ff8899aa",
        4,
    );
    check(
        "ldr r0, [r1]",
        &[0x6808],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r1=20000102",
        "r0=eeff8899",
        3,
    );
    check(
        "ldrh r0, [r1]",
        &[0x8808],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r1=20000103",
        "r0=ff88",
        3,
    );
    check(
        "ldr.w r0, [r1], #1",
        &[0xf851, 0x0b01],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r1=20000103",
        "r0=ddeeff88 r1=20000104",
        4,
    );
    check("str r0, [r1]", &[0x6008], "r0=11223344 r1=20000102", "[20000100]=33440000 [20000104]=1122", 2);
    check("strh r0, [r1]", &[0x8008], "r0=3344 r1=20000103", "[20000100]=44000000 [20000104]=33", 2);
    check("str r0, [r1]", &[0x6008], "r0=11223344 r1=20000101", "[20000100]=22334400 [20000104]=11", 3);
}

#[test]
fn stores() {
    check("str.w r8, [r1, #4]", &[0xf8c1, 0x8004], "r8=5 r1=20000100", "[20000104]=5", 1);
    check("str r0, [r1, #-4]", &[0xf841, 0x0c04], "r0=5 r1=20000104", "[20000100]=5", 1);
    check("str r0, [r1, #4]!", &[0xf841, 0x0f04], "r0=5 r1=20000100", "[20000104]=5 r1=20000104", 1);
    check("str r0, [r1], #4", &[0xf841, 0x0b04], "r0=5 r1=20000100", "[20000100]=5 r1=20000104", 1);
    check("str.w r0, [r1, r2, lsl #2]", &[0xf841, 0x0022], "r0=5 r1=20000100 r2=1", "[20000104]=5", 2);
    check("strb.w r0, [r1, #1]", &[0xf881, 0x0001], "r0=1ff r1=20000100", "[20000100]=ff00", 1);
    check("strb r0, [r1], #1", &[0xf801, 0x0b01], "r0=5 r1=20000100", "[20000100]=5 r1=20000101", 1);
    check("strh r0, [r1, #2]!", &[0xf821, 0x0f02], "r0=5 r1=20000100", "[20000100]=50000 r1=20000102", 1);
    check("strh.w r0, [r1, r2, lsl #1]", &[0xf821, 0x0012], "r0=5 r1=20000100 r2=1", "[20000100]=50000", 2);
    check("str lr, [sp, #-4]!", &[0xf84d, 0xed04], "", "[200007fc]=b0000001 sp=200007fc", 1);
}

#[test]
fn several_registers() {
    check(
        "ldrd r0, r2, [r1]",
        &[0xe9d1, 0x0200],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r0=8899aabb r2=ccddeeff",
        3,
    );
    check(
        "ldrd r0, r2, [r1, #8]!",
        &[0xe9f1, 0x0202],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r1=200000f8",
        "r0=8899aabb r2=ccddeeff r1=20000100",
        3,
    );
    check(
        "ldrd r0, r2, [r1], #-8",
        &[0xe871, 0x0202],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r0=8899aabb r2=ccddeeff r1=200000f8",
        3,
    );
    check(
        "strd r0, r2, [r1, #-8]",
        &[0xe941, 0x0202],
        "r0=1 r2=2 r1=20000108",
        "[20000100]=1 [20000104]=2",
        3,
    );
    check(
        "strd r0, r2, [r1], #8",
        &[0xe8e1, 0x0202],
        "r0=1 r2=2 r1=20000100",
        "[20000100]=1 [20000104]=2 r1=20000108",
        3,
    );
    check(
        "ldm.w r1, {r0, r8}",
        &[0xe891, 0x0101],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r0=8899aabb r8=ccddeeff",
        3,
    );
    check(
        "ldm.w r1!, {r0, r8}",
        &[0xe8b1, 0x0101],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV",
        "r0=8899aabb r8=ccddeeff r1=20000108",
        3,
    );
    check(
        "ldmdb r1, {r0, r8}",
        &[0xe911, 0x0101],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r1=20000108",
        "r0=8899aabb r8=ccddeeff",
        3,
    );
    check(
        "ldmdb r1!, {r0, r8}",
        &[0xe931, 0x0101],
        "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV r1=20000108",
        "r0=8899aabb r8=ccddeeff r1=20000100",
        3,
    );
    check("stm.w r1, {r0, r8}", &[0xe881, 0x0101], "r0=1 r8=2 r1=20000100", "[20000100]=1 [20000104]=2", 3);
    check(
        "stmdb r1!, {r0, r8}",
        &[0xe921, 0x0101],
        "r0=1 r8=2 r1=20000108",
        "[20000100]=1 [20000104]=2 r1=20000100",
        3,
    );
    check("push.w {r8, lr}", &[0xe92d, 0x4100], "r8=7", "sp=200007f8 [200007f8]=7 [200007fc]=b0000001", 3);
    check("pop.w {r4, r8}", &[0xe8bd, 0x0110], "[20000800]=5 [20000804]=6", "r4=5 r8=6 sp=20000808", 3);
    check(
        "pop.w {r8, pc}",
        &[0xe8bd, 0x8100],
        "[20000800]=5 [20000804]=8000201",
        "r8=5 sp=20000808 pc=8000200",
        5,
    );
    check("ldr pc, [sp], #4", &[0xf85d, 0xfb04], "[20000800]=8000201", "sp=20000804 pc=8000200", 4);
    check(
        "ldr pc, [r1, r2, lsl #2]",
        &[0xf851, 0xf022],
        "r1=20000100 r2=1 [20000104]=8000201",
        "pc=8000200",
        4,
    );
}

/// DDI 0337G, table 15-3: which targets the decode stage fetches, and which the execute stage.
#[test]
fn branches() {
    check(".short 0xf000, 0xb80e: b.w", &[0xf000, 0xb80e], "", "pc=8000120", 2);
    check(".short 0xf7ff, 0xbffc: b.w, backwards", &[0xf7ff, 0xbffc], "", "pc=80000fc", 2);
    check(".short 0xf000, 0x800e: beq.w taken", &[0xf000, 0x800e], "nZcv", "pc=8000120", 2);
    check(".short 0xf000, 0x800e: beq.w not taken", &[0xf000, 0x800e], "nzcv", "", 1);
    check(".short 0xf000, 0xf80e: bl", &[0xf000, 0xf80e], "", "pc=8000120 lr=8000105", 2);
    check("bx r3", &[0x4718], "r3=8000201", "pc=8000200", 3);
    check("blx r3", &[0x4798], "r3=8000201", "pc=8000200 lr=8000103", 3);
    check("bx lr", &[0x4770], "lr=8000201", "pc=8000200", 2);
    check("blx lr", &[0x47f0], "lr=8000201", "pc=8000200 lr=8000103", 2);
    check("mov pc, lr", &[0x46f7], "lr=8000201", "pc=8000200", 2);
    check(".short 0xb16b: cbz r3 taken", &[0xb16b], "r3=0", "pc=800011e", 3);
    check(".short 0xb16b: cbz r3 not taken", &[0xb16b], "r3=1", "", 1);
    check(".short 0xb96b: cbnz r3 taken", &[0xb96b], "r3=1", "pc=800011e", 3);
    check("tbb [r1, r2]", &[0xe8d1, 0xf002], "r1=20000100 r2=1 [20000100]=1000", "pc=8000124", 4);
    check("tbh [r1, r2, lsl #1]", &[0xe8d1, 0xf012], "r1=20000100 r2=1 [20000100]=100000", "pc=8000124", 4);
}

#[test]
fn special() {
    check("mrs r0, apsr", &[0xf3ef, 0x8000], "NzCv q=1 ge=a", "r0=a80a0000", 1);
    check("msr apsr_nzcvq, r1", &[0xf381, 0x8800], "r1=580f0000 NzCv", "nZcV q=1", 1);
    check("msr apsr_g, r1", &[0xf381, 0x8400], "r1=580f0000 NzCv", "ge=f", 1);
    check("dsb", &[0xf3bf, 0x8f4f], "", "", 1);
    check("nop.w", &[0xf3af, 0x8000], "", "", 1);
    check("nop", &[0xbf00], "", "", 1);
}
