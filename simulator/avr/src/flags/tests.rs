//! Every operand of every operation against the manual's boolean formulas (DS40002198, chapter 5).

use super::Flags;

const C: u8 = 1;
const Z: u8 = 2;
const N: u8 = 4;
const V: u8 = 8;
const S: u8 = 16;
const H: u8 = 32;

/// Bit `i` of a value.
fn bit(value: u8, i: u32) -> bool {
    value >> i & 1 == 1
}

/// SREG from its flags, S = N ^ V. `keep` are the bits of `before` that do not change.
fn sreg(before: u8, keep: u8, c: bool, z: bool, n: bool, v: bool, h: bool) -> u8 {
    let bits = [(c, C), (z, Z), (n, N), (v, V), (n ^ v, S), (h, H)];
    let made = bits.iter().filter(|(set, _)| *set).fold(0, |made, (_, bit)| made | bit);
    made & !keep | before & keep
}

fn check(what: &str, before: u8, flags: Flags, expected: u8) {
    assert_eq!(flags.sreg(), expected, "{what} from SREG {before:08b}");
    assert_eq!(flags.s(), bit(expected, 4), "{what}: S");
    assert_eq!(flags.v(), bit(expected, 3), "{what}: V");
}

#[test]
fn sreg_survives_its_pieces() {
    for s in 0..=255 {
        assert_eq!(Flags::from_sreg(s).sreg(), s);
    }
}

#[test]
fn additions() {
    for (a, b) in (0..=255u8).flat_map(|a| (0..=255u8).map(move |b| (a, b))) {
        for before in [0xc0, 0xc0 | C, 0x3e, 0x3f] {
            for with_carry in [false, true] {
                let mut flags = Flags::from_sreg(before);
                let got = if with_carry { flags.adc(a, b) } else { flags.add(a, b) };
                let carry = u8::from(with_carry && before & C != 0);
                let r = a.wrapping_add(b).wrapping_add(carry);
                assert_eq!(got, r);
                let carried =
                    |i| bit(a, i) && bit(b, i) || bit(b, i) && !bit(r, i) || !bit(r, i) && bit(a, i);
                let v = bit(a, 7) && bit(b, 7) && !bit(r, 7) || !bit(a, 7) && !bit(b, 7) && bit(r, 7);
                let after = sreg(before, 0xc0, carried(7), r == 0, bit(r, 7), v, carried(3));
                check(&format!("{a:#x} + {b:#x} + {carry}"), before, flags, after);
            }
        }
    }
}

#[test]
fn subtractions() {
    for (a, b) in (0..=255u8).flat_map(|a| (0..=255u8).map(move |b| (a, b))) {
        for before in [0xc0, 0xc0 | C, 0x3e, 0x3f, Z, Z | C] {
            for with_carry in [false, true] {
                let mut flags = Flags::from_sreg(before);
                let got = if with_carry { flags.sbc(a, b) } else { flags.sub(a, b) };
                let borrow = u8::from(with_carry && before & C != 0);
                let r = a.wrapping_sub(b).wrapping_sub(borrow);
                assert_eq!(got, r);
                let borrowed =
                    |i| !bit(a, i) && bit(b, i) || bit(b, i) && bit(r, i) || bit(r, i) && !bit(a, i);
                let v = bit(a, 7) && !bit(b, 7) && !bit(r, 7) || !bit(a, 7) && bit(b, 7) && bit(r, 7);
                let z = r == 0 && (!with_carry || before & Z != 0);
                let after = sreg(before, 0xc0, borrowed(7), z, bit(r, 7), v, borrowed(3));
                check(&format!("{a:#x} - {b:#x} - {borrow}"), before, flags, after);
            }
        }
    }
}

#[test]
fn operations_on_one_byte() {
    type Operation = fn(&mut Flags, u8) -> u8;
    for before in 0..=255u8 {
        for a in 0..=255u8 {
            let c = before & C != 0;
            let keep_hit = 0xc0 | H;
            let shift =
                |r: u8| sreg(before, keep_hit, bit(a, 0), r == 0, bit(r, 7), bit(r, 7) ^ bit(a, 0), false);
            let ror = a >> 1 | u8::from(c) << 7;
            let asr = ((a as i8) >> 1) as u8;
            let (inc, dec, neg) = (a.wrapping_add(1), a.wrapping_sub(1), 0u8.wrapping_sub(a));
            let cases: [(&str, Operation, u8, u8); 8] = [
                ("lsr", Flags::lsr, a >> 1, shift(a >> 1)),
                ("ror", Flags::ror, ror, shift(ror)),
                ("asr", Flags::asr, asr, shift(asr)),
                ("com", Flags::com, !a, sreg(before, keep_hit, true, a == 255, !bit(a, 7), false, false)),
                (
                    "inc",
                    Flags::inc,
                    inc,
                    sreg(before, keep_hit | C, false, inc == 0, bit(inc, 7), inc == 0x80, false),
                ),
                (
                    "dec",
                    Flags::dec,
                    dec,
                    sreg(before, keep_hit | C, false, dec == 0, bit(dec, 7), dec == 0x7f, false),
                ),
                (
                    "neg",
                    |flags, a| flags.sub(0, a),
                    neg,
                    sreg(
                        before,
                        0xc0,
                        neg != 0,
                        neg == 0,
                        bit(neg, 7),
                        neg == 0x80,
                        bit(neg, 3) || bit(a, 3),
                    ),
                ),
                (
                    "logic",
                    Flags::logic,
                    a,
                    sreg(before, keep_hit | C, false, a == 0, bit(a, 7), false, false),
                ),
            ];
            for (name, operation, result, after) in cases {
                let mut flags = Flags::from_sreg(before);
                assert_eq!(operation(&mut flags, a), result, "{name} {a:#x}");
                check(&format!("{name} {a:#x}"), before, flags, after);
            }
        }
    }
}

#[test]
fn words_and_small_constants() {
    for a in 0..=u16::MAX {
        for k in [0, 1, 2, 31, 62, 63] {
            for before in [0x00, 0xff] {
                let keep = 0xc0 | H;
                let (rdh7, high) = (a >> 15 == 1, |r: u16| r >> 15 == 1);
                let mut flags = Flags::from_sreg(before);
                let r = flags.adiw(a, k);
                assert_eq!(r, a.wrapping_add(k.into()));
                let after = sreg(before, keep, !high(r) && rdh7, r == 0, high(r), !rdh7 && high(r), false);
                check(&format!("adiw {a:#x} {k}"), before, flags, after);
                let mut flags = Flags::from_sreg(before);
                let r = flags.sbiw(a, k);
                assert_eq!(r, a.wrapping_sub(k.into()));
                let after = sreg(before, keep, high(r) && !rdh7, r == 0, high(r), rdh7 && !high(r), false);
                check(&format!("sbiw {a:#x} {k}"), before, flags, after);
            }
        }
    }
}

#[test]
fn products() {
    for product in 0..=u16::MAX {
        for before in [0x00, 0xff, 0xff ^ S] {
            let keep = !(C | Z);
            let mut flags = Flags::from_sreg(before);
            assert_eq!(flags.mul(product), product);
            let c = product >> 15 == 1;
            let after = sreg(before, keep, c, product == 0, false, false, false);
            check(&format!("mul {product:#x}"), before, flags, after);
            let mut flags = Flags::from_sreg(before);
            let shifted = product.wrapping_shl(1);
            assert_eq!(flags.fmul(product), shifted);
            let after = sreg(before, keep, c, shifted == 0, false, false, false);
            check(&format!("fmul {product:#x}"), before, flags, after);
        }
    }
}
