//! Moves, loads, stores, I/O, flash and the stack.

mod common;

use common::{Case, DATA};
use pennyweight_machine::{Access, FaultKind};

fn unmapped(address: u32, access: Access) -> FaultKind {
    FaultKind::Unmapped { address, size: 1, access }
}

#[test]
fn between_registers() {
    Case::new("mov r7, r8").r(8, 45).sreg("ZC").then_r(7, 45).takes(1, 1);
    Case::new("movw r26, r22").r(22, 45).r(23, 9).then_r(26, 45).then_r(27, 9).takes(1, 1);
    Case::new("ldi r28, 0xff").sreg("Z").then_r(28, 0xff).takes(1, 1);
    Case::new("ldi r16, 0").then_r(16, 0).takes(1, 1);
}

#[test]
fn direct() {
    Case::new("lds r0, 0x0150").byte(0x150, 0x7a).then_r(0, 0x7a).takes(2, 2);
    Case::new("sts 0x08ff, r31").r(31, 0x80).then_byte(0x8ff, 0x80).takes(2, 2);
    Case::new("lds r3, 0x001f").then_r(3, 0xdf).takes(2, 2);
    Case::new("sts 0x0004, r9").then_r(4, 0xc9).takes(2, 2);
    Case::new("lds r1, 0x0900").faults(unmapped(DATA + 0x900, Access::Read));
    Case::new("sts 0xffff, r1").faults(unmapped(DATA + 0xffff, Access::Write));
}

#[test]
fn through_x() {
    Case::new("ld r1, X").pointer('X', 0x1c0).byte(0x1c0, 15).then_r(1, 15).takes(2, 1);
    Case::new("ld r17, X+")
        .pointer('X', 0x1ff)
        .byte(0x1ff, 15)
        .then_r(17, 15)
        .then_pointer('X', 0x200)
        .takes(2, 1);
    Case::new("ld r1, -X")
        .pointer('X', 0x200)
        .byte(0x1ff, 22)
        .then_r(1, 22)
        .then_pointer('X', 0x1ff)
        .takes(2, 1);
    Case::new("st X, r1").pointer('X', 0x1c0).then_byte(0x1c0, 0xc1).takes(2, 1);
    Case::new("st X+, r2").pointer('X', 0x8ff).then_byte(0x8ff, 0xc2).then_pointer('X', 0x900).takes(2, 1);
    Case::new("st -X, r3").pointer('X', 0x101).then_byte(0x100, 0xc3).then_pointer('X', 0x100).takes(2, 1);
    Case::new("ld r1, X").pointer('X', 0x900).faults(unmapped(DATA + 0x900, Access::Read));
    Case::new("ld r1, -X").pointer('X', 0).faults(unmapped(DATA + 0xffff, Access::Read));
    Case::new("st X+, r1").pointer('X', 0xabcd).faults(unmapped(DATA + 0xabcd, Access::Write));
}

#[test]
fn through_y_and_z() {
    for (p, name) in [('Y', "Y"), ('Z', "Z")] {
        let at = |text: &str| Case::new(&text.replace('P', name)).pointer(p, 0x280);
        at("ldd r0, P+0").byte(0x280, 10).then_r(0, 10).takes(2, 1);
        at("ldd r23, P+63").byte(0x2bf, 11).then_r(23, 11).takes(2, 1);
        at("ld r2, P+").byte(0x280, 12).then_r(2, 12).then_pointer(p, 0x281).takes(2, 1);
        at("ld r3, -P").byte(0x27f, 13).then_r(3, 13).then_pointer(p, 0x27f).takes(2, 1);
        at("std P+0, r4").then_byte(0x280, 0xc4).takes(2, 1);
        at("std P+33, r5").then_byte(0x2a1, 0xc5).takes(2, 1);
        at("st P+, r6").then_byte(0x280, 0xc6).then_pointer(p, 0x281).takes(2, 1);
        at("st -P, r7").then_byte(0x27f, 0xc7).then_pointer(p, 0x27f).takes(2, 1);
        at("ldd r0, P+1").pointer(p, 0x8ff).faults(unmapped(DATA + 0x900, Access::Read));
        at("std P+63, r0").pointer(p, 0x8ff).faults(unmapped(DATA + 0x93e, Access::Write));
        // The sum wraps in 16 bits, as data-space addresses do.
        at("ldd r9, P+5").pointer(p, 0xffff).then_r(9, 0xc4).takes(2, 1);
    }
}

