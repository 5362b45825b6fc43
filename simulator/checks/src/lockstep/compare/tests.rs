//! The loop around two machines that count, one of which may be wrong.

use pennyweight_machine::account::Tally;

use super::{lockstep, Difference, Mode, Total};
use crate::lockstep::{Driver, Field, Memory, Session, State, Stretch};

/// Instructions of a program.
const LENGTH: u64 = 10;

/// Where the peer's state is wrong: in which program, at which point, in which field; the field behind
/// the last is memory.
#[derive(Clone, Copy, Debug)]
pub struct WrongState {
    pub program: u64,
    pub point: u64,
    pub field: usize,
}

/// A driver whose peer agrees, except for one wrong state.
#[derive(Debug)]
pub struct Toy {
    wrong: Option<WrongState>,
    programs: u64,
}

pub fn toy(wrong: Option<WrongState>) -> Toy {
    Toy { wrong, programs: 0 }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Count {
    register: u8,
    flags: u16,
    pc: u32,
}

impl State for Count {
    fn fields(&mut self) -> Vec<Field<'_>> {
        vec![
            Field::new("register", &mut self.register),
            Field::new("flags", &mut self.flags),
            Field::new("pc", &mut self.pc),
        ]
    }
}

pub struct Counting {
    wrong: Option<WrongState>,
    ours: u64,
    theirs: u64,
    replayed: u64,
}

fn state(count: u64) -> Count {
    Count { register: count as u8, flags: 1, pc: 0x100 + 2 * count as u32 }
}

impl Session for Counting {
    type State = Count;

    const BATCH: usize = 4;

    fn ours(&mut self) -> Result<Option<Stretch<Count>>, String> {
        if self.ours > LENGTH {
            return Ok(None);
        }
        let count = self.ours;
        self.ours += 1;
        let executed = count.checked_sub(1).map(|last| state(last).pc).into_iter().collect::<Vec<u32>>();
        let instructions = executed.len() as u64;
        let spent = Tally { instructions, cycles: 2 * instructions };
        Ok(Some(Stretch { executed, spent, state: state(count) }))
    }

    fn replay(&mut self) -> Result<(), String> {
        self.replayed = self.ours;
        Ok(())
    }

    fn theirs(&mut self, ours: &Count) -> Result<Count, String> {
        assert!(self.theirs < self.replayed, "asked before it was replayed");
        let count = self.theirs;
        self.theirs += 1;
        let mut theirs = state(count);
        assert_eq!(*ours, theirs);
        if let Some(WrongState { point, field, .. }) = self.wrong {
            if let (true, Some(field)) = (point == count, theirs.fields().get_mut(field)) {
                field.value.falsify(0);
            }
        }
        Ok(theirs)
    }

    fn memory(&mut self) -> Result<Option<Memory>, String> {
        let mut theirs = vec![7; 16];
        if self.wrong.is_some_and(|wrong| wrong.field == 3) {
            theirs[5] = 9;
        }
        Ok(Some(Memory { address: 0x2000, ours: vec![7; 16], theirs }))
    }

    fn whole(&mut self, steps: Tally) -> Result<(), String> {
        assert_eq!((steps.instructions, steps.cycles), (LENGTH, 2 * LENGTH));
        if self.wrong.is_some_and(|wrong| wrong.field == 4) {
            return Err("run as a whole, something else".into());
        }
        Ok(())
    }

    fn instruction(&self, address: u32) -> String {
        format!("instruction at {address}")
    }
}

impl Driver for Toy {
    type Session<'a> = Counting;

    fn peer(&self) -> String {
        "toy 1.0".into()
    }

    fn begin(&mut self, seed: u64, _short: bool) -> Result<Counting, String> {
        let wrong = self.wrong.filter(|wrong| wrong.program == self.programs);
        assert_eq!(seed, 3 + self.programs);
        self.programs += 1;
        Ok(Counting { wrong, ours: 0, theirs: 0, replayed: 0 })
    }

    fn remarks(&self) -> Vec<String> {
        vec!["a remark".into()]
    }
}

