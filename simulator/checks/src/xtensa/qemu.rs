//! QEMU's side: its registers before every instruction.
//!
//! With one instruction per translation block, no chaining of blocks and `-d cpu`, QEMU logs the
//! registers each time it enters a block. The log goes to a pipe and is read as it comes.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};

use super::Set;

const PROGRAM: &str = "qemu-system-xtensa";

/// One entry of the log: the state before an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// a0 to a15.
    pub registers: [u32; 16],
    /// The shift amount.
    pub sar: u32,
    /// The instruction's address.
    pub pc: u32,
    /// Special registers, in the order of [`SPECIAL`]; zeros on a core that has them not.
    pub special: [u32; SPECIAL.len()],
    /// The physical registers; zeros on a core without windows.
    pub file: [u32; 32],
}

/// Special registers that are compared, besides SAR, on the core with windows.
pub const SPECIAL: [&str; 19] = [
    "LBEG",
    "LEND",
    "LCOUNT",
    "BR",
    "ACCLO",
    "ACCHI",
    "M0",
    "M1",
    "M2",
    "M3",
    "VECBASE",
    "EPC1",
    "EXCSAVE1",
    "EXCCAUSE",
    "WINDOWBASE",
    "WINDOWSTART",
    "PS",
    "SCOMPARE1",
    "THREADPTR",
];

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

    /// Starts the `sim` machine with `code`, to begin at `entry`; `name` tells its file from others.
    ///
    /// # Errors
    /// The code cannot be written, or QEMU not started.
    pub fn start(&self, kind: Set, code: &[u8], entry: u32, name: &str) -> Result<Log, String> {
        let image =
            std::env::temp_dir().join(format!("pennyweight-lockstep-{}-{name}.bin", std::process::id()));
        fs::write(&image, code).map_err(|error| format!("{}: {error}", image.display()))?;
        let mut child = Command::new(PROGRAM)
            .args(["-M", "sim", "-cpu", kind.peer()])
            .args(["-display", "none", "-serial", "none", "-monitor", "none"])
            .args(self.one_at_a_time)
            .args(["-d", "cpu,nochain", "-D", "/dev/stdout", "-device"])
            .arg(format!("loader,file={},addr={:#x},force-raw=on", image.display(), kind.flash()))
            .args(["-device", &format!("loader,addr={:#x},cpu-num=0", kind.flash() + entry)])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{PROGRAM} cannot be started: {error}"))?;
        let stdout = child.stdout.take().ok_or("QEMU has no standard output")?;
        Ok(Log { kind, child, lines: BufReader::with_capacity(1 << 16, stdout), image, line: Vec::new() })
    }
}

/// A running QEMU and its log.
#[derive(Debug)]
pub struct Log {
    kind: Set,
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
            if self.line.starts_with(b" A") {
                if read_registers(&self.line, &mut entry.registers) && self.kind == Set::Call0 {
                    return Ok(Some(entry));
                }
            } else if self.kind == Set::Windowed && self.line.starts_with(b"AR") {
                if read_file(&self.line, &mut entry.file) {
                    return Ok(Some(entry));
                }
            } else if let Some(pc) = self.line.strip_prefix(b"PC=") {
                entry.pc = hexadecimal(pc);
            } else if self.kind == Set::Windowed {
                read_special(&self.line, &mut entry);
            } else if let Some(sar) = field(&self.line, b" SAR=") {
                entry.sar = sar;
            }
        }
    }
}

/// `        LBEG=00000000         LEND=00000000 ...`
fn read_special(line: &[u8], entry: &mut Entry) {
    let mut words = line.split(|&byte| byte == b' ').filter(|word| word.len() > 9);
    while let Some((name, value)) = words.next().and_then(|word| word.split_at_checked(word.len() - 9)) {
        // The last word of a line has its end.
        let (name, value) = match value.first() {
            Some(b'=') => (name, &value[1..]),
            _ => match line.strip_suffix(b"\n").and_then(|line| line.len().checked_sub(9)) {
                Some(_) if name.len() > 1 => (&name[..name.len() - 1], value),
                _ => return,
            },
        };
        if name == b"SAR" {
            entry.sar = hexadecimal(value);
        } else if let Some(place) = SPECIAL.iter().position(|known| known.as_bytes() == name) {
            entry.special[place] = hexadecimal(value);
        }
    }
}

/// `AR00=00000000 AR01=00000000 ...`, four to a line; true if the last was among them.
fn read_file(line: &[u8], file: &mut [u32; 32]) -> bool {
    let mut last = false;
    for item in line.chunks(14) {
        let [b'A', b'R', tens, ones, b'=', value @ ..] = item else { continue };
        let number = usize::from(tens.wrapping_sub(b'0')) * 10 + usize::from(ones.wrapping_sub(b'0'));
        if let Some(register) = file.get_mut(number) {
            *register = hexadecimal(value);
            last = number == 31;
        }
    }
    last
}

/// The number behind `name` in a line.
fn field(line: &[u8], name: &[u8]) -> Option<u32> {
    let at = line.windows(name.len()).position(|window| window == name)?;
    line.get(at + name.len()..).map(hexadecimal)
}

/// ` A00=00000000  A01=00000000 ...`, four to a line; true if A15 was among them.
fn read_registers(line: &[u8], registers: &mut [u32; 16]) -> bool {
    let mut last = false;
    for item in line.chunks(14) {
        let [b' ', b'A', tens, ones, b'=', value @ ..] = item else { continue };
        let number = usize::from(tens.wrapping_sub(b'0')) * 10 + usize::from(ones.wrapping_sub(b'0'));
        if let Some(register) = registers.get_mut(number) {
            *register = hexadecimal(value);
            last = number == 15;
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
    use super::{field, read_file, read_registers, read_special, Entry};

    #[test]
    fn lines_of_the_log_are_read() {
        let mut entry = Entry::default();
        assert!(!read_registers(
            b" A00=00000001  A01=0000000a  A02=ffffffff  A03=00000040\n",
            &mut entry.registers
        ));
        assert_eq!(entry.registers[..4], [1, 10, u32::MAX, 0x40]);
        assert!(read_registers(
            b" A12=00000000  A13=00000000  A14=00000000  A15=0000beef\n",
            &mut entry.registers
        ));
        assert_eq!(entry.registers[15], 0xbeef);
        read_special(
            b"        LBEG=00000012         SAR=0000000b       LCOUNT=00000003           BR=0000000f\n",
            &mut entry,
        );
        assert_eq!((entry.special[..4].to_vec(), entry.sar), (vec![0x12, 0, 3, 15], 11));
        assert!(read_file(b"AR28=00000001 AR29=00000002 AR30=00000003 AR31=0000000f  =\n", &mut entry.file));
        assert_eq!(entry.file[28..], [1, 2, 3, 15]);
        assert_eq!(field(b"   SAR=00000020      PS=0000001f\n", b" SAR="), Some(32));
    }
}