#[test]
fn pointers_reach_registers_io_and_sreg() {
    Case::new("ld r1, X").pointer('X', 5).then_r(1, 0xc5).takes(2, 1);
    Case::new("st X, r1").pointer('X', 5).then_r(5, 0xc1).takes(2, 1);
    Case::new("ldd r1, Y+4").pointer('Y', 0x5b).sreg("CTH").then_r(1, 0x61).takes(2, 1);
    Case::new("st X, r1").pointer('X', 0x5f).r(1, 0x53).then_sreg("CZST").takes(2, 1);
    Case::new("ld r1, X+").pointer('X', 0x5d).sp(0x3a7).then_r(1, 0xa7).then_pointer('X', 0x5e).takes(2, 1);
    Case::new("st X, r1").pointer('X', 0x5e).r(1, 2).sp(0x3a7).then_sp(0x2a7).takes(2, 1);
    Case::new("st X, r1").pointer('X', 0x3e).then_byte(0x3e, 0xc1).takes(2, 1);
    Case::new("sts 0x00ff, r1").then_byte(0xff, 0xc1).takes(2, 2);
}

#[test]
fn io() {
    Case::new("in r5, 0x3f").sreg("ISC").then_r(5, 0x91).takes(1, 1);
    Case::new("in r5, 0x3d").sp(0x789).then_r(5, 0x89).takes(1, 1);
    Case::new("in r5, 0x3e").sp(0x789).then_r(5, 0x07).takes(1, 1);
    Case::new("in r5, 0x1e").then_r(5, 0).takes(1, 1);
    Case::new("out 0x3f, r5").r(5, 0xff).then_sreg("CZNVSHTI").takes(1, 1);
    Case::new("out 0x3f, r5").r(5, 0x10).then_sreg("S").takes(1, 1);
    Case::new("out 0x3d, r5").sp(0x789).r(5, 0x12).then_sp(0x712).takes(1, 1);
    Case::new("out 0x3e, r5").sp(0x789).r(5, 0x12).then_sp(0x1289).takes(1, 1);
    Case::new("out 0x1e, r5").then_byte(0x3e, 0xc5).takes(1, 1);
    Case::new("sbi 0x1e, 7").then_byte(0x3e, 0x80).takes(2, 1);
    Case::new("cbi 0x1e, 7").then_byte(0x3e, 0).takes(2, 1);
}

#[test]
fn flash() {
    // The instruction is at 0x20; the two words before it are erased.
    Case::new("lpm").pointer('Z', 0x21).then_r(0, 0x95).takes(3, 1);
    Case::new("lpm r9, Z").pointer('Z', 0x20).then_r(9, 0x94).takes(3, 1);
    Case::new("lpm r31, Z").pointer('Z', 0x20).then_r(31, 0xf4).takes(3, 1);
    Case::new("lpm r9, Z+").pointer('Z', 0x7fff).then_r(9, 0xff).then_pointer('Z', 0x8000).takes(3, 1);
    let outside = FaultKind::Unmapped { address: 0x8000, size: 1, access: Access::Read };
    Case::new("lpm r9, Z+").pointer('Z', 0x8000).faults(outside);
    Case::new("spm").pointer('Z', 0x1234).faults(FaultKind::FlashWrite { address: 0x1234 });
}

#[test]
fn flash_beyond_64_kilobytes() {
    // Flash has 128 KiB, so ELPM exists; RAMPZ is 0 at reset.
    Case::on(128, "elpm").pointer('Z', 0x21).then_r(0, 0x95).takes(3, 1);
    Case::on(128, "elpm r9, Z").pointer('Z', 0x20).then_r(9, 0x96).takes(3, 1);
    Case::on(128, "elpm r9, Z+")
        .pointer('Z', 0xffff)
        .then_r(9, 0xff)
        .then_pointer('Z', 0)
        .then_byte(0x5b, 1)
        .takes(3, 1);
    Case::on(128, "lpm r9, Z+")
        .pointer('Z', 0xffff)
        .then_r(9, 0xff)
        .then_pointer('Z', 0)
        .then_byte(0x5b, 0)
        .takes(3, 1);
    Case::new("elpm").faults(FaultKind::Undefined { opcode: 0x95d8 });
}

#[test]
fn stack() {
    Case::new("push r11").sp(0x280).then_byte(0x280, 0xcb).then_sp(0x27f).takes(2, 1);
    Case::new("pop r26").sp(0x280).byte(0x281, 0x1a).then_r(26, 0x1a).then_sp(0x281).takes(2, 1);
    Case::new("push r1").sp(0x100).then_byte(0x100, 0xc1).then_sp(0xff).takes(2, 1);
    let overflow = FaultKind::StackOverflow { address: DATA + 0xff, limit: DATA };
    Case::new("push r1").sp(0xff).faults(overflow);
    Case::new("push r1").sp(0x900).faults(unmapped(DATA + 0x900, Access::Write));
    Case::new("pop r1").sp(0x8ff).faults(unmapped(DATA + 0x900, Access::Read));
    Case::new("pop r1").sp(0xffff).then_r(1, 0xc0).then_sp(0).takes(2, 1);
}
