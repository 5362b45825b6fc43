//! The command of a lock step with QEMU: its options, its loop over random programs, its report.

use std::process::ExitCode;
use std::time::Instant;

use crate::qemu::Qemu;
use crate::thumb::random::Random;

/// A lock step with QEMU.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// The command's name.
    pub name: &'static str,
    /// What `--set` chooses among, the first unless it is given; empty if there is no choice.
    pub sets: &'static [&'static str],
    /// Instructions of `--quick`.
    pub quick: u64,
    /// Length of the programs of `--quick`, in the generator's unit.
    pub short: usize,
}

struct Options {
    set: usize,
    seed: u64,
    instructions: u64,
    quick: bool,
}

impl Command {
    /// Runs the command: programs of random seeds until so many instructions agree.
    ///
    /// `compare` takes the number of the set, the program's seed, its length and the passes through
    /// it; it returns the instructions compared, or a sentence.
    #[must_use]
    pub fn run(
        &self,
        qemu: Result<Qemu, String>,
        mut compare: impl FnMut(&Qemu, usize, u64, usize, u16) -> Result<u64, String>,
    ) -> ExitCode {
        let options = match self.options(std::env::args().skip(1)) {
            Ok(options) => options,
            Err(sentence) => {
                eprintln!("{}: {sentence}", self.name);
                return ExitCode::from(2);
            }
        };
        match qemu.and_then(|qemu| self.lockstep(&options, &qemu, &mut compare)) {
            Ok(report) => {
                println!("{}: {report}", self.name);
                ExitCode::SUCCESS
            }
            Err(report) => {
                eprintln!("{}: {report}", self.name);
                ExitCode::FAILURE
            }
        }
    }

    fn usage(&self) -> String {
        let set = match self.sets {
            [] => String::new(),
            sets => format!(" [--set {}]", sets.join("|")),
        };
        format!("usage: {}{set} [--seed S] [--instructions N] [--quick]", self.name)
    }

    fn options(&self, mut args: impl Iterator<Item = String>) -> Result<Options, String> {
        let usage = self.usage();
        let mut options = Options { set: 0, seed: 1, instructions: 1_000_000, quick: false };
        let mut instructions = None;
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or(format!("{arg} needs a value; {usage}"));
            let number = |text: String| -> Result<u64, String> {
                text.replace('_', "").parse().map_err(|_| format!("{arg} {text}: not a number; {usage}"))
            };
            match arg.as_str() {
                "--seed" => options.seed = number(value()?)?,
                "--instructions" => instructions = Some(number(value()?)?),
                "--quick" => options.quick = true,
                "--set" if !self.sets.is_empty() => {
                    let name = value()?;
                    let known = self.sets.iter().position(|&set| set == name);
                    options.set = known.ok_or(format!("--set {name}: no such set; {usage}"))?;
                }
                _ => return Err(format!("{arg} is unknown; {usage}")),
            }
        }
        options.instructions =
            instructions.unwrap_or(if options.quick { self.quick } else { options.instructions });
        Ok(options)
    }

    fn lockstep(
        &self,
        options: &Options,
        qemu: &Qemu,
        compare: &mut impl FnMut(&Qemu, usize, u64, usize, u16) -> Result<u64, String>,
    ) -> Result<String, String> {
        // Short programs show more different instructions, long ones cost fewer starts of QEMU.
        let (length, passes) = if options.quick { (self.short, 2) } else { (30_000, 4) };
        let mut seeds = Random::new(options.seed);
        let start = Instant::now();
        let (mut instructions, mut programs) = (0, 0);
        while instructions < options.instructions {
            // The first program's seed is the one given, so that a report's seed repeats its program.
            let seed = if programs == 0 { options.seed } else { seeds.next() };
            instructions += compare(qemu, options.set, seed, length, passes)?;
            programs += 1;
        }
        let of = self.sets.get(options.set).map_or(String::new(), |set| format!(" of {set}"));
        Ok(format!(
            "{instructions} instructions in {programs} random programs{of} agree with {} (seed {}, {:.1} s)",
            qemu.version,
            options.seed,
            start.elapsed().as_secs_f64()
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::Command;

    const COMMAND: Command = Command { name: "lockstep", sets: &["a", "b"], quick: 50, short: 9 };

    fn told(words: &[&str]) -> Result<(usize, u64, u64, bool), String> {
        let found = COMMAND.options(words.iter().map(ToString::to_string))?;
        Ok((found.set, found.seed, found.instructions, found.quick))
    }

    #[test]
    fn options_are_read() {
        assert_eq!(told(&[]), Ok((0, 1, 1_000_000, false)));
        assert_eq!(told(&["--quick", "--set", "b"]), Ok((1, 1, 50, true)));
        assert_eq!(told(&["--seed", "7", "--instructions", "1_000", "--quick"]), Ok((0, 7, 1000, true)));
    }

    #[test]
    fn wrong_options_are_told_with_the_usage() {
        let usage = "usage: lockstep [--set a|b] [--seed S] [--instructions N] [--quick]";
        assert_eq!(told(&["--seed"]), Err(format!("--seed needs a value; {usage}")));
        assert_eq!(told(&["--seed", "x"]), Err(format!("--seed x: not a number; {usage}")));
        assert_eq!(told(&["--set", "c"]), Err(format!("--set c: no such set; {usage}")));
        assert_eq!(told(&["--fast"]), Err(format!("--fast is unknown; {usage}")));
    }
}
