//! QEMU's side: its registers before every instruction.
//!
//! With one instruction per translation block, no chaining of blocks and `-d cpu`, QEMU logs the
//! registers each time it enters a block. The log goes to a pipe and is read as it comes.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};

use super::FLASH_BASE;

const PROGRAM: &str = "qemu-system-riscv32";

/// One entry of the log: the state before an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// x0 to x31.
    pub registers: [u32; 32],
    /// The instruction's address.
    pub pc: u32,
}

/// How this QEMU is told to translate one instruction at a time.
#[derive(Clone, Debug)]
pub struct Qemu {
    one_at_a_time: &'static [&'static str],
    /// Its version line.
    pub version: String,
}

impl Qemu {
    /// Looks for QEMU.
    ///
    /// # Errors
    /// It is not installed, or says nothing that looks like a version.
    pub fn find() -> Result<Qemu, String> {
        let output = Command::new(PROGRAM).arg("--version").output().map_err(|error| {
            format!("{PROGRAM} cannot be run ({error}); install the package qemu-system-misc")
        })?;
        let text = String::from_utf8_lossy(&output.stdout);
        let version = text.lines().next().unwrap_or_default().to_string();
        let number = version.split("version ").nth(1).unwrap_or_default();
        let mut parts = number.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
        let (Some(Ok(major)), Some(Ok(minor))) = (parts.next(), parts.next()) else {
            return Err(format!("{PROGRAM} --version says {version:?}, which has no version number"));
        };
        // -singlestep became an accelerator's property in 8.1 and went away later.
        let one_at_a_time: &[&str] =
            if (major, minor) >= (8, 1) { &["-accel", "tcg,one-insn-per-tb=on"] } else { &["-singlestep"] };
        Ok(Qemu { one_at_a_time, version })
    }

    /// Starts the `virt` machine with `code`; `name` tells its file from others.
    ///
    /// # Errors
    /// The code cannot be written, or QEMU not started.
    pub fn start(&self, code: &[u8], name: &str) -> Result<Log, String> {
        let image =
            std::env::temp_dir().join(format!("pennyweight-lockstep-{}-{name}.bin", std::process::id()));
        fs::write(&image, code).map_err(|error| format!("{}: {error}", image.display()))?;
        let mut child = Command::new(PROGRAM)
            .args(["-M", "virt", "-cpu", "rv32,zba=true,zbb=true,zbkb=true", "-bios", "none"])
            .args(["-display", "none", "-serial", "none", "-monitor", "none"])
            .args(self.one_at_a_time)
            .args(["-d", "cpu,nochain", "-D", "/dev/stdout", "-device"])
            .arg(format!("loader,file={},addr={FLASH_BASE:#x},force-raw=on", image.display()))
            .args(["-device", &format!("loader,addr={FLASH_BASE:#x},cpu-num=0")])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{PROGRAM} cannot be started: {error}"))?;
        let stdout = child.stdout.take().ok_or("QEMU has no standard output")?;
        Ok(Log { child, lines: BufReader::with_capacity(1 << 16, stdout), image, line: Vec::new() })
    }
}

/// A running QEMU and its log.
#[derive(Debug)]
pub struct Log {
    child: Child,
    lines: BufReader<ChildStdout>,
    image: PathBuf,
    line: Vec<u8>,
}

impl Drop for Log {
    fn drop(&mut self) {
        // It may be gone already; there is nothing to do about either failing.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_file(&self.image);
    }
}

impl Log {
    /// The next entry; `None` when QEMU has ended.
    ///
    /// # Errors
    /// The pipe broke.
    pub fn entry(&mut self) -> Result<Option<Entry>, String> {
        let mut entry = Entry::default();
        loop {
            self.line.clear();
            let read = self.lines.read_until(b'\n', &mut self.line);
            if read.map_err(|error| format!("reading QEMU's log: {error}"))? == 0 {
                return Ok(None);
            }
            if self.line.starts_with(b" x") {
                if read_registers(&self.line, &mut entry) {
                    return Ok(Some(entry));
                }
            } else if let Some(pc) = self.line.strip_prefix(b" pc       ") {
                entry.pc = hexadecimal(pc);
            }
        }
    }
}

/// ` x0/zero  00000000 x1/ra    00000000 ...`, four to a line; true if x31 was among them.
fn read_registers(line: &[u8], entry: &mut Entry) -> bool {
    let mut last = false;
    for item in line.chunks(18) {
        let [b' ', b'x', tens, ones, rest @ ..] = item else { continue };
        let number = if ones.is_ascii_digit() {
            usize::from(tens.wrapping_sub(b'0')) * 10 + usize::from(ones.wrapping_sub(b'0'))
        } else {
            usize::from(tens.wrapping_sub(b'0'))
        };
        if let (Some(register), Some(value)) = (entry.registers.get_mut(number), rest.get(6..14)) {
            *register = hexadecimal(value);
            last = number == 31;
        }
    }
    last
}

/// The number in the first eight digits.
fn hexadecimal(digits: &[u8]) -> u32 {
    digits.iter().take(8).fold(0, |value, digit| {
        value << 4
            | u32::from(if digit.is_ascii_digit() {
                digit - b'0'
            } else {
                (digit | 0x20).wrapping_sub(b'a' - 10)
            })
    })
}

#[cfg(test)]
mod tests {
    use super::{hexadecimal, read_registers, Entry};

    #[test]
    fn lines_of_the_log_are_read() {
        let mut entry = Entry::default();
        let line = b" x8/s0    00000001 x9/s1    0000000a x10/a0   ffffffff x11/a1   00000040\n";
        assert!(!read_registers(line, &mut entry));
        assert_eq!(entry.registers[8..12], [1, 10, u32::MAX, 0x40]);
        let line = b" x28/t3   00000000 x29/t4   00000000 x30/t5   00000000 x31/t6   0000beef\n";
        assert!(read_registers(line, &mut entry));
        assert_eq!(entry.registers[31], 0xbeef);
        assert_eq!(hexadecimal(b"f9000000\n"), 0xf900_0000);
    }
}
