//! The command line of a lock step and its report.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use super::compare::{lockstep, Mode, Total};
use super::Driver;

/// An option that selects what is compared.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The option's name.
    pub option: &'static str,
    /// Its values.
    pub names: &'static [&'static str],
}

/// An option that names the folder that the peer is made of.
#[derive(Clone, Copy, Debug)]
pub struct Folder {
    /// The option's name.
    pub option: &'static str,
    /// What to do without it.
    pub remedy: &'static str,
}

/// A command that runs a lock step.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// What is compared; without the option, all of it, each with an equal share of the instructions.
    pub choice: Option<Choice>,
    /// The folder without which there is no peer.
    pub folder: Option<Folder>,
    /// Instructions without `--quick`.
    pub instructions: u64,
    /// Instructions of `--quick`, whose programs are short.
    pub quick: u64,
}

/// Why a command ended without success; its exit status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The sides differ: 1.
    Different(String),
    /// The command line is wrong, or the peer cannot be run: 2.
    Impossible(String),
}

/// A lock step as the command line requests it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    command: String,
    folder: PathBuf,
    seed: u64,
    instructions: u64,
    mode: Mode,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Options {
    chosen: Vec<usize>,
    folder: PathBuf,
    seed: u64,
    instructions: u64,
    mode: Mode,
}

impl Command {
    /// Reads the command line and calls `run` for each value of the option that is selected, with the
    /// value's index.
    #[must_use]
    pub fn main(&self, run: impl FnMut(usize, &Request) -> Result<String, Failure>) -> ExitCode {
        match self.run(std::env::args().skip(1), run) {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => {
                let (Failure::Different(text) | Failure::Impossible(text)) = &failure;
                eprintln!("{}: {text}", self.name);
                ExitCode::from(if matches!(failure, Failure::Different(_)) { 1 } else { 2 })
            }
        }
    }

    fn run(
        &self,
        arguments: impl Iterator<Item = String>,
        mut run: impl FnMut(usize, &Request) -> Result<String, Failure>,
    ) -> Result<(), Failure> {
        let options = self.options(arguments).map_err(Failure::Impossible)?;
        for &which in &options.chosen {
            let mut command = self.name.to_owned();
            if let Some(Choice { option, names }) = self.choice {
                command = format!("{command} {option} {}", names[which]);
            }
            if let Some(Folder { option, .. }) = self.folder {
                command = format!("{command} {option} {}", options.folder.display());
            }
            let instructions = options.instructions.div_ceil(options.chosen.len() as u64);
            let Options { folder, seed, mode, .. } = options.clone();
            let request = Request { command, folder, seed, instructions, mode };
            println!("{}", run(which, &request)?);
        }
        Ok(())
    }

    fn usage(&self) -> String {
        let choice = match self.choice {
            None => String::new(),
            Some(Choice { option, names }) => format!(" [{option} {}]", names.join("|")),
        };
        let folder = self.folder.map_or(String::new(), |each| format!(" {} FOLDER", each.option));
        format!("usage: {}{folder}{choice} [--seed S] [--instructions N] [--quick] [--falsify]", self.name)
    }

    fn options(&self, mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
        let usage = self.usage();
        let all = (0..self.choice.map_or(1, |choice| choice.names.len())).collect();
        let (folder, mode) = (PathBuf::new(), Mode::default());
        let mut options = Options { chosen: all, folder, seed: 1, instructions: self.instructions, mode };
        let mut instructions = None;
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} needs a value; {usage}"));
            let number = |text: String| -> Result<u64, String> {
                let number = text.replace('_', "").parse();
                number.map_err(|_| format!("{argument} {text}: not a number; {usage}"))
            };
            match argument.as_str() {
                "--seed" => options.seed = number(value()?)?,
                "--instructions" => instructions = Some(number(value()?)?),
                "--quick" => options.mode.short = true,
                "--falsify" => options.mode.falsify = true,
                other if self.folder.is_some_and(|each| each.option == other) => {
                    options.folder = value()?.into();
                }
                other => match self.choice {
                    Some(Choice { option, names }) if option == other => {
                        let name = value()?;
                        let known = names.iter().position(|&known| known == name);
                        options.chosen = vec![known.ok_or(format!("{option} {name} is unknown; {usage}"))?];
                    }
                    _ => return Err(format!("{other} is unknown; {usage}")),
                },
            }
        }
        if let Some(Folder { option, remedy }) = self.folder.filter(|_| options.folder.as_os_str().is_empty())
        {
            return Err(format!("{option} is missing; {remedy}"));
        }
        let usual = if options.mode.short { self.quick } else { self.instructions };
        options.instructions = instructions.unwrap_or(usual);
        Ok(options)
    }
}

impl Request {
    /// The folder that the peer is made of.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Runs the lock step of a driver; returns the report.
    ///
    /// # Errors
    /// There is no driver, or the sides differ.
    pub fn lockstep<D: Driver>(&self, driver: Result<D, String>) -> Result<String, Failure> {
        let mut driver = driver.map_err(Failure::Impossible)?;
        let Request { command, seed, instructions, mode, .. } = self;
        let terminal = std::io::stderr().is_terminal();
        let start = Instant::now();
        let result = lockstep(&mut driver, *seed, *instructions, *mode, |total| {
            if terminal {
                eprint!("\r{command}: {} of {instructions} instructions", total.instructions);
                let _ = std::io::stderr().flush();
            }
        });
        if terminal {
            eprint!("\r\x1b[K");
        }
        let total = result.map_err(|difference| {
            let quick = if mode.short { " --quick" } else { "" };
            let falsify = if mode.falsify { " --falsify" } else { "" };
            let seed = difference.seed;
            let repeat = format!("{command} --seed {seed} --instructions 1{quick}{falsify}");
            Failure::Different(format!("{}\nrepeat it with: {repeat}", difference.text))
        })?;
        let Total { programs, instructions, cycles, states, falsified, fields } = total;
        let mut lines = vec![format!(
            "{command}: {instructions} instructions, {cycles} cycles; random programs: {programs}; states \
             equal to {}: {states} (seed {seed}, {:.1} s)",
            driver.peer(),
            start.elapsed().as_secs_f64()
        )];
        if mode.falsify {
            lines.push(format!(
                "  changed states of the peer: {falsified} in {fields} different fields, all found"
            ));
        }
        lines.extend(driver.remarks().into_iter().map(|line| format!("  {line}")));
        Ok(lines.join("\n"))
    }
}

#[cfg(test)]
mod tests;
