//! PUSH, POP and the other instructions that move the stack pointer.

use super::harness::check;

#[test]
fn push() {
    check("push {r0}", "NZCV", "sp=200007fc [200007fc]=a0000000", 2);
    let after = "sp=200007f4 [200007f4]=a0000001 [200007f8]=a0000007 [200007fc]=b0000001";
    check("push {r1, r7, lr}", "", after, 4);
    check("push {lr}", "", "sp=200007fc [200007fc]=b0000001", 2);
    let after = "sp=200007dc [200007dc]=a0000000 [200007e0]=a0000001 [200007e4]=a0000002 [200007e8]=a0000003 \
                 [200007ec]=a0000004 [200007f0]=a0000005 [200007f4]=a0000006 [200007f8]=a0000007 [200007fc]=b0000001";
    check("push {r0-r7, lr}", "", after, 10);
}

#[test]
fn pop() {
    check("pop {r0}", "[20000800]=5 NZCV", "r0=5 sp=20000804", 2);
    let m = "[20000800]=5 [20000804]=6 [20000808]=8000201";
    check("pop {r2, r6}", m, "r2=5 r6=6 sp=20000808", 3);
    check("pop {r2, r6, pc}", m, "r2=5 r6=6 sp=2000080c pc=8000200", 7);
    check("pop {pc}", "[20000800]=8000201", "sp=20000804 pc=8000200", 5);
}

#[test]
fn stack_pointer_arithmetic() {
    check("add sp, #508", "NZCV", "sp=200009fc", 1);
    check("add sp, #0", "", "", 1);
    check("sub sp, #508", "NZCV", "sp=20000604", 1);
    check("sub sp, #4", "", "sp=200007fc", 1);
}

#[test]
fn the_stack_pointers_low_bits_are_zero() {
    check("mov sp, r1", "r1=20000403 NZCV", "sp=20000400", 1);
    check("add sp, r1", "r1=7", "sp=20000804", 1);
    check("add sp, r1", "r1=fffffff0", "sp=200007f0", 1);
}
