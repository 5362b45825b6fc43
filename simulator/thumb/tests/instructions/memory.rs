//! Loads and stores.

use super::harness::check;

const M: &str = "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV ";

#[track_caller]
fn load(asm: &str, before: &str, after: &str) {
    check(asm, &format!("{M}{before}"), after, 2);
}

#[test]
fn loads_with_immediate_offset() {
    load("ldr r0, [r1]", "", "r0=8899aabb");
    load("ldr r0, [r1, #4]", "", "r0=ccddeeff");
    load("ldr r0, [r1, #124]", "r1=20000084", "r0=8899aabb");
    load("ldr r1, [r1]", "", "r1=8899aabb");
    load("ldrh r0, [r1]", "", "r0=aabb");
    load("ldrh r0, [r1, #2]", "", "r0=8899");
    load("ldrh r0, [r1, #62]", "r1=200000c2", "r0=aabb");
    load("ldrb r0, [r1]", "", "r0=bb");
    load("ldrb r0, [r1, #1]", "", "r0=aa");
    load("ldrb r0, [r1, #3]", "", "r0=88");
    load("ldrb r0, [r1, #31]", "r1=200000e3", "r0=99");
}

#[test]
fn loads_with_register_offset() {
    load("ldr r0, [r1, r2]", "r2=4", "r0=ccddeeff");
    load("ldr r0, [r1, r2]", "r1=20000104 r2=fffffffc", "r0=8899aabb");
    load("ldrh r0, [r1, r2]", "r2=2", "r0=8899");
    load("ldrb r0, [r1, r2]", "r2=7", "r0=cc");
    load("ldrsh r0, [r1, r2]", "r2=0", "r0=ffffaabb");
    load("ldrsh r0, [r1, r2]", "r2=0 [20000100]=7fff", "r0=7fff");
    load("ldrsb r0, [r1, r2]", "r2=1", "r0=ffffffaa");
    load("ldrsb r0, [r1, r2]", "r2=0 [20000100]=7f", "r0=7f");
    load("ldr r2, [r1, r2]", "r2=4", "r2=ccddeeff");
}

#[test]
fn loads_from_flash() {
    load("ldr r0, [pc, #252]", "", "r0=80000000");
    load("ldr r7, [pc, #256]", "", "r7=80000001");
    load("ldr r0, [r1]", "r1=08000208", "r0=80000002");
    load("ldrh r0, [r1]", "r1=0800020a", "r0=8000");
    load("ldrb r0, [r1]", "r1=0800020c", "r0=3");
    // Erased flash.
    load("ldr r0, [r1]", "r1=08000ffc", "r0=ffffffff");
}

#[test]
fn a_literal_at_an_odd_halfword_counts_from_the_word() {
    // NOP at PC, the load at PC + 2: its base is PC + 4.
    check("nop; ldr r0, [pc, #252]", "pc=8000102", "r0=80000000", 2);
}

#[test]
fn stores_with_immediate_offset() {
    let s = "[20000100]=8899aabb r0=11223344 r1=20000100 NZCV";
    check("str r0, [r1]", s, "[20000100]=11223344", 2);
    check("str r0, [r1, #4]", s, "[20000104]=11223344", 2);
    check("str r1, [r1]", s, "[20000100]=20000100", 2);
    check("strh r0, [r1]", s, "[20000100]=88993344", 2);
    check("strh r0, [r1, #2]", s, "[20000100]=3344aabb", 2);
    check("strb r0, [r1]", s, "[20000100]=8899aa44", 2);
    check("strb r0, [r1, #3]", s, "[20000100]=4499aabb", 2);
}

#[test]
fn stores_with_register_offset() {
    let s = "[20000100]=8899aabb r0=11223344 r1=20000100 r2=0";
    check("str r0, [r1, r2]", s, "[20000100]=11223344", 2);
    check("strh r0, [r1, r2]", &format!("{s} r2=2"), "[20000100]=3344aabb", 2);
    check("strb r0, [r1, r2]", &format!("{s} r2=1"), "[20000100]=889944bb", 2);
}

#[test]
fn relative_to_the_stack_pointer() {
    check("ldr r3, [sp, #8]", "[20000808]=5", "r3=5", 2);
    check("ldr r3, [sp, #1020]", "[20000bfc]=6", "r3=6", 2);
    check("str r3, [sp, #8]", "r3=7", "[20000808]=7", 2);
}

#[test]
fn load_multiple() {
    let m = "[20000100]=11 [20000104]=22 [20000108]=33 r4=20000100 NZCV";
    check("ldm r4!, {r0}", m, "r0=11 r4=20000104", 2);
    check("ldm r4!, {r0, r2, r7}", m, "r0=11 r2=22 r7=33 r4=2000010c", 4);
    check("ldm r4, {r3, r4, r5}: no write-back", m, "r3=11 r4=22 r5=33", 4);
    let eight = "[20000100]=1 [20000104]=2 [20000108]=3 [2000010c]=4 \
                 [20000110]=5 [20000114]=6 [20000118]=7 [2000011c]=8 r0=20000100";
    check("ldm r0, {r0-r7}", eight, "r0=1 r1=2 r2=3 r3=4 r4=5 r5=6 r6=7 r7=8", 9);
    check("ldm r4!, {r0}: from flash", "r4=8000204", "r0=80000001 r4=8000208", 2);
}

#[test]
fn store_multiple() {
    let m = "r4=20000100 r0=11 r2=22 r7=33 NZCV";
    check("stm r4!, {r0}", m, "[20000100]=11 r4=20000104", 2);
    let after = "[20000100]=11 [20000104]=22 [20000108]=33 r4=2000010c";
    check("stm r4!, {r0, r2, r7}", m, after, 4);
    let after = "[20000100]=20000100 [20000104]=a0000005 r4=20000108";
    check("stm r4!, {r4, r5}: the old base", m, after, 3);
}
