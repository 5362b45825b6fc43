//! What ARMv7-M and ARMv7E-M cannot execute, and accesses that must be aligned.

use super::assembler::assemble;
use super::harness::{check_fault_on, machine};
use pennyweight_machine::{Access, FaultKind, Machine as _};
use pennyweight_thumb::core::{CortexM3, CortexM4};

fn undefined(code: [u16; 2]) -> FaultKind {
    FaultKind::Undefined { opcode: u32::from(code[0]) << 16 | u32::from(code[1]) }
}

#[test]
fn several_words_must_be_aligned() {
    let unaligned = |address, access| FaultKind::Unaligned { address, size: 4, access };
    let read = unaligned(0x2000_0102, Access::Read);
    let write = unaligned(0x2000_0102, Access::Write);
    let base = "r1=20000102";
    check_fault_on::<CortexM4>("ldm r1!, {r0}", base, read);
    check_fault_on::<CortexM4>("stm r1!, {r0}", base, write);
    check_fault_on::<CortexM4>("ldm.w r1, {r0, r8}", base, read);
    check_fault_on::<CortexM4>("ldrd r0, r2, [r1]", base, read);
    check_fault_on::<CortexM4>("strd r0, r2, [r1]", base, write);
    check_fault_on::<CortexM4>("ldrex r0, [r1]", base, read);
    check_fault_on::<CortexM4>("ldr pc, [r1]", base, read);
}

#[test]
fn an_unaligned_access_faults_where_memory_ends() {
    let kind = FaultKind::Unmapped { address: 0x2000_1000, size: 2, access: Access::Read };
    check_fault_on::<CortexM4>("ldr r0, [r1]", "r1=20000ffe", kind);
}

#[test]
fn traps() {
    check_fault_on::<CortexM4>("svc #5", "", FaultKind::Trap { opcode: 0xdf05 });
    check_fault_on::<CortexM4>("bkpt #5", "", FaultKind::Trap { opcode: 0xbe05 });
    check_fault_on::<CortexM4>("udf #5", "", FaultKind::Undefined { opcode: 0xde05 });
    check_fault_on::<CortexM4>("udf.w #0", "", undefined([0xf7f0, 0xa000]));
    check_fault_on::<CortexM4>("wfi.w", "", FaultKind::Asleep);
}

#[test]
fn dsp_instructions_are_undefined_without_the_extension() {
    let dsp = [
        "uadd8 r0, r1, r2",
        "sel r0, r1, r2",
        "qadd r0, r1, r2",
        "smuad r0, r1, r2",
        "smulbb r0, r1, r2",
        "umaal r0, r1, r2, r3",
        "usad8 r0, r1, r2",
        "sxtab r0, r1, r2",
        "sxtb16 r0, r1",
        "ssat16 r0, #4, r1",
        "pkhbt r0, r1, r2",
        "msr apsr_g, r1",
    ];
    for text in dsp {
        let code = assemble(text);
        let opcode = u32::from(code[0]) << 16 | u32::from(code[1]);
        check_fault_on::<CortexM3>(text, "", FaultKind::Undefined { opcode });
        assert_eq!(machine::<CortexM3>(&code, "").missing_extension(opcode), Some("armv7e-m"), "{text}");
        assert!(machine::<CortexM4>(&code, "").step().is_ok(), "{text}: a Cortex-M4 has it");
    }
}

#[test]
fn coprocessors_and_unpredictable_operands_are_undefined() {
    let codes = [
        [0xee00, 0x0a10], // vmov s0, r0
        [0xed90, 0x0a00], // vldr
        [0xea4f, 0x0f00], // mov.w pc, r0
        [0xea00, 0x0d01], // and.w sp, r0, r1
        [0xf000, 0x0d01], // and.w sp, r0, #1
        [0xf851, 0x1b04], // ldr r1, [r1], #4
        [0xe8b1, 0x0003], // ldm r1!, {r0, r1}
        [0xe8b1, 0x0001], // one register
        [0xe8d1, 0xa000], // a list with SP
        [0xe9d1, 0x0000], // ldrd r0, r0
        [0xfb81, 0x0002], // smull with one destination
        [0xf360, 0x0520], // bfi with a bit that must be zero
        [0xfab1, 0xf082], // clz with two sources
        [0xf3ef, 0x8d00], // mrs sp
        [0xf3ef, 0x800b], // mrs of no register
        [0xf800, 0x0800], // neither index nor write-back
        [0xffff, 0xffff],
    ];
    for code in codes {
        let [first, second] = code;
        check_fault_on::<CortexM4>(&format!(".short {first:#x}, {second:#x}"), "", undefined(code));
    }
}
