//! Random programs, made from the encodings as the manual prints them (DS40002198, chapter 5).

use crate::random::Random;

use super::chip::Chip;

/// Encodings with how often each is drawn. A letter's bits are random, except: `k` of the branches,
/// near; `A` of IN and OUT, one of the registers that the guide allows; `M` and `F` in a second word,
/// an SRAM address and a flash address.
const FORMS: &[(u32, &str)] = &[
    (4, "0001 11rd dddd rrrr"),                     // adc
    (4, "0000 11rd dddd rrrr"),                     // add
    (4, "1001 0110 KKpp KKKK"),                     // adiw
    (3, "0010 00rd dddd rrrr"),                     // and
    (2, "0111 KKKK hhhh KKKK"),                     // andi
    (3, "1001 010d dddd 0101"),                     // asr
    (3, "1001 0100 1sss 1000"),                     // bclr
    (3, "1111 100d dddd 0bbb"),                     // bld
    (8, "1111 01kk kkkk ksss"),                     // brbc
    (8, "1111 00kk kkkk ksss"),                     // brbs
    (3, "1001 0100 0sss 1000"),                     // bset
    (3, "1111 101d dddd 0bbb"),                     // bst
    (3, "1001 0100 0000 1110 FFFF FFFF FFFF FFFF"), // call
    (2, "1001 1000 1111 0bbb"),                     // cbi 0x1e
    (3, "1001 010d dddd 0000"),                     // com
    (3, "0001 01rd dddd rrrr"),                     // cp
    (4, "0000 01rd dddd rrrr"),                     // cpc
    (3, "0011 KKKK hhhh KKKK"),                     // cpi
    (4, "0001 00rd dddd rrrr"),                     // cpse
    (3, "1001 010d dddd 1010"),                     // dec
    (2, "1001 0101 1101 1000"),                     // elpm
    (2, "1001 000d dddd 011s"),                     // elpm Rd, Z and Z+
    (3, "0010 01rd dddd rrrr"),                     // eor
    (3, "0000 0011 fmmm fnnn"),                     // mulsu, fmul, fmuls, fmulsu
    (1, "1001 0101 0000 1001"),                     // icall
    (1, "1001 0100 0000 1001"),                     // ijmp
    (6, "1011 0AAd dddd AAAA"),                     // in
    (3, "1001 010d dddd 0011"),                     // inc
    (2, "1001 0100 0000 1100 FFFF FFFF FFFF FFFF"), // jmp
    (3, "1001 000d dddd 1100"),                     // ld X
    (3, "1001 000d dddd 1101"),                     // ld X+
    (3, "1001 000d dddd 1110"),                     // ld -X
    (3, "1001 000d dddd y001"),                     // ld Z+, ld Y+
    (3, "1001 000d dddd y010"),                     // ld -Z, ld -Y
    (6, "10q0 qq0d dddd yqqq"),                     // ldd
    (6, "1110 KKKK hhhh KKKK"),                     // ldi
    (3, "1001 000d dddd 0000 MMMM MMMM MMMM MMMM"), // lds
    (1, "1001 0101 1100 1000"),                     // lpm
    (3, "1001 000d dddd 010s"),                     // lpm Rd, Z and Z+
    (3, "1001 010d dddd 0110"),                     // lsr
    (3, "0010 11rd dddd rrrr"),                     // mov
    (3, "0000 0001 wwww vvvv"),                     // movw
    (3, "1001 11rd dddd rrrr"),                     // mul
    (3, "0000 0010 hhhh gggg"),                     // muls
    (4, "1001 010d dddd 0001"),                     // neg
    (1, "0000 0000 0000 0000"),                     // nop
    (3, "0010 10rd dddd rrrr"),                     // or
    (2, "0110 KKKK hhhh KKKK"),                     // ori
    (6, "1011 1AAd dddd AAAA"),                     // out
    (4, "1001 000d dddd 1111"),                     // pop
    (4, "1001 001d dddd 1111"),                     // push
    (3, "1101 kkkk kkkk kkkk"),                     // rcall
    (3, "1001 0101 0000 1000"),                     // ret
    (1, "1001 0101 0001 1000"),                     // reti
    (2, "1100 kkkk kkkk kkkk"),                     // rjmp
    (3, "1001 010d dddd 0111"),                     // ror
    (4, "0000 10rd dddd rrrr"),                     // sbc
    (3, "0100 KKKK hhhh KKKK"),                     // sbci
    (2, "1001 1010 1111 0bbb"),                     // sbi 0x1e
    (2, "1001 1001 1111 0bbb"),                     // sbic 0x1e
    (2, "1001 1011 1111 0bbb"),                     // sbis 0x1e
    (3, "1001 0111 KKpp KKKK"),                     // sbiw
    (3, "1111 110d dddd 0bbb"),                     // sbrc
    (3, "1111 111d dddd 0bbb"),                     // sbrs
    (3, "1001 001d dddd 1100"),                     // st X
    (3, "1001 001d dddd 1101"),                     // st X+
    (3, "1001 001d dddd 1110"),                     // st -X
    (3, "1001 001d dddd y001"),                     // st Z+, st Y+
    (3, "1001 001d dddd y010"),                     // st -Z, st -Y
    (6, "10q0 qq1d dddd yqqq"),                     // std
    (3, "1001 001d dddd 0000 MMMM MMMM MMMM MMMM"), // sts
    (4, "0001 10rd dddd rrrr"),                     // sub
    (3, "0101 KKKK hhhh KKKK"),                     // subi
    (3, "1001 010d dddd 0010"),                     // swap
    (1, "1001 0101 1010 1000"),                     // wdr
];