fn run(wrong: Option<WrongState>, falsify: bool) -> Result<Total, Difference> {
    lockstep(&mut toy(wrong), 3, 25, Mode { short: false, falsify }, |_| {})
}

#[test]
fn all_is_counted() {
    let plain = Total { programs: 3, instructions: 30, cycles: 60, states: 33, ..Total::default() };
    assert_eq!(run(None, false), Ok(plain));
    assert_eq!(run(None, true), Ok(Total { falsified: 33, fields: 3, ..plain }));
}

#[test]
fn every_wrong_state_is_found_wherever_it_is() {
    for program in 0..3 {
        for point in 0..=LENGTH {
            for (field, name) in ["register", "flags", "pc"].into_iter().enumerate() {
                let found = run(Some(WrongState { program, point, field }), false).expect_err(name);
                assert_eq!(found.seed, 3 + program);
                let lines: Vec<&str> = found.text.lines().collect();
                assert!(lines.last().is_some_and(|line| line.trim_start().starts_with(name)), "{lines:?}");
                let after = if point == 0 {
                    " differ at the start".to_owned()
                } else {
                    format!(" differ after {point} instructions, the last of which are:")
                };
                assert_eq!(lines[0], format!("seed {}: ours and toy 1.0{after}", found.seed));
                assert_eq!(lines.len() as u64, 3 + point.min(8));
            }
        }
    }
}

#[test]
fn a_difference_shows_what_led_there() {
    let found = run(Some(WrongState { program: 0, point: 2, field: 2 }), false).expect_err("a wrong state");
    let text = "seed 3: ours and toy 1.0 differ after 2 instructions, the last of which are:\n  \
                0x00000100  instruction at 256\n  \
                0x00000102  instruction at 258\n  \
                \x20                        before               ours         the peer's\n  \
                pc                   0x00000102         0x00000104         0x00000105";
    assert_eq!(found.text, text);
}

#[test]
fn other_memory_and_another_whole_run_are_found() {
    let found = run(Some(WrongState { program: 1, point: 99, field: 3 }), false).expect_err("a wrong state");
    let text = "seed 4: ours and toy 1.0 differ at the end in memory at 0x00002005: 0x07 and 0x09";
    assert_eq!(found.text, text);
    let found = run(Some(WrongState { program: 2, point: 99, field: 4 }), false).expect_err("a wrong state");
    assert_eq!(found.text, "seed 5: run as a whole, something else");
}

/// A state with a field that no comparison covers: falsifying must find that.
#[test]
fn a_field_that_is_not_compared_is_found() {
    #[derive(Clone, Debug)]
    struct Uncompared(u8, u8);
    impl PartialEq for Uncompared {
        fn eq(&self, other: &Self) -> bool {
            self.0 == other.0
        }
    }
    impl State for Uncompared {
        fn fields(&mut self) -> Vec<Field<'_>> {
            vec![Field::new("seen", &mut self.0), Field::new("unseen", &mut self.1)]
        }
    }
    struct Short(u8);
    impl Session for Short {
        type State = Uncompared;
        fn ours(&mut self) -> Result<Option<Stretch<Uncompared>>, String> {
            self.0 += 1;
            let spent = Tally { instructions: 1, cycles: 1 };
            Ok((self.0 < 9).then(|| Stretch { executed: vec![0], spent, state: Uncompared(self.0, 0) }))
        }
        fn theirs(&mut self, ours: &Uncompared) -> Result<Uncompared, String> {
            Ok(ours.clone())
        }
        fn instruction(&self, _: u32) -> String {
            String::new()
        }
    }
    struct Shorts;
    impl Driver for Shorts {
        type Session<'a> = Short;
        fn peer(&self) -> String {
            "short".into()
        }
        fn begin(&mut self, _: u64, _: bool) -> Result<Short, String> {
            Ok(Short(0))
        }
    }
    let run = |falsify| lockstep(&mut Shorts, 1, 8, Mode { short: true, falsify }, |_| {});
    assert_eq!(run(false).map(|total| total.states), Ok(8));
    let found = run(true).expect_err("a field that nothing compares");
    assert!(found.text.starts_with("seed 1: a changed unseen of the peer is not found"), "{}", found.text);
}
