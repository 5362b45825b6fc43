//! Instructions that cannot be executed, and accesses that no memory takes.

use super::harness::{check_fault, machine};
use pennyweight_machine::{Access, FaultKind, Machine as _};
use pennyweight_thumb::core::CortexM0;

fn unaligned(address: u32, size: u32, access: Access) -> FaultKind {
    FaultKind::Unaligned { address, size, access }
}

fn unmapped(address: u32, size: u32, access: Access) -> FaultKind {
    FaultKind::Unmapped { address, size, access }
}

#[test]
fn misaligned_accesses() {
    use Access::{Read, Write};
    check_fault("ldr r0, [r1]", "r1=20000102", unaligned(0x2000_0102, 4, Read));
    check_fault("ldr r0, [r1]", "r1=8000201", unaligned(0x0800_0201, 4, Read));
    check_fault("ldrh r0, [r1]", "r1=20000101", unaligned(0x2000_0101, 2, Read));
    check_fault("ldrsh r0, [r1, r2]", "r1=20000100 r2=3", unaligned(0x2000_0103, 2, Read));
    check_fault("str r0, [r1]", "r1=20000101", unaligned(0x2000_0101, 4, Write));
    check_fault("strh r0, [r1]", "r1=20000103", unaligned(0x2000_0103, 2, Write));
    check_fault("ldm r1!, {r0}", "r1=20000102", unaligned(0x2000_0102, 4, Read));
    check_fault("stm r1!, {r0}", "r1=20000102", unaligned(0x2000_0102, 4, Write));
}

#[test]
fn accesses_outside_the_map() {
    use Access::{Read, Write};
    check_fault("ldr r0, [r1]: null", "r1=0", unmapped(0, 4, Read));
    check_fault("ldrb r0, [r1]: before RAM", "r1=1fffffff", unmapped(0x1fff_ffff, 1, Read));
    check_fault("ldrb r0, [r1]: after RAM", "r1=20001000", unmapped(0x2000_1000, 1, Read));
    check_fault("ldr r0, [r1]: after flash", "r1=8001000", unmapped(0x0800_1000, 4, Read));
    check_fault("str r0, [r1]: null", "r1=0", unmapped(0, 4, Write));
    check_fault("strb r0, [r1]: after RAM", "r1=20001000", unmapped(0x2000_1000, 1, Write));
    check_fault("ldr r0, [r1]: SCS", "r1=e000e010", unmapped(0xe000_e010, 4, Read));
    check_fault("ldm r1!, {r0, r2}: over the end", "r1=20000ffc", unmapped(0x2000_1000, 4, Read));
    check_fault("pop {r0}", "sp=20001000", unmapped(0x2000_1000, 4, Read));
}

#[test]
fn stores_to_flash() {
    check_fault("str r0, [r1]", "r1=8000200", FaultKind::FlashWrite { address: 0x0800_0200 });
    check_fault("strb r0, [r1]", "r1=8000fff", FaultKind::FlashWrite { address: 0x0800_0fff });
    check_fault("stm r1!, {r0}", "r1=8000200", FaultKind::FlashWrite { address: 0x0800_0200 });
}

#[test]
fn branches_to_an_even_address_would_leave_thumb_state() {
    let fault = unmapped(0x0800_0200, 2, Access::Execute);
    check_fault("bx r1", "r1=8000200", fault);
    check_fault("blx r1", "r1=8000200", fault);
    check_fault("pop {pc}", "[20000800]=8000200", fault);
}

#[test]
fn traps() {
    for (text, opcode) in
        [("svc #0", 0xdf00), ("svc #255", 0xdfff), ("bkpt #0", 0xbe00), ("bkpt #0xab", 0xbeab)]
    {
        check_fault(text, "", FaultKind::Trap { opcode });
    }
    check_fault("wfi", "", FaultKind::Asleep);
    check_fault("wfe: without an event", "", FaultKind::Asleep);
}

#[test]
fn undefined_instructions() {
    let narrow = [
        0xde00, 0xdeff, // UDF
        0xb650, 0xb660, // SETEND, CPS of nothing
        0xba80, 0xb700, 0xb800, // reserved
        0xb400, 0xbc00, 0xc000, 0xc800, // empty lists
        0x44ff, 0x4500, 0x457f, 0x45f8, 0x46ff, 0x46fd, // PC where it must not be
        0x4778, 0x47f8, 0x4701, // BX and BLX of PC, bits that must be zero
    ];
    for opcode in narrow {
        check_fault(&format!(".short {opcode:#x}"), "", FaultKind::Undefined { opcode });
    }
    let wide = [
        [0xe800, 0x0000],
        [0xf7f0, 0xa000], // UDF.W
        [0xf3ef, 0x8d00], // MRS SP
        [0xf3ef, 0x8f00], // MRS PC
        [0xf38d, 0x8800], // MSR from SP
        [0xffff, 0xffff],
    ];
    for [first, second] in wide {
        let opcode = first << 16 | second;
        check_fault(&format!(".short {first:#x}, {second:#x}"), "", FaultKind::Undefined { opcode });
    }
}

#[test]
fn instructions_of_armv7_m_are_undefined_and_named_as_such() {
    let missing = |opcode| machine::<CortexM0>(&[], "").missing_extension(opcode);
    for opcode in [0xb100, 0xb300, 0xb900, 0xb661, 0xbf08, 0xbf11] {
        check_fault(&format!(".short {opcode:#x}"), "", FaultKind::Undefined { opcode });
        assert_eq!(missing(opcode), Some("armv7-m"), "{opcode:#x}");
    }
    assert_eq!([missing(0xde00), missing(0xffff_ffff)], [None, None]);
    let wide = [
        [0xe92d, 0x4010], // PUSH.W
        [0xf000, 0x0000], // AND.W
        [0xf000, 0x9000], // B.W
        [0xf3ef, 0x8011], // MRS BASEPRI
        [0xf380, 0x8811], // MSR BASEPRI
        [0xf3bf, 0x8f2f], // CLREX
        [0xfb00, 0xf000], // MUL.W
    ];
    for [first, second] in wide {
        let opcode = first << 16 | second;
        check_fault(&format!(".short {first:#x}, {second:#x}"), "", FaultKind::Undefined { opcode });
        assert_eq!(missing(opcode), Some("armv7-m"), "{opcode:#x}");
    }
}