/// I/O addresses that IN and OUT may name: data-space addresses less 0x20.
const IO: [u16; 5] = [0x1e, 0x3b, 0x3d, 0x3e, 0x3f];

/// A program that fills flash.
#[must_use]
pub fn program(chip: Chip, random: &mut Random) -> Vec<u16> {
    let total: u32 = FORMS.iter().map(|(weight, _)| weight).sum();
    let mut words = Vec::with_capacity(chip.words() as usize + 1);
    while words.len() < chip.words() as usize {
        let mut drawn = random.below(total);
        let form = FORMS.iter().find(|(weight, _)| {
            let found = drawn < *weight;
            drawn = drawn.saturating_sub(*weight);
            found
        });
        if let Some((_, form)) = form {
            words.extend(encode(form, chip, random));
        }
    }
    words.truncate(chip.words() as usize);
    words
}

/// The form with its letters' bits filled.
fn encode(form: &str, chip: Chip, random: &mut Random) -> Vec<u16> {
    let bits: Vec<char> = form.chars().filter(|c| *c != ' ').collect();
    bits.chunks(16)
        .map(|word| match word[0] {
            'M' => chip.sram + random.below(u32::from(chip.sram_end - chip.sram)) as u16,
            'F' => random.below(chip.words()) as u16,
            _ => first(word, random),
        })
        .collect()
}

fn first(bits: &[char], random: &mut Random) -> u16 {
    let free = random.next() as u16;
    let near = random.below(33) as i32 - 16;
    let io = random.pick(&IO);
    let mut used = [0; 2];
    let mut word = 0;
    // From the lowest bit up, so that a letter's bits come in their order.
    for (position, letter) in bits.iter().rev().enumerate() {
        let bit = match letter {
            '0' | '1' => u16::from(*letter == '1'),
            'k' => (near >> take(&mut used[0])) as u16 & 1,
            'A' => io >> take(&mut used[1]) & 1,
            _ => free >> position & 1,
        };
        word |= bit << position;
    }
    word
}

fn take(counter: &mut u32) -> u32 {
    *counter += 1;
    *counter - 1
}
