//! A small assembler that uses the manual's printed encodings (DS40002198, chapter 5).
//!
//! It shares nothing with the decoder, so that each checks the other.

use pennyweight_avr::Code;

/// One line of the manual: mnemonic, operands, encoding, and the code that the decoder gives it.
///
/// Operands: `d`, `r` any register; `h`, `g` r16 to r31; `m`, `n` r16 to r23; `w`, `v` the lower register of an
/// aligned pair; `p` r24, r26, r28 or r30; other letters are numbers. Relative distances are written
/// in words from the next instruction.
pub struct Form {
    pub name: &'static str,
    pub operands: &'static [&'static str],
    pub bits: &'static str,
    pub code: Code,
}

macro_rules! forms {
    ($($name:literal [$($operand:literal),*] $bits:literal $code:ident;)*) => {
        &[$(Form { name: $name, operands: &[$($operand),*], bits: $bits, code: Code::$code }),*]
    };
}

pub const FORMS: &[Form] = forms! {
    "adc" ["d", "r"] "0001 11rd dddd rrrr" Adc;
    "add" ["d", "r"] "0000 11rd dddd rrrr" Add;
    "adiw" ["p", "K"] "1001 0110 KKpp KKKK" Adiw;
    "and" ["d", "r"] "0010 00rd dddd rrrr" And;
    "andi" ["h", "K"] "0111 KKKK hhhh KKKK" Andi;
    "asr" ["d"] "1001 010d dddd 0101" Asr;
    "bclr" ["s"] "1001 0100 1sss 1000" Bclr;
    "bld" ["d", "b"] "1111 100d dddd 0bbb" Bld;
    "brcc" ["k"] "1111 01kk kkkk k000" Brcc;
    "brcs" ["k"] "1111 00kk kkkk k000" Brcs;
    "breq" ["k"] "1111 00kk kkkk k001" Breq;
    "brge" ["k"] "1111 01kk kkkk k100" Brge;
    "brhc" ["k"] "1111 01kk kkkk k101" Brhc;
    "brhs" ["k"] "1111 00kk kkkk k101" Brhs;
    "brid" ["k"] "1111 01kk kkkk k111" Brid;
    "brie" ["k"] "1111 00kk kkkk k111" Brie;
    "brlt" ["k"] "1111 00kk kkkk k100" Brlt;
    "brmi" ["k"] "1111 00kk kkkk k010" Brmi;
    "brne" ["k"] "1111 01kk kkkk k001" Brne;
    "brpl" ["k"] "1111 01kk kkkk k010" Brpl;
    "brtc" ["k"] "1111 01kk kkkk k110" Brtc;
    "brts" ["k"] "1111 00kk kkkk k110" Brts;
    "brvc" ["k"] "1111 01kk kkkk k011" Brvc;
    "brvs" ["k"] "1111 00kk kkkk k011" Brvs;
    "break" [] "1001 0101 1001 1000" Break;
    "bset" ["s"] "1001 0100 0sss 1000" Bset;
    "bst" ["d", "b"] "1111 101d dddd 0bbb" Bst;
    "call" ["k"] "1001 010k kkkk 111k kkkk kkkk kkkk kkkk" Call;
    "cbi" ["A", "b"] "1001 1000 AAAA Abbb" Cbi;
    "com" ["d"] "1001 010d dddd 0000" Com;
    "cp" ["d", "r"] "0001 01rd dddd rrrr" Cp;
    "cpc" ["d", "r"] "0000 01rd dddd rrrr" Cpc;
    "cpi" ["h", "K"] "0011 KKKK hhhh KKKK" Cpi;
    "cpse" ["d", "r"] "0001 00rd dddd rrrr" Cpse;
    "dec" ["d"] "1001 010d dddd 1010" Dec;
    "elpm" [] "1001 0101 1101 1000" Elpm;
    "elpm" ["d", "Z"] "1001 000d dddd 0110" Elpm;
    "elpm" ["d", "Z+"] "1001 000d dddd 0111" ElpmInc;
    "eor" ["d", "r"] "0010 01rd dddd rrrr" Eor;
    "fmul" ["m", "n"] "0000 0011 0mmm 1nnn" Fmul;
    "fmuls" ["m", "n"] "0000 0011 1mmm 0nnn" Fmuls;
    "fmulsu" ["m", "n"] "0000 0011 1mmm 1nnn" Fmulsu;
    "icall" [] "1001 0101 0000 1001" Icall;
    "ijmp" [] "1001 0100 0000 1001" Ijmp;
    "in" ["d", "A"] "1011 0AAd dddd AAAA" In;
    "inc" ["d"] "1001 010d dddd 0011" Inc;
    "jmp" ["k"] "1001 010k kkkk 110k kkkk kkkk kkkk kkkk" Jmp;
    "ld" ["d", "X"] "1001 000d dddd 1100" Ld;
    "ld" ["d", "X+"] "1001 000d dddd 1101" LdInc;
    "ld" ["d", "-X"] "1001 000d dddd 1110" LdDec;
    "ld" ["d", "Y+"] "1001 000d dddd 1001" LdInc;
    "ld" ["d", "-Y"] "1001 000d dddd 1010" LdDec;
    "ld" ["d", "Z+"] "1001 000d dddd 0001" LdInc;
    "ld" ["d", "-Z"] "1001 000d dddd 0010" LdDec;
    "ldd" ["d", "Y", "q"] "10q0 qq0d dddd 1qqq" Ld;
    "ldd" ["d", "Z", "q"] "10q0 qq0d dddd 0qqq" Ld;
    "ldi" ["h", "K"] "1110 KKKK hhhh KKKK" Ldi;
    "lds" ["d", "k"] "1001 000d dddd 0000 kkkk kkkk kkkk kkkk" Lds;
    "lpm" [] "1001 0101 1100 1000" Lpm;
    "lpm" ["d", "Z"] "1001 000d dddd 0100" Lpm;
    "lpm" ["d", "Z+"] "1001 000d dddd 0101" LpmInc;
    "lsr" ["d"] "1001 010d dddd 0110" Lsr;
    "mov" ["d", "r"] "0010 11rd dddd rrrr" Mov;
    "movw" ["w", "v"] "0000 0001 wwww vvvv" Movw;
    "mul" ["d", "r"] "1001 11rd dddd rrrr" Mul;
    "muls" ["h", "g"] "0000 0010 hhhh gggg" Muls;
    "mulsu" ["m", "n"] "0000 0011 0mmm 0nnn" Mulsu;
    "neg" ["d"] "1001 010d dddd 0001" Neg;
    "nop" [] "0000 0000 0000 0000" Nop;
    "or" ["d", "r"] "0010 10rd dddd rrrr" Or;
    "ori" ["h", "K"] "0110 KKKK hhhh KKKK" Ori;
    "out" ["A", "r"] "1011 1AAr rrrr AAAA" Out;
    "pop" ["d"] "1001 000d dddd 1111" Pop;
    "push" ["d"] "1001 001d dddd 1111" Push;
    "rcall" ["k"] "1101 kkkk kkkk kkkk" Rcall;
    "ret" [] "1001 0101 0000 1000" Ret;
    "reti" [] "1001 0101 0001 1000" Reti;
    "rjmp" ["k"] "1100 kkkk kkkk kkkk" Rjmp;
    "ror" ["d"] "1001 010d dddd 0111" Ror;
    "sbc" ["d", "r"] "0000 10rd dddd rrrr" Sbc;
    "sbci" ["h", "K"] "0100 KKKK hhhh KKKK" Sbci;
    "sbi" ["A", "b"] "1001 1010 AAAA Abbb" Sbi;
    "sbic" ["A", "b"] "1001 1001 AAAA Abbb" Sbic;
    "sbis" ["A", "b"] "1001 1011 AAAA Abbb" Sbis;
    "sbiw" ["p", "K"] "1001 0111 KKpp KKKK" Sbiw;
    "sbrc" ["d", "b"] "1111 110d dddd 0bbb" Sbrc;
    "sbrs" ["d", "b"] "1111 111d dddd 0bbb" Sbrs;
    "sleep" [] "1001 0101 1000 1000" Sleep;
    "spm" [] "1001 0101 1110 1000" Spm;
    "st" ["X", "d"] "1001 001d dddd 1100" St;
    "st" ["X+", "d"] "1001 001d dddd 1101" StInc;
    "st" ["-X", "d"] "1001 001d dddd 1110" StDec;
    "st" ["Y+", "d"] "1001 001d dddd 1001" StInc;
    "st" ["-Y", "d"] "1001 001d dddd 1010" StDec;
    "st" ["Z+", "d"] "1001 001d dddd 0001" StInc;
    "st" ["-Z", "d"] "1001 001d dddd 0010" StDec;
    "std" ["Y", "q", "d"] "10q0 qq1d dddd 1qqq" St;
    "std" ["Z", "q", "d"] "10q0 qq1d dddd 0qqq" St;
    "sts" ["k", "d"] "1001 001d dddd 0000 kkkk kkkk kkkk kkkk" Sts;
    "sub" ["d", "r"] "0001 10rd dddd rrrr" Sub;
    "subi" ["h", "K"] "0101 KKKK hhhh KKKK" Subi;
    "swap" ["d"] "1001 010d dddd 0010" Swap;
    "wdr" [] "1001 0101 1010 1000" Wdr;
};

