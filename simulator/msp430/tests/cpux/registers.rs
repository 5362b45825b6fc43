//! The rules of 20-bit registers (SLAU367, sections 4.3 and 4.4).

use crate::parts::*;

/// Section 4.3.5.
#[test]
fn bytes_and_words_clear_what_is_above() {
    for (byte, expected) in [(true, 0x67), (false, 0x4567)] {
        for program in [two(MOV, byte, r(5), to(6)), two(BIS, byte, r(5), to(7))] {
            let mut m = prepared(&program, &[(5, 0x3_4567), (6, 0xf_ffff), (7, 0xf_0000)], &[]);
            step(&mut m);
            let found = m.registers().0[if program[0] & 15 == 6 { 6 } else { 7 }];
            assert_eq!(found, expected, "byte {byte}");
        }
    }
    let mut m = prepared(&one(SXT, false, r(5)), &[(5, 0x1_1180)], &[]);
    step(&mut m);
    assert_eq!((m.registers().0[5], m.registers().0[SR]), (0xf_ff80, u32::from(N | C)));
    for (code, expected) in [(SWPB, 0x6745), (RRA, 0x22b3), (RRC, 0x22b3)] {
        let mut m = prepared(&one(code, false, r(5)), &[(5, 0x3_4567)], &[]);
        step(&mut m);
        assert_eq!(m.registers().0[5], expected);
    }
}

/// Sections 4.4.2.1 and 4.4.2.2: from the lower 64 KB the address stays there, from above it may come down.
#[test]
fn indexed_mode() {
    for (base, distance) in
        [(0x2a00, 2), (0x3a02, 0xf000), (0xfa02, 0x3000), (0xf_fffe, 0x2a04), (0x1_0002, 0)]
    {
        let reachable = base != 0x1_0002;
        let mut m = prepared(&two(MOV, false, indexed(distance, 6), to(5)), &[(6, base)], &[(AT, 0x1234)]);
        let outcome = m.step();
        if reachable {
            assert_eq!(m.registers().0[5], 0x1234, "{base:#x} {distance:#x}");
        } else {
            assert!(format!("{:?}", outcome.exit).contains("Unmapped { address: 65538"), "{outcome:?}");
        }
    }
    // Section 4.4.2.2's distance is signed.
    let mut m = prepared(&two(MOV, false, indexed(0x9a02, 6), to(5)), &[(6, 0x1_9000)], &[(AT, 0x1234)]);
    assert!(format!("{:?}", m.step().exit).contains("address: 76290"), "0x1_9000 - 0x65fe");
    let mut m = prepared(&two(MOV, false, indexed(0x9a02, 6), to(5)), &[(6, 0x9000)], &[(AT, 0x1234)]);
    step(&mut m);
    assert_eq!(m.registers().0[5], 0x1234);
}

/// Section 4.4.6: "always uses 20-bit addresses".
#[test]
fn an_increment_goes_past_64_kb() {
    let mut m = prepared(&two(MOV, false, increment(6), to(5)), &[(6, 0xfffe)], &[]);
    step(&mut m);
    assert_eq!((m.registers().0[5], m.registers().0[6]), (0xffff, 0x1_0000));
    assert_eq!(m.registers().0[PC], u32::from(CODE) + 2);
}

#[test]
fn pushes_take_words() {
    for byte in [false, true] {
        let mut m = prepared(&one(PUSH, byte, r(5)), &[(5, 0x7_1234)], &[(0x2ffe, 0xeeee)]);
        assert_eq!(step(&mut m).cycles, 3);
        assert_eq!(word(&m, 0x2ffe), if byte { 0xee34 } else { 0x1234 });
        assert_eq!(m.registers().0[SP], 0x2ffe);
    }
}

/// MPY32 at its addresses, with the compiler's library's sequence for a product of 32 bits.
#[test]
fn the_multiplier() {
    let moves = [(12, 0x4d0), (13, 0x4d2), (14, 0x4e0), (15, 0x4e2)];
    let mut program: Vec<u16> =
        moves.iter().flat_map(|&(n, place)| two(MOV, false, r(n), to_absolute(place))).collect();
    let results = [(0x4e4, 8), (0x4e6, 9), (0x4e8, 10), (0x4ea, 11)];
    program.extend(results.iter().flat_map(|&(place, n)| two(MOV, false, absolute(place), to(n))));
    let registers = [(12, 0x5678), (13, 0x1234), (14, 0xdef0), (15, 0x9abc)];
    let mut m = prepared(&program, &registers, &[]);
    let cycles: u64 = (0..8).map(|_| step(&mut m).cycles).sum();
    assert_eq!(cycles, 4 * 3 + 4 * 3);
    let found = (8..12).rev().fold(0, |value, n| value << 16 | u64::from(m.registers().0[n]));
    assert_eq!(found, 0x1234_5678 * 0x9abc_def0);
    assert_eq!(m.multiplier(0x4e4), found as u16);
}
