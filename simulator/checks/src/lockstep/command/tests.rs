//! Command lines, and the report of a difference.

use std::path::PathBuf;

use super::super::compare::tests::{toy, WrongState};
use super::{Choice, Command, Failure, Request};
use crate::lockstep::Mode;

const COMMAND: Command = Command {
    name: "lockstep",
    choice: Some(Choice { option: "--set", names: &["a", "b"] }),
    folder: None,
    instructions: 1000,
    quick: 50,
};

type Read = (Vec<usize>, u64, u64, Mode);

fn read(words: &[&str]) -> Result<Read, String> {
    let found = COMMAND.options(words.iter().map(ToString::to_string))?;
    Ok((found.chosen, found.seed, found.instructions, found.mode))
}

#[test]
fn options_are_read() {
    let plain = Mode::default();
    let short = Mode { short: true, ..plain };
    assert_eq!(read(&[]), Ok((vec![0, 1], 1, 1000, plain)));
    assert_eq!(read(&["--quick", "--set", "b"]), Ok((vec![1], 1, 50, short)));
    assert_eq!(
        read(&["--seed", "7", "--instructions", "1_000_000", "--quick"]),
        Ok((vec![0, 1], 7, 1_000_000, short))
    );
    assert_eq!(read(&["--falsify"]), Ok((vec![0, 1], 1, 1000, Mode { falsify: true, ..plain })));
}

#[test]
fn wrong_options_are_reported_with_the_usage() {
    let usage = "usage: lockstep [--set a|b] [--seed S] [--instructions N] [--quick] [--falsify]";
    assert_eq!(read(&["--seed"]), Err(format!("--seed needs a value; {usage}")));
    assert_eq!(read(&["--seed", "x"]), Err(format!("--seed x: not a number; {usage}")));
    assert_eq!(read(&["--set", "c"]), Err(format!("--set c is unknown; {usage}")));
    assert_eq!(read(&["--fast"]), Err(format!("--fast is unknown; {usage}")));
    let wrong = COMMAND.run(["--fast".to_owned()].into_iter(), |_, _| panic!("nothing is run"));
    assert_eq!(wrong, Err(Failure::Impossible(format!("--fast is unknown; {usage}"))));
}

#[test]
fn each_choice_has_its_share() {
    let mut seen = Vec::new();
    let done = COMMAND.run(["--instructions", "7"].map(String::from).into_iter(), |which, request| {
        seen.push((which, request.command.clone(), request.instructions));
        Ok(String::new())
    });
    assert_eq!(done, Ok(()));
    assert_eq!(seen, [(0, "lockstep --set a".into(), 4), (1, "lockstep --set b".into(), 4)]);
}

fn request(mode: Mode) -> Request {
    let (command, folder) = ("lockstep --set a".into(), PathBuf::new());
    Request { command, folder, seed: 3, instructions: 25, mode }
}

#[test]
fn agreement_is_reported_with_its_figures() {
    let report =
        request(Mode { falsify: true, ..Mode::default() }).lockstep(Ok(toy(None))).expect("no wrong state");
    assert!(
        report.starts_with(
            "lockstep --set a: 30 instructions, 60 cycles; random programs: 3; states equal to toy 1.0: 33 \
             (seed 3, "
        ),
        "{report}"
    );
    assert!(
        report.contains("\n  changed states of the peer: 33 in 3 different fields, all found"),
        "{report}"
    );
    assert!(report.ends_with("\n  a remark"), "{report}");
}

#[test]
fn a_difference_is_reported_with_the_command_that_repeats_it() {
    let wrong = WrongState { program: 1, point: 4, field: 1 };
    let result = request(Mode { short: true, falsify: false }).lockstep(Ok(toy(Some(wrong))));
    let Err(Failure::Different(text)) = result else { panic!("{result:?}") };
    assert!(text.starts_with("seed 4: ours and toy 1.0 differ after 4 instructions"), "{text}");
    assert!(text.ends_with("\nrepeat it with: lockstep --set a --seed 4 --instructions 1 --quick"), "{text}");
}

#[test]
fn a_peer_that_cannot_be_run_is_no_difference() {
    let absent: Result<crate::lockstep::compare::tests::Toy, _> = Err("install it".to_owned());
    assert_eq!(request(Mode::default()).lockstep(absent), Err(Failure::Impossible("install it".into())));
}
