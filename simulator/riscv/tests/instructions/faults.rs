//! Instructions that cannot be executed, and accesses that no memory takes.

use super::assembler::word;
use super::harness::{check_fault, machine, machine_on, options, PC};
use pennyweight_machine::{Access, Exit, FaultKind, Machine as _};

#[track_caller]
fn faults(asm: &str, word: u32, before: &str, kind: FaultKind) {
    check_fault(asm, &word.to_le_bytes(), before, kind);
}

#[test]
fn misaligned_accesses() {
    let unaligned = |address, size, access| FaultKind::Unaligned { address, size, access };
    use Access::{Read, Write};
    faults("lw", word("lw", 6, 5, 2), "x5=80000100", unaligned(0x8000_0102, 4, Read));
    faults("lw from flash", word("lw", 6, 5, 1), "x5=20000200", unaligned(0x2000_0201, 4, Read));
    faults("lh", word("lh", 6, 5, 0), "x5=80000101", unaligned(0x8000_0101, 2, Read));
    faults("lhu", word("lhu", 6, 5, 3), "x5=80000100", unaligned(0x8000_0103, 2, Read));
    faults("sw", word("sw", 5, 6, 0), "x5=80000101", unaligned(0x8000_0101, 4, Write));
    faults("sh", word("sh", 5, 6, 0), "x5=80000103", unaligned(0x8000_0103, 2, Write));
    faults("lr.w", word("lr.w", 6, 5, 0), "x5=80000102", unaligned(0x8000_0102, 4, Read));
    faults("sc.w", word("sc.w", 7, 5, 6), "x5=80000102", unaligned(0x8000_0102, 4, Write));
    faults("amoadd.w", word("amoadd.w", 7, 5, 6), "x5=80000102", unaligned(0x8000_0102, 4, Read));
}

#[test]
fn accesses_outside_the_map() {
    let unmapped = |address, size, access| FaultKind::Unmapped { address, size, access };
    use Access::{Read, Write};
    faults("lw null", word("lw", 6, 0, 0), "", unmapped(0, 4, Read));
    faults("lb after RAM", word("lb", 6, 5, 0), "x5=80001000", unmapped(0x8000_1000, 1, Read));
    faults("lbu before RAM", word("lbu", 6, 5, -1), "x5=80000000", unmapped(0x7fff_ffff, 1, Read));
    faults("sw null", word("sw", 0, 6, 4), "", unmapped(4, 4, Write));
    faults("amoor.w", word("amoor.w", 7, 5, 6), "x5=10012000", unmapped(0x1001_2000, 4, Read));
    let to_flash = FaultKind::FlashWrite { address: 0x2000_0200 };
    faults("sb to flash", word("sb", 5, 6, 0), "x5=20000200", to_flash);
    faults("amoadd.w to flash", word("amoadd.w", 7, 5, 6), "x5=20000200", to_flash);
}

#[test]
fn jumps_outside_the_map() {
    let mut machine = machine(&word("jalr", 0, 5, 0).to_le_bytes(), "x5=40000000");
    let outcome = machine.run_to(0, &options());
    let Exit::Fault(fault) = outcome.exit else { panic!("{outcome:?}") };
    assert_eq!(fault.pc, PC);
    assert_eq!(fault.kind, FaultKind::Unmapped { address: 0x4000_0000, size: 2, access: Access::Execute });
}

#[test]
fn traps() {
    for (name, word) in [("ecall", 0x0000_0073u32), ("ebreak", 0x0010_0073), ("mret", 0x3020_0073)] {
        faults(name, word, "", FaultKind::Trap { opcode: word });
    }
    check_fault("c.ebreak", &[0x02, 0x90], "", FaultKind::Trap { opcode: 0x0010_0073 });
    faults("wfi", 0x1050_0073, "", FaultKind::Asleep);
}

#[test]
fn undefined_instructions() {
    for half in [0x0000u16, 0x2000, 0x6000, 0xa000, 0x8000, 0x9c41, 0x6101, 0x4002, 0x8002] {
        let kind = FaultKind::Undefined { opcode: half.into() };
        check_fault(&format!("{half:04x}"), &half.to_le_bytes(), "", kind);
    }
    // No such opcode; a load of a doubleword; shifts with other upper bits; no such AMO.
    for word in [0xffff_ffffu32, 0x0002_b303, 0x0402_9313, 0x1002_d313, 0x2802_a32f, 0x0002_b32f] {
        faults(&format!("{word:08x}"), word, "", FaultKind::Undefined { opcode: word });
    }
}

#[test]
fn registers_that_rv32e_does_not_have_are_undefined() {
    let mut embedded = super::harness::board();
    embedded.core.instruction_set = "rv32e".into();
    embedded.core.abi = "ilp32e".into();
    for (opcode, missing) in [
        (0x0107_87b3u32, true), // add a5, a5, a6
        (0x00f8_07b3, true),    // add a5, a6, a5
        (0x00f7_8833, true),    // add a6, a5, a5
        (0x00f7_87b3, false),   // add a5, a5, a5
    ] {
        let mut machine = machine_on(&embedded, &opcode.to_le_bytes(), "");
        let kind = machine.step().err().map(|fault| fault.kind);
        assert_eq!(kind, missing.then_some(FaultKind::Undefined { opcode }), "{opcode:#x}");
        assert_eq!(machine.missing_extension(opcode), missing.then_some("i"), "{opcode:#x}");
    }
}

#[test]
fn instructions_of_missing_extensions_are_undefined_and_named() {
    let mut plain = super::harness::board();
    plain.extensions.clear();
    for (extension, names) in [
        ("zba", &["sh1add"][..]),
        ("zbb", &["andn", "rol", "clz", "min", "rev8", "rori"]),
        ("zbkb", &["brev8", "pack", "zip"]),
    ] {
        for name in names {
            let opcode = word(name, 7, 5, 6);
            let mut machine = machine_on(&plain, &opcode.to_le_bytes(), "");
            assert_eq!(machine.step().expect_err(name).kind, FaultKind::Undefined { opcode }, "{name}");
            assert_eq!(machine.missing_extension(opcode), Some(extension), "{name}");
        }
    }
    plain.extensions = vec!["zbkb".into()];
    for (name, there) in [("andn", true), ("pack", true), ("rev8", true), ("clz", false), ("sh2add", false)] {
        let step = machine_on(&plain, &word(name, 7, 5, 6).to_le_bytes(), "").step();
        assert_eq!(step.is_ok(), there, "{name}");
    }
}
