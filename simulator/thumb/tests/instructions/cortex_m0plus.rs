//! Cycles of a Cortex-M0+ where they are not those of a Cortex-M0, and one of each kind where they
//! are: DDI 0484, table 3-1.

use super::harness::check_on;
use pennyweight_thumb::core::CortexM0Plus;

#[track_caller]
fn check(asm: &str, before: &str, after: &str, cycles: u64) {
    check_on::<CortexM0Plus>(asm, before, after, cycles);
}

#[test]
fn single_cycles() {
    check("adds r0, r1, r2", "r1=1 r2=2", "r0=3", 1);
    check("muls r0, r1, r0", "r0=6 r1=7", "r0=2a", 1);
    check("add sp, #508", "", "sp=200009fc", 1);
    check("nop", "", "", 1);
    check("cpsie i", "", "", 1);
}

#[test]
fn memory() {
    check("ldr r0, [r1]", "r1=20000100 [20000100]=5", "r0=5", 2);
    check("ldr r0, [pc, #252]", "", "r0=80000000", 2);
    check("ldrsb r0, [r1, r2]", "r1=20000100 r2=1 [20000100]=7f00", "r0=7f", 2);
    check("strh r0, [r1]", "r0=5 r1=20000100", "[20000100]=5", 2);
    check(
        "stm r4!, {r0, r2, r7}",
        "r0=1 r2=2 r7=3 r4=20000100",
        "[20000100]=1 [20000104]=2 [20000108]=3 r4=2000010c",
        4,
    );
    check("ldm r4!, {r0, r2}", "[20000100]=1 [20000104]=2 r4=20000100", "r0=1 r2=2 r4=20000108", 3);
    check("push {r1, lr}", "r1=7", "sp=200007f8 [200007f8]=7 [200007fc]=b0000001", 3);
    check("pop {r2, r6}", "[20000800]=5 [20000804]=6", "r2=5 r6=6 sp=20000808", 3);
}

#[test]
fn flow() {
    check("beq .+36: taken", "nZcv", "pc=8000124", 2);
    check("beq .+36: not taken", "nzcv", "", 1);
    check("b .+4", "", "pc=8000104", 2);
    check("bl .+0x104", "", "lr=8000105 pc=8000204", 3);
    check("bx r3", "r3=8000201", "pc=8000200", 2);
    check("blx r3", "r3=8000201", "pc=8000200 lr=8000103", 2);
    check("mov pc, r3", "r3=8000201", "pc=8000200", 2);
    check("add pc, r3", "r3=fc", "pc=8000200", 2);
    // 3 + N, and N counts PC.
    check("pop {pc}", "[20000800]=8000201", "sp=20000804 pc=8000200", 4);
    check(
        "pop {r2, r6, pc}",
        "[20000800]=5 [20000804]=6 [20000808]=8000201",
        "r2=5 r6=6 sp=2000080c pc=8000200",
        6,
    );
}

#[test]
fn special() {
    check("mrs r0, apsr", "NzCv", "r0=a0000000", 3);
    check("msr apsr, r1", "r1=5fffffff NzCv", "nZcV", 3);
    for name in ["dsb", "dmb", "isb"] {
        check(name, "", "", 3);
    }
}
