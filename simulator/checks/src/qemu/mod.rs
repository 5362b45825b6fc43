//! QEMU's side of a lock step: its registers before every instruction.
//!
//! With one instruction per translation block, no chaining of blocks and `-d cpu`, QEMU logs the
//! registers each time it enters a block. The log goes to a pipe and is read as it comes.

pub mod lockstep;

pub use lockstep::{Comparison, Program, QemuLockstep};

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

/// An installed QEMU, and its option to translate one instruction at a time.
#[derive(Clone, Debug)]
pub struct Qemu {
    program: &'static str,
    one_at_a_time: &'static [&'static str],
    /// Its version line.
    pub version: String,
}

impl Qemu {
    /// Looks for `program`, which Debian's `package` has.
    ///
    /// # Errors
    /// It is not installed, or prints nothing that looks like a version.
    pub fn find(program: &'static str, package: &str) -> Result<Qemu, String> {
        let output = Command::new(program)
            .arg("--version")
            .output()
            .map_err(|error| format!("{program} cannot be run ({error}); install the package {package}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let version = text.lines().next().unwrap_or_default().to_string();
        let number = version.split("version ").nth(1).unwrap_or_default();
        let mut parts = number.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
        let (Some(Ok(major)), Some(Ok(minor))) = (parts.next(), parts.next()) else {
            return Err(format!("{program} --version prints {version:?}, which contains no version number"));
        };
        // -singlestep became an accelerator's property in 8.1 and went away later.
        let one_at_a_time: &[&str] =
            if (major, minor) >= (8, 1) { &["-accel", "tcg,one-insn-per-tb=on"] } else { &["-singlestep"] };
        Ok(Qemu { program, one_at_a_time, version })
    }

    /// Starts `machine` (arguments) with `code` in a file, whose path `load` makes arguments of;
    /// `name` distinguishes the file from others.
    ///
    /// # Errors
    /// The code cannot be written, or QEMU not started.
    pub fn start(
        &self,
        machine: &[&str],
        code: &[u8],
        name: &str,
        load: impl FnOnce(&Path) -> Vec<String>,
    ) -> Result<Log, String> {
        let image =
            std::env::temp_dir().join(format!("pennyweight-lockstep-{}-{name}.bin", std::process::id()));
        fs::write(&image, code).map_err(|error| format!("{}: {error}", image.display()))?;
        let mut child = Command::new(self.program)
            .args(machine)
            .args(["-display", "none", "-serial", "none", "-monitor", "none"])
            .args(self.one_at_a_time)
            .args(["-d", "cpu,nochain", "-D", "/dev/stdout"])
            .args(load(&image))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{} cannot be started: {error}", self.program))?;
        let stdout = child.stdout.take().ok_or("QEMU has no standard output")?;
        Ok(Log { child, lines: BufReader::with_capacity(1 << 16, stdout), image, line: Vec::new() })
    }
}

/// Arguments that load `image` at `address` and begin at `entry`.
#[must_use]
pub fn loaded(image: &Path, address: u32, entry: u32) -> Vec<String> {
    vec![
        "-device".into(),
        format!("loader,file={},addr={address:#x},force-raw=on", image.display()),
        "-device".into(),
        format!("loader,addr={entry:#x},cpu-num=0"),
    ]
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
    /// The next line; `None` when QEMU has ended.
    ///
    /// # Errors
    /// The pipe broke.
    pub fn line(&mut self) -> Result<Option<&[u8]>, String> {
        self.line.clear();
        let read = self.lines.read_until(b'\n', &mut self.line);
        let read = read.map_err(|error| format!("reading QEMU's log: {error}"))?;
        Ok((read != 0).then_some(self.line.as_slice()))
    }
}

/// The number in the first eight digits.
#[must_use]
pub fn hexadecimal(digits: &[u8]) -> u32 {
    digits.iter().take(8).fold(0, |value, digit| {
        value << 4
            | u32::from(if digit.is_ascii_digit() {
                digit - b'0'
            } else {
                (digit | 0x20).wrapping_sub(b'a' - 10)
            })
    })
}

/// The number of a register, in two digits.
#[must_use]
pub fn decimal(tens: u8, ones: u8) -> usize {
    usize::from(tens.wrapping_sub(b'0')) * 10 + usize::from(ones.wrapping_sub(b'0'))
}

#[cfg(test)]
mod tests {
    use super::{decimal, hexadecimal};

    #[test]
    fn numbers_end_where_they_end() {
        assert_eq!(hexadecimal(b"f9000000\n"), 0xf900_0000);
        assert_eq!(hexadecimal(b"0000BEEF NZCV T"), 0xbeef);
        assert_eq!(decimal(b'2', b'9'), 29);
    }
}
