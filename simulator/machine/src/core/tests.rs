//! Each refusal of a core file, by its sentence.

use super::CoreFile;
use crate::board::Board;

const GOOD: &str = r#"
name = "toy"
title = "not ours"
instruction_set = "toys"
bits = 32
endianness = "little"
abi = "toy-abi"
extensions = ["m"]
optional = ["zbb"]

[timing]
model = "walk"
multiply = 5

[compiler]
select = []
"#;

fn core(from: &str, to: &str) -> CoreFile {
    let text = GOOD.replacen(from, to, 1);
    CoreFile::from_toml(&text, "toy.toml").expect("good")
}

fn board(core: CoreFile, extensions: &[&str]) -> Board {
    Board {
        extensions: extensions.iter().map(ToString::to_string).collect(),
        ..Board::plain(core, Vec::new())
    }
}

#[test]
fn a_good_file_is_read() {
    let core = core("", "");
    assert_eq!((core.name.as_str(), core.bits, core.abi.as_str()), ("toy", 32, "toy-abi"));
    assert_eq!((core.instruction_set.as_str(), core.timing.as_str()), ("toys", "walk"));
    let mut parameters = core.parameters();
    assert_eq!(parameters.number("multiply", 1, (1, 64), "cycles"), Ok(5));
    assert_eq!(parameters.number("load", 2, (1, 64), "cycles"), Ok(2));
    assert_eq!(parameters.finish(), Ok(()));
    assert_eq!(board(core, &["zbb", "m"]).all_extensions(), Ok(vec!["m".into(), "zbb".into()]));
}

#[test]
fn every_mistake_in_the_file_has_its_sentence() {
    let cases = [
        ("name = \"toy\"\n", "", "toy.toml: name is missing; add it: the core's name in board files"),
        (
            "bits = 32",
            "bits = 7",
            "toy.toml: bits is 7; give the width of the core's registers, from 8 to 64",
        ),
        (
            "\"little\"",
            "\"big\"",
            "toy.toml: endianness is \"big\", which no simulator has; write \"little\"",
        ),
        (
            "[\"zbb\"]",
            "[\"m\"]",
            "toy.toml: optional has \"m\", which is in extensions too; remove it from one",
        ),
        ("model = \"walk\"", "", "toy.toml: [timing]: model is missing; add it: the timing model's name"),
        ("multiply = 5", "multiply = 5.0", "toy.toml: [timing]: multiply must be a whole number"),
        ("bits = 32", "bits == 32", "toy.toml: line 5 is not TOML"),
    ];
    for (from, to, sentence) in cases {
        let text = GOOD.replacen(from, to, 1);
        assert_ne!(text, GOOD, "the test's replacement {from:?} must hit");
        let message = CoreFile::from_toml(&text, "toy.toml").expect_err("refused").to_string();
        assert!(message.starts_with(sentence) && !message.contains('\n'), "{message:?}");
    }
}

#[test]
fn what_the_instruction_set_or_the_model_does_not_have_is_refused() {
    let core = core("", "");
    let refusal = |result: Result<(), crate::BoardError>| result.expect_err("refused").to_string();
    assert_eq!(core.check_extensions(&["m", "zbb"]), Ok(()));
    assert_eq!(
        refusal(core.check_extensions(&["m", "a", "c"])),
        "toy.toml: optional has \"zbb\", which is no extension of toys; correct it to \"m\", \"a\" or \"c\""
    );
    assert_eq!(
        refusal(core.check_extensions(&[])),
        "toy.toml: extensions has \"m\", but the instruction set toys has no extensions; remove it"
    );
    assert_eq!(
        refusal(core.one_of("abi", &core.abi, &["x", "y"]).map(drop)),
        "toy.toml: abi is \"toy-abi\"; correct it to \"x\" or \"y\""
    );
    assert_eq!(
        refusal(core.parameters().number("multiply", 1, (1, 4), "the cycles of MUL").map(drop)),
        "toy.toml: [timing]: multiply is 5; give the cycles of MUL, from 1 to 4"
    );
    assert_eq!(
        refusal(core.parameters().choice("multiply", 1, &[1, 32], "the cycles of MUL").map(drop)),
        "toy.toml: [timing]: multiply is 5; give the cycles of MUL, 1 or 32"
    );
    assert_eq!(
        refusal(core.parameters().finish()),
        "toy.toml: [timing]: multiply is unknown; remove it or correct it to \"model\""
    );
}

#[test]
fn what_a_part_cannot_have_is_refused() {
    let refusal = |core: CoreFile, names: &[&str]| {
        board(core, names).all_extensions().expect_err("refused").to_string()
    };
    assert_eq!(
        refusal(core("", ""), &["a"]),
        "board test: core.extensions has \"a\", which the core \"toy\" cannot have; correct it to \"zbb\""
    );
    assert_eq!(
        refusal(core("optional = [\"zbb\"]", ""), &["a"]),
        "board test: core.extensions has \"a\", but the core \"toy\" has no optional extensions; remove it"
    );
}
