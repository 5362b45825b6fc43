//! What Armv8-M adds to ARMv7E-M: registers, flags, program counter, cycles of a Cortex-M33. Semantics
//! after DDI 0553, C2.4; cycles after \[j\] (see `core/cortex_m33.rs`), before an instruction that reads R0.

use super::assembler::assemble;
use super::harness::{check_fault_on, check_on, machine};
use pennyweight_machine::{Access, FaultKind, Machine as _};
use pennyweight_thumb::core::{CortexM33, CortexM4};

#[track_caller]
fn check(asm: &str, before: &str, after: &str, cycles: u64) {
    check_on::<CortexM33>(asm, before, after, cycles);
}

const MEMORY: &str = "[20000100]=8899aabb [20000104]=ccddeeff r1=20000100 NZCV";

#[test]
fn loads_that_acquire() {
    check("lda r4, [r1]", MEMORY, "r4=8899aabb", 1);
    check("ldab r4, [r1]", MEMORY, "r4=bb", 1);
    check("ldah r4, [r1]", MEMORY, "r4=aabb", 1);
    // Load-to-use: two cycles.
    check("lda r0, [r1]", MEMORY, "r0=8899aabb", 2);
}

#[test]
fn stores_that_release() {
    check("stl r8, [r1]", "r8=11223344 r1=20000100", "[20000100]=11223344", 1);
    check("stlb r8, [r1]", "r8=11223344 r1=20000100", "[20000100]=44", 1);
    check("stlh r8, [r1]", "r8=11223344 r1=20000100", "[20000100]=3344", 1);
}

/// Loads mark memory, and stores succeed once.
#[test]
fn exclusive_forms() {
    for (load, store, value, stored) in [
        ("ldaex r4, [r1]", "stlex r2, r3, [r1]", 0x8899_aabb_u32, 0x1122_3344_u32),
        ("ldaexb r4, [r1]", "stlexb r2, r3, [r1]", 0xbb, 0x8899_aa44),
        ("ldaexh r4, [r1]", "stlexh r2, r3, [r1]", 0xaabb, 0x8899_3344),
    ] {
        let code = assemble(&format!("{load}; {store}; {store}"));
        let mut machine = machine::<CortexM33>(&code, &format!("{MEMORY} r3=11223344"));
        for (step, failed) in [(0, None), (1, Some(0)), (2, Some(1))] {
            machine.step().unwrap_or_else(|fault| panic!("{load} {step}: {fault:?}"));
            let registers = machine.state().registers;
            use pennyweight_thumb::registers::Reg;
            assert_eq!(registers[Reg::R4], value, "{load}");
            assert_eq!(failed.unwrap_or(registers[Reg::R2]), registers[Reg::R2], "{store} {step}");
        }
        let mut bytes = [0; 4];
        machine.read(0x2000_0100, &mut bytes).expect("RAM");
        assert_eq!(u32::from_le_bytes(bytes), stored, "{store}");
    }
}

#[test]
fn ordered_accesses_must_be_aligned() {
    let unaligned = |size, access| FaultKind::Unaligned { address: 0x2000_0101, size, access };
    for (text, size, access) in [
        ("lda r4, [r1]", 4, Access::Read),
        ("ldah r4, [r1]", 2, Access::Read),
        ("ldaex r4, [r1]", 4, Access::Read),
        ("ldaexh r4, [r1]", 2, Access::Read),
        ("stl r8, [r1]", 4, Access::Write),
        ("stlh r8, [r1]", 2, Access::Write),
    ] {
        check_fault_on::<CortexM33>(text, "r1=20000101", unaligned(size, access));
    }
    check("ldab r4, [r1]", "[20000100]=8899aabb r1=20000101", "r4=aa", 1);
}

/// Without memory protection, privileged code may read and write everywhere; code without privilege gets
/// no answer, and would not reach the private peripheral bus.
#[test]
fn test_target() {
    check("tt r4, r1", "r1=20000100", "r4=c0000", 1);
    check("ttt r4, r1", "r1=20000100", "r4=c0000", 1);
    check("tt r4, r1", "r1=e000ed00", "r4=c0000", 1);
    check("ttt r4, r1", "r1=e000ed00", "r4=0", 1);
    let code = assemble("msr control, r1; tt r4, r1");
    let mut machine = machine::<CortexM33>(&code, "r1=1");
    machine.step().expect("MSR");
    machine.step().expect("TT");
    assert_eq!(machine.state().registers[pennyweight_thumb::registers::Reg::R4], 0);
}

/// Without the Security Extension, SG does nothing, and what is for Secure state is undefined.
#[test]
fn security() {
    check("sg", "NzCv", "", 1);
    for text in ["tta r4, r1", "ttat r4, r1", "bxns r3", "blxns r3"] {
        let code = assemble(text);
        let opcode = code.iter().fold(0, |opcode, half| opcode << 16 | u32::from(*half));
        check_fault_on::<CortexM33>(text, "r3=8000201", FaultKind::Undefined { opcode });
    }
    // VLSTM and VLLDM: there is no floating-point unit.
    for second in [0xec21u32, 0xec31] {
        let text = format!(".short {second:#x}, 0x0a00");
        check_fault_on::<CortexM33>(&text, "", FaultKind::Undefined { opcode: second << 16 | 0x0a00 });
    }
}

