//! mspdebug's side: a script of commands, and what it prints.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::encode::CG;
use crate::lockstep::{Field, State};

const PROGRAM: &str = "mspdebug";
/// Its simulators of the original CPU and of CPUX.
const ORIGINAL: &str = "sim";
const CPUX: &str = "simx";

/// The peer's state after some instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// R0 to R15; R3, in which mspdebug keeps the last value written, as 0.
    pub registers: [u32; 16],
    /// Cycles since the start.
    pub cycles: u64,
}

impl Record {
    fn without_constant(mut self) -> Record {
        self.registers[usize::from(CG)] = 0;
        self
    }
}

impl State for Record {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let registers = Field::numbered("R", &mut self.registers);
        let registers = registers.enumerate().filter(|(number, _)| *number != usize::from(CG));
        registers.map(|(_, field)| field).chain([Field::new("cycles", &mut self.cycles)]).collect()
    }
}

/// Files of one run, which go when it is over.
struct Files(Vec<PathBuf>);

impl Drop for Files {
    fn drop(&mut self) {
        for path in &self.0 {
            // It may not have come into being.
            let _ = fs::remove_file(path);
        }
    }
}

fn missing(error: &std::io::Error) -> String {
    format!("{PROGRAM} cannot be run ({error}); install the package mspdebug")
}

/// Looks for mspdebug. Does it simulate CPUX too, as versions from 0.26 on do?
///
/// # Errors
/// It is not installed.
pub fn find() -> Result<bool, String> {
    let help = Command::new(PROGRAM).arg("--help").output().map_err(|error| missing(&error))?;
    let [out, err] = [help.stdout, help.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    Ok((out + &err).lines().any(|line| line.trim() == CPUX))
}

/// Runs a program from the start of flash, with mspdebug's CPUX if `cpux`: `steps` are the numbers of
/// instructions to execute before each record. Returns the records, and the final RAM.
///
/// # Errors
/// mspdebug is not installed, or what it prints cannot be read.
pub fn run(
    program: &[u16],
    ram: &[u8],
    steps: &[u32],
    (flash, base): (u16, u16),
    cpux: bool,
) -> Result<(Vec<Record>, Vec<u8>), String> {
    let path =
        |name: &str| std::env::temp_dir().join(format!("pennyweight-msp430-{}-{name}", std::process::id()));
    let (code, memory, script, after) = (path("code"), path("ram"), path("script"), path("after"));
    let _files = Files(vec![code.clone(), memory.clone(), script.clone(), after.clone()]);
    let put = |path: &PathBuf, bytes: &[u8]| {
        fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
    };
    put(&code, &program.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())?;
    put(&memory, ram)?;
    let mut commands = format!(
        "simio add hwmult mpy0\nsimio add tracer t 2\nload_raw {} {flash:#x}\nload_raw {} {base:#x}\n\
         set 0 {flash:#x}\nset 2 0\nsimio info t\n",
        code.display(),
        memory.display()
    );
    for count in steps {
        // Writing to a String cannot fail.
        let _ = write!(commands, "step {count}\nsimio info t\n");
    }
    let _ = writeln!(commands, "save_raw {base:#x} {} {}", ram.len(), after.display());
    put(&script, commands.as_bytes())?;
    let output = Command::new(PROGRAM)
        .args(["-n", "-q", if cpux { CPUX } else { ORIGINAL }, &format!("read {}", script.display())])
        .output()
        .map_err(|error| missing(&error))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut records = read(&text).into_iter();
    // Loading has cost cycles there: they count from the first record on.
    let start = records.next().unwrap_or_default().cycles;
    let records: Vec<Record> = records
        .map(|record| Record { cycles: record.cycles.wrapping_sub(start), ..record.without_constant() })
        .collect();
    if records.len() != steps.len() {
        let end: Vec<&str> = text.lines().rev().take(4).collect();
        return Err(format!(
            "{PROGRAM} gave {} states of {}; its last lines: {end:?}",
            records.len(),
            steps.len()
        ));
    }
    let after = fs::read(&after).map_err(|error| format!("{PROGRAM} saved no memory: {error}"))?;
    Ok((records, after))
}

/// The records: registers as `step` prints them, then cycles as the tracer does.
fn read(text: &str) -> Vec<Record> {
    let mut records = Vec::new();
    let mut record = Record::default();
    for line in text.lines() {
        if let Some(cycles) = line.strip_prefix("MCLK:") {
            record.cycles = cycles.trim().parse().unwrap_or(u64::MAX);
            records.push(record);
        } else if line.trim_start().starts_with('(') {
            for item in line.split('(').skip(1) {
                let Some((name, rest)) = item.split_once(':') else { continue };
                let number = match name.trim() {
                    "PC" => 0,
                    "SP" => 1,
                    "SR" => 2,
                    other => match other.strip_prefix('R').map(str::parse::<usize>) {
                        Some(Ok(number)) => number,
                        _ => continue,
                    },
                };
                let digits = rest.trim().split(')').next().unwrap_or_default();
                if let (Some(register), Ok(value)) = (
                    record.registers.get_mut(number),
                    u32::from_str_radix(digits.trim_start_matches('0'), 16),
                ) {
                    *register = value;
                } else if let Some(register) = record.registers.get_mut(number) {
                    *register = 0;
                }
            }
        }
    }
    records
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_record_is_read() {
        let text = "    ( PC: 04404)  ( R4: 01234)  ( R8: 00000)  (R12: 0ffff)  \n\
                    \x20   ( SP: 00000)  ( R5: 00000)  ( R9: 00000)  (R13: 00000)  \n\
                    Instruction count: 4\nMCLK:              5\n";
        let [record] = read(text)[..] else { panic!("one record") };
        assert_eq!(
            (record.registers[0], record.registers[4], record.registers[12]),
            (0x4404, 0x1234, 0xffff)
        );
        assert_eq!(record.cycles, 5);
    }
}
