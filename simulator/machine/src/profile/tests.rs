//! What a profile makes of reports. The image has add_three (0 to 0x10), after (0x10 to 0x14)
//! and main (0x14 to 0x2a).

use super::{Cost, Profile, Stack, Touched};
use crate::fault::Access;
use crate::image::Image;
use crate::observe::Observer;

const LINES: &[u8] = include_bytes!("../../tests/data/lines.elf");
const MAIN: u32 = 0x14;

fn image() -> Image {
    Image::parse(LINES).expect("a good image")
}

fn stack(functions: &[&str], instructions: u64, cycles: u64) -> Stack {
    let functions = functions.iter().map(|name| (*name).to_owned()).collect();
    Stack { functions, cost: Cost { instructions, cycles } }
}

#[test]
fn cycles_belong_to_the_stack_they_were_spent_in() {
    let image = image();
    let mut profile = Profile::new(&image);
    profile.instruction(MAIN, "rcall", 3);
    profile.called(0, 0x800);
    profile.instruction(0, "add", 1);
    profile.instruction(2, "ret", 4);
    profile.returned(0x802);
    profile.instruction(MAIN + 2, "add", 1);
    assert_eq!(profile.stacks(), [stack(&["main"], 2, 4), stack(&["main", "add_three"], 2, 5)]);
    let cost = |instructions, cycles| Cost { instructions, cycles };
    let mix = [("add", cost(2, 2)), ("rcall", cost(1, 3)), ("ret", cost(1, 4))];
    assert_eq!(profile.mix(), mix.map(|(name, cost)| (name.to_owned(), cost)));
}

#[test]
fn a_jump_to_another_function_takes_the_place_of_the_one_that_jumped() {
    let image = image();
    let mut profile = Profile::new(&image);
    profile.instruction(MAIN, "rcall", 3);
    profile.called(0, 0x800);
    profile.instruction(0, "rjmp", 2);
    profile.instruction(0x10, "ret", 4);
    profile.returned(0x802);
    profile.instruction(MAIN + 2, "ret", 4);
    let expected =
        [stack(&["main"], 2, 7), stack(&["main", "add_three"], 1, 2), stack(&["main", "after"], 1, 4)];
    assert_eq!(profile.stacks(), expected);
}

#[test]
fn a_call_that_only_reserves_stack_is_no_call() {
    let image = image();
    let mut profile = Profile::new(&image);
    profile.instruction(MAIN, "rcall", 3);
    profile.called(MAIN + 2, 0x800);
    profile.instruction(MAIN + 2, "rcall", 3);
    profile.called(0, 0x7fe);
    profile.instruction(0, "ret", 4);
    profile.returned(0x800);
    profile.instruction(MAIN + 4, "ret", 4);
    assert_eq!(profile.stacks(), [stack(&["main"], 3, 10), stack(&["main", "add_three"], 1, 4)]);
}

#[test]
fn a_function_that_calls_itself_has_deeper_stacks() {
    let image = image();
    let mut profile = Profile::new(&image);
    profile.instruction(0, "rcall", 3);
    profile.called(0, 0x800);
    profile.instruction(0, "ret", 4);
    profile.returned(0x802);
    profile.instruction(2, "ret", 4);
    assert_eq!(profile.stacks(), [stack(&["add_three"], 2, 7), stack(&["add_three", "add_three"], 1, 4)]);
}

#[test]
fn touched_bytes_are_joined_where_they_were_touched_alike() {
    let image = image();
    let mut profile = Profile::new(&image);
    profile.access(0x80_01fe, 4, Access::Write);
    profile.access(0x80_0200, 1, Access::Read);
    profile.access(0x20, 1, Access::Read);
    let touched = |start, end, read, written| Touched { start, end, read, written };
    let expected = [
        touched(0x20, 0x21, true, false),
        touched(0x80_01fe, 0x80_0200, false, true),
        touched(0x80_0200, 0x80_0201, true, true),
        touched(0x80_0201, 0x80_0202, false, true),
    ];
    assert_eq!(profile.touched(), expected);
}