/// They hold all but the three lowest bits.
#[test]
fn stack_limit_registers() {
    let code = assemble("msr msplim, r1; msr psplim, r2; mrs r4, msplim; mrs r5, psplim");
    let mut machine = machine::<CortexM33>(&code, "r1=2000040f r2=20000207");
    for _ in 0..4 {
        machine.step().expect("an instruction");
    }
    let registers = machine.state().registers;
    use pennyweight_thumb::registers::Reg;
    assert_eq!((registers[Reg::R4], registers[Reg::R5]), (0x2000_0408, 0x2000_0200));
}

#[test]
fn an_older_core_has_none_of_it() {
    for text in ["lda r4, [r1]", "stlb r8, [r1]", "ldaexh r4, [r1]", "tt r4, r1", "sg", "mrs r4, msplim"] {
        let code = assemble(text);
        let opcode = u32::from(code[0]) << 16 | u32::from(code[1]);
        check_fault_on::<CortexM4>(text, "", FaultKind::Undefined { opcode });
        assert_eq!(machine::<CortexM4>(&code, "").missing_extension(opcode), Some("armv8-m.main"), "{text}");
    }
}

#[test]
fn unpredictable_operands_are_undefined() {
    let codes = [
        [0xe8d1u32, 0xffaf], // lda pc
        [0xe8df, 0x4faf],    // lda r4, [pc]
        [0xe8d1, 0x4fae],    // lda with a bit that must be one
        [0xe8d1, 0x4fbf],    // no size
        [0xe8c1, 0x1fe1],    // stlex with one register for all
        [0xe841, 0xff00],    // tt pc
        [0xe84f, 0xf400],    // tt r4, pc
        [0xe841, 0xf401],    // tt with a bit that must be zero
        [0xf3ef, 0x8488],    // mrs r4, msp_ns
    ];
    for [first, second] in codes {
        let kind = FaultKind::Undefined { opcode: first << 16 | second };
        check_fault_on::<CortexM33>(&format!(".short {first:#x}, {second:#x}"), "", kind);
    }
}

/// Cycles of instructions alone: loads and stores of several registers take a cycle for each, MULS two,
/// shifted constants two if they set flags, but not those of MOVS.
#[test]
fn cycles() {
    check("ldr r4, [r1]", MEMORY, "r4=8899aabb", 1);
    check("ldr.w r8, [r1, #4]", MEMORY, "r8=ccddeeff", 1);
    check("str.w r8, [r1, #4]", "r8=5 r1=20000100", "[20000104]=5", 1);
    check("str.w r0, [r1, r2, lsl #2]", "r0=5 r1=20000100 r2=1", "[20000104]=5", 1);
    check("ldrd r0, r2, [r1]", MEMORY, "r0=8899aabb r2=ccddeeff", 2);
    check("strd r0, r2, [r1, #-8]", "r0=1 r2=2 r1=20000108", "[20000100]=1 [20000104]=2", 2);
    check("ldm.w r1, {r0, r8}", MEMORY, "r0=8899aabb r8=ccddeeff", 2);
    check("stm.w r1, {r0, r8}", "r0=1 r8=2 r1=20000100", "[20000100]=1 [20000104]=2", 2);
    check("push.w {r8, lr}", "r8=7", "sp=200007f8 [200007f8]=7 [200007fc]=b0000001", 2);
    check("muls r1, r2, r1", "r1=3 r2=5 NZCV", "r1=f nzCV", 2);
    check("adds.w r4, r1, #0x1fc0", "r1=1 NZCV", "r4=1fc1 nzcv", 2);
    check("add.w r4, r1, #0x1fc0", "r1=1 NZCV", "r4=1fc1", 1);
    check("cmp.w r1, #0x1fc0", "r1=1fc0", "nZCv", 2);
    check("movs.w r4, #0x1fc0", "NZCV", "r4=1fc0 nzcV", 1);
    check("adds.w r4, r1, #1", "r1=1 NZCV", "r4=2 nzcv", 1);
    check("eors.w r4, r1, #0x1b1b1b1b", "r1=0 NZCV", "r4=1b1b1b1b nzCV", 1);
    check("adds.w r4, r1, r2, lsl #1", "r1=1 r2=1 NZCV", "r4=3 nzcv", 1);
    check("b.w .+0x20", "", "pc=8000120", 2);
    check("bl .+0x20", "", "pc=8000120 lr=8000105", 2);
    check("bx r3", "r3=8000201", "pc=8000200", 2);
    check("ldr pc, [sp], #4", "[20000800]=8000201", "sp=20000804 pc=8000200", 3);
    check("pop.w {r8, pc}", "[20000800]=5 [20000804]=8000201", "r5=a0000005 r8=5 sp=20000808 pc=8000200", 4);
    check("tbb [r1, r2]", "r1=20000100 r2=1 [20000100]=1000", "pc=8000124", 4);
    check("udiv r4, r1, r2", "r1=1 r2=2", "r4=0", 2);
    check("udiv r4, r1, r2", "r1=ffffffff r2=1", "r4=ffffffff", 11);
    check("udiv r4, r1, r2", "r1=5 r2=0", "r4=0", 2);
    check("ldr r4, [r1]", "[20000100]=8899aabb [20000104]=ccddeeff r1=20000102", "r4=eeff8899", 2);
}
