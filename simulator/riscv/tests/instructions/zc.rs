//! Zcb and Zcmp, on Hazard3: The RISC-V Instruction Set Manual, Volume I, chapter "Zc*". Encodings are assembled here
//! field by field. Cycles: RP2350 datasheet, sections 3.8.7.7 and 3.8.7.8.

use super::harness::{board_with, check_on, machine_on, PC};
use pennyweight_machine::FaultKind;
use pennyweight_riscv::registers::Reg;

#[track_caller]
fn check(asm: &str, half: u16, before: &str, after: &str, cycles: u64) {
    check_on(&board_with("hazard3"), asm, &half.to_le_bytes(), before, after, cycles);
}

/// An instruction of Zcb on x(8 + `base`) and x(8 + `data`) with two bits between them.
fn zcb(top: u16, base: u16, between: u16, data: u16) -> u16 {
    top << 10 | base << 7 | between << 5 | data << 2
}

#[test]
fn bytes_and_halfwords() {
    // The offset of a byte: uimm[0|1].
    for (between, offset) in [(0b00, 0), (0b10, 1), (0b01, 2), (0b11, 3)] {
        let before = "x9=80000100 [80000100]=f7e6d584 x10=12345678";
        let byte = 0xf7e6_d584u32.to_le_bytes()[offset];
        check("c.lbu a0", zcb(0b10_0000, 1, between, 2), before, &format!("x10={byte:x}"), 1);
        let mut stored = 0xf7e6_d584u32.to_le_bytes();
        stored[offset] = 0x78;
        let after = format!("[80000100]={:x}", u32::from_le_bytes(stored));
        check("c.sb a0", zcb(0b10_0010, 1, between, 2), before, &after, 1);
    }
    for (bit, half, stored) in [(0, 0xd584, "f7e65678"), (1, 0xf7e6, "5678d584")] {
        let before = "x15=80000100 [80000100]=f7e6d584 x8=12345678";
        check("c.lhu s0", zcb(0b10_0001, 7, bit, 0), before, &format!("x8={half:x}"), 1);
        check("c.lh s0", zcb(0b10_0001, 7, 2 | bit, 0), before, &format!("x8=ffff{half:x}"), 1);
        check("c.sh s0", zcb(0b10_0011, 7, bit, 0), before, &format!("[80000100]={stored}"), 1);
    }
}

#[test]
fn arithmetic() {
    let unary = |number| zcb(0b10_0111, 3, 3, number) | 1;
    for (name, number, result) in [
        ("zext.b", 0, "84"),
        ("sext.b", 1, "ffffff84"),
        ("zext.h", 2, "d584"),
        ("sext.h", 3, "ffffd584"),
        ("not", 5, "8192a7b"),
    ] {
        check(name, unary(number), "x11=f7e6d584", &format!("x11={result}"), 1);
    }
    check("c.mul a1, s0", zcb(0b10_0111, 3, 2, 0) | 1, "x11=10001 x8=30005", "x11=80005", 1);
}

/// The registers of a list, in the order of addresses.
const LISTED: [u32; 13] = [1, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27];

fn list(registers: u16) -> u16 {
    if registers == 13 {
        15
    } else {
        registers + 3
    }
}

#[test]
fn push_and_pop() {
    for registers in (1..=11).chain([13]) {
        for spimm in 0..4 {
            let fields = list(registers) << 4 | spimm << 2;
            let bytes = u32::from(registers * 4).next_multiple_of(16) + u32::from(spimm) * 16;
            let below = 0x8000_0800 - bytes;
            let place = |top: u32, number: usize| top - 4 * (u32::from(registers) - number as u32);
            let listed = || LISTED.iter().enumerate().take(registers.into());
            let value = |register: u32| if register == 1 { 0xb000_0002 } else { 0xa000_0000 + register };
            let stored = listed().map(|(i, &x)| format!("[{:x}]={:x}", place(0x8000_0800, i), value(x)));
            let after = format!("x2={below:x} {}", stored.collect::<Vec<_>>().join(" "));
            let cycles = 1 + u64::from(registers);
            check(&format!("cm.push {registers}, {bytes}"), 0xb802 | fields, "", &after, cycles);

            let memory =
                listed().map(|(i, _)| format!("[{:x}]={:x}", place(0x8000_0800, i), 0x2000_0180 + i));
            let before = format!("x2={below:x} {}", memory.collect::<Vec<_>>().join(" "));
            let loaded = listed().map(|(i, &x)| format!("x{x}={:x}", 0x2000_0180 + i));
            let loaded = format!("x2=80000800 {}", loaded.collect::<Vec<_>>().join(" "));
            check(&format!("cm.pop {registers}, {bytes}"), 0xba02 | fields, &before, &loaded, cycles);
            let returned = format!("{loaded} pc=20000180");
            let popped = (2 + u64::from(registers)).max(4);
            check(&format!("cm.popret {registers}"), 0xbe02 | fields, &before, &returned, popped);
            let cleared = format!("{returned} x10=0");
            let popped = 3 + u64::from(registers);
            check(&format!("cm.popretz {registers}"), 0xbc02 | fields, &before, &cleared, popped);
        }
    }
}

#[test]
fn moves() {
    let saved = [8u32, 9, 18, 19, 20, 21, 22, 23];
    for (first, x) in (0u16..).zip(saved) {
        for (second, y) in (0u16..).zip(saved) {
            let fields = first << 7 | second << 2;
            let after = format!("x10={:x} x11={:x}", 0xa000_0000 + x, 0xa000_0000 + y);
            check(&format!("cm.mva01s x{x}, x{y}"), 0xac62 | fields, "", &after, 2);
            if first != second {
                let after = format!("x{x}=a000000a x{y}=a000000b");
                check(&format!("cm.mvsa01 x{x}, x{y}"), 0xac22 | fields, "", &after, 2);
            }
        }
    }
}

#[test]
fn reserved_encodings_and_cores_without_them() {
    let undefined = |core: &str, half: u16| {
        let fault = machine_on(&board_with(core), &half.to_le_bytes(), "").step();
        let fault = fault.expect_err("an undefined instruction");
        assert_eq!((fault.kind, fault.pc), (FaultKind::Undefined { opcode: half.into() }, PC), "{half:04x}");
    };
    // Lists without ra, cm.mvsa01 into one register twice, and what is between Zcb's instructions.
    for half in [0xb802, 0xb832, 0xbe32, 0xac22, 0xb902, 0xa002, 0x8c40, 0x9c71, 0x9c79, 0x9c7d] {
        undefined("hazard3", half);
    }
    for half in [0x8080, 0x8480, 0x8880, 0x8c80, 0x9ce1, 0x9cd1, 0xb842, 0xba42, 0xbe42, 0xbc42, 0xac66] {
        undefined("sifive-e31", half);
    }
}

/// A fault in the middle of the list changes no register.
#[test]
fn faults() {
    for (half, sp) in [(0xb8f2u16, "80000010"), (0xbaf2, "80000fe0"), (0xbef2, "80000fe0")] {
        let mut machine = machine_on(&board_with("hazard3"), &half.to_le_bytes(), &format!("x2={sp}"));
        let before = machine.state().registers;
        assert!(matches!(machine.step().expect_err("no memory").kind, FaultKind::Unmapped { .. }));
        assert_eq!(machine.state().registers, before);
        assert_eq!(machine.state().registers[Reg::SP], before[Reg::SP]);
    }
}