/// Words of one instruction: `asm("ldd r4, Y+2")`.
pub fn asm(text: &str) -> Vec<u16> {
    let (name, rest) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    // "Y+2" is two operands, "Y+" and "-Y" are one.
    let mut given: Vec<String> = Vec::new();
    for operand in rest.split(',').map(str::trim).filter(|o| !o.is_empty()) {
        match operand.split_once('+') {
            Some((pointer, q)) if !q.is_empty() => given.extend([pointer.to_owned(), q.to_owned()]),
            _ => given.push(operand.to_owned()),
        }
    }
    FORMS
        .iter()
        .filter(|form| form.name == name && form.operands.len() == given.len())
        .find_map(|form| encode(form, &given))
        .unwrap_or_else(|| panic!("the test's assembler does not know {text:?}"))
}

/// Words of several instructions, separated by semicolons or line ends.
pub fn program(text: &str) -> Vec<u16> {
    text.split([';', '\n']).filter(|line| !line.trim().is_empty()).flat_map(asm).collect()
}

fn encode(form: &Form, given: &[String]) -> Option<Vec<u16>> {
    let bits: Vec<char> = form.bits.chars().filter(|c| *c != ' ').collect();
    let mut word: u64 = bits.iter().fold(0, |word, c| word << 1 | u64::from(*c == '1'));
    for (kind, value) in form.operands.iter().zip(given) {
        let letter = kind.chars().next()?;
        if matches!(*kind, "X" | "X+" | "-X" | "Y" | "Y+" | "-Y" | "Z" | "Z+" | "-Z") {
            if kind != value {
                return None;
            }
            continue;
        }
        let mut field = field(letter, value)?;
        for (position, _) in bits.iter().rev().enumerate().filter(|(_, c)| **c == letter) {
            word |= (field as u64 & 1) << position;
            field >>= 1;
        }
        if field != 0 && field != -1 {
            panic!("operand {value} does not fit {} {:?}", form.name, form.operands);
        }
    }
    Some((0..bits.len() / 16).rev().map(|i| (word >> (16 * i)) as u16).collect())
}

/// The value of an operand's bits.
fn field(letter: char, value: &str) -> Option<i64> {
    let register = || value.strip_prefix('r')?.parse::<i64>().ok();
    match letter {
        'd' | 'r' => register(),
        'h' | 'g' | 'm' | 'n' => register().map(|r| r - 16),
        'w' | 'v' => register().map(|r| r / 2),
        'p' => register().map(|r| (r - 24) / 2),
        _ => match value.strip_prefix("0x") {
            Some(hex) => i64::from_str_radix(hex, 16).ok(),
            None => value.parse().ok(),
        },
    }
}
