//! Converts the text of an instruction to halfwords, with a table made by GNU as.
//!
//! `assembled.txt` has a line for each instruction of the tests: its halfwords and its text in unified
//! syntax. `tests/test_thumb_assembly.py` checks every line against `arm-none-eabi-as`;
//! `python -m scripts.thumb_assembly --write` corrects them. To add an instruction, add a line `0000  text`
//! and run that command. The tests here need no assembler.

const TABLE: &str = include_str!("assembled.txt");

/// The halfwords of instructions, separated by semicolons. Text after `: ` is a remark for failure
/// messages.
/// `.short 0x1234, 0x5678` is used for encodings that have no text.
#[track_caller]
pub fn assemble(text: &str) -> Vec<u16> {
    let instructions = text.split(": ").next().unwrap_or_default();
    instructions.split("; ").flat_map(one).collect()
}

#[track_caller]
fn one(instruction: &str) -> Vec<u16> {
    let number = |digits: &str| u16::from_str_radix(digits, 16).expect("four hexadecimal digits");
    if let Some(numbers) = instruction.strip_prefix(".short ") {
        return numbers.split(", ").map(|each| number(each.strip_prefix("0x").expect("0x"))).collect();
    }
    let line = TABLE.lines().filter_map(|line| line.split_at_checked(9));
    let found = line.into_iter().find(|(_, text)| text.trim_start() == instruction);
    let Some((halfwords, _)) = found else {
        panic!("assembled.txt has no {instruction:?}: see assembler.rs");
    };
    halfwords.split_whitespace().map(number).collect()
}

#[test]
fn text_becomes_halfwords() {
    assert_eq!(assemble("adds r0, r1, r2: a remark"), [0x1888]);
    assert_eq!(assemble("nop; ldrd r0, r2, [r1]"), [0xbf00, 0xe9d1, 0x0200]);
    assert_eq!(assemble(".short 0xbff0, 0x1"), [0xbff0, 1]);
    assert!(std::panic::catch_unwind(|| assemble("adds r0, r1, r9")).is_err());
}

#[test]
fn each_instruction_is_listed_once() {
    let mut texts: Vec<&str> = TABLE.lines().map(|line| line[9..].trim_start()).collect();
    let all = texts.len();
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), all);
}
