//! QEMU's side: its registers before every instruction.
//!
//! With one instruction per translation block, no chaining of blocks and `-d cpu`, QEMU logs the
//! registers each time it enters a block; a delay slot is a block of its own. The log goes to a pipe
//! and is read as it comes.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};

use super::FLASH_BASE;

const PROGRAM: &str = "qemu-system-mipsel";

/// One entry of the log: the state before an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// r0 to r31.
    pub registers: [u32; 32],
    /// HI and LO.
    pub high_low: [u32; 2],
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
            format!("{PROGRAM} cannot be run ({error}); install the package qemu-system-mips")
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

    /// Starts the `mipssim` machine with `code`; `name` tells its file from others.
    ///
    /// # Errors
    /// The code cannot be written, or QEMU not started.
    pub fn start(&self, code: &[u8], name: &str) -> Result<Log, String> {
        let image =
            std::env::temp_dir().join(format!("pennyweight-lockstep-{}-{name}.bin", std::process::id()));
        fs::write(&image, code).map_err(|error| format!("{}: {error}", image.display()))?;
        // The loader takes physical addresses, the core unmapped ones.
        let physical = FLASH_BASE & 0x1fff_ffff;
        let mut child = Command::new(PROGRAM)
            .args(["-M", "mipssim", "-cpu", "4KEm"])
            .args(["-display", "none", "-serial", "none", "-monitor", "none"])
            .args(self.one_at_a_time)
            .args(["-d", "cpu,nochain", "-D", "/dev/stdout", "-device"])
            .arg(format!("loader,file={},addr={physical:#x},force-raw=on", image.display()))
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
            if self.line.starts_with(b"pc=0x") {
                read_first(&self.line, &mut entry);
            } else if self.line.starts_with(b"GPR") && read_registers(&self.line, &mut entry) {
                return Ok(Some(entry));
            }
        }
    }
}

/// `pc=0x80100000 HI=0x00000000 LO=0x00000000 ds ...`
fn read_first(line: &[u8], entry: &mut Entry) {
    let number = |at: usize| line.get(at..at + 8).map_or(0, hexadecimal);
    entry.pc = number(5);
    entry.high_low = [number(19), number(33)];
}

/// `GPR00: r0 00000000 at 00000000 v0 00000000 v1 00000000`; true if r31 was among them.
fn read_registers(line: &[u8], entry: &mut Entry) -> bool {
    let Some(&[tens, ones]) = line.get(3..5) else { return false };
    let first = usize::from(tens.wrapping_sub(b'0')) * 10 + usize::from(ones.wrapping_sub(b'0'));
    let values = line.get(6..).unwrap_or_default().chunks(12);
    for (number, value) in (first..).zip(values).take(4) {
        if let (Some(register), Some(digits)) = (entry.registers.get_mut(number), value.get(4..12)) {
            *register = hexadecimal(digits);
        }
    }
    first == 28
}

/// The number in eight digits.
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
    use super::{read_first, read_registers, Entry};

    #[test]
    fn lines_of_the_log_are_read() {
        let mut entry = Entry::default();
        read_first(b"pc=0x80100014 HI=0x00000001 LO=0x0000003c ds 10000010 80100010 0\n", &mut entry);
        assert_eq!((entry.pc, entry.high_low), (0x8010_0014, [1, 0x3c]));
        assert!(!read_registers(b"GPR00: r0 00000000 at 00000001 v0 0000000a v1 ffffffff\n", &mut entry));
        assert!(read_registers(b"GPR28: gp 00000000 sp 00000002 s8 00000000 ra 0000beef\n", &mut entry));
        assert_eq!(entry.registers[..4], [0, 1, 10, u32::MAX]);
        assert_eq!((entry.registers[29], entry.registers[31]), (2, 0xbeef));
    }
}
