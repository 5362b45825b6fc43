//! The official tests' values, from `official/`.

use super::assembler::{format, word, Format};
use super::harness::{check, PC};

fn numbers(text: &str) -> Vec<u32> {
    text.split(',').map(|n| u32::from_str_radix(n, 16).expect("a hexadecimal number")).collect()
}

/// The cycles that the core takes by its manual; a division takes one for each bit of the
/// quotient and one more.
fn cycles(name: &str, a: u32, b: u32) -> u64 {
    let (a, b) = match name {
        "div" | "rem" => ((a as i32).unsigned_abs(), (b as i32).unsigned_abs()),
        "divu" | "remu" => (a, b),
        _ => return 1,
    };
    let length = |x: u32| 32 - u64::from(x.leading_zeros());
    let bits = if b == 0 { 32 } else { (length(a) + 1).saturating_sub(length(b)) };
    (bits + 1).clamp(2, 33)
}

#[test]
fn arithmetic() {
    let mut cases = 0;
    for line in include_str!("../official/values.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let name = words.next().expect("a name");
        for case in words {
            let (result, operands) = case.split_once('=').expect("result=operands");
            let result = numbers(result)[0];
            let operands = numbers(operands);
            let (a, b) = (operands[0], *operands.get(1).unwrap_or(&0));
            let took = cycles(name, a, b);
            let about = |form: &str| format!("{name} {case}, {form}");
            if format(name) == Format::R {
                let before = format!("x5={a:x} x6={b:x}");
                check(
                    &about("three registers"),
                    word(name, 7, 5, 6),
                    &before,
                    &format!("x7={result:x}"),
                    took,
                );
                // Where the official tests let the destination be a source, and x0 the destination.
                check(&about("d = n"), word(name, 5, 5, 6), &before, &format!("x5={result:x}"), took);
                check(&about("d = m"), word(name, 6, 5, 6), &before, &format!("x6={result:x}"), took);
                check(&about("to x0"), word(name, 0, 5, 6), &before, "", took);
                if a == 0 {
                    check(&about("n = x0"), word(name, 7, 0, 6), &before, &format!("x7={result:x}"), took);
                }
                if b == 0 {
                    check(&about("m = x0"), word(name, 7, 5, 0), &before, &format!("x7={result:x}"), took);
                }
            } else {
                let before = format!("x5={a:x}");
                let b = b as i32;
                check(&about("two registers"), word(name, 7, 5, b), &before, &format!("x7={result:x}"), 1);
                check(&about("d = n"), word(name, 5, 5, b), &before, &format!("x5={result:x}"), 1);
                check(&about("to sp"), word(name, 2, 5, b), &before, &format!("x2={result:x}"), 1);
                check(&about("to x0"), word(name, 0, 5, b), &before, "", 1);
            }
            cases += 1;
        }
    }
    assert!(cases > 600, "{cases}");
}

#[test]
fn branches() {
    let mut cases = 0;
    for line in include_str!("../official/branches.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let name = words.next().expect("a name");
        for case in words {
            let (way, operands) = case.split_once('=').expect("way=operands");
            let operands = numbers(operands);
            let before = format!("x5={:x} x6={:x}", operands[0], operands[1]);
            for offset in [0x20, -0x20, 0xffe, -0x100] {
                // A branch that is taken for the first time is mispredicted.
                let (after, took) = match way {
                    "taken" => (format!("pc={:x}", PC.wrapping_add_signed(offset)), 4),
                    _ => (String::new(), 1),
                };
                let asm = format!("{name} {case} {offset:+}");
                check(&asm, word(name, 5, 6, offset), &before, &after, took);
            }
            cases += 1;
        }
    }
    assert!(cases > 40, "{cases}");
}
