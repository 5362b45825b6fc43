//! QEMU's side: its registers before every instruction. What its log contains for this machine.

use super::Set;
use crate::lockstep::{Field, State};
use crate::qemu::{decimal, hexadecimal, loaded, Log, Qemu};

/// One entry of the log: the state before an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// a0 to a15.
    pub registers: [u32; 16],
    /// The shift amount.
    pub sar: u32,
    /// The instruction's address.
    pub pc: u32,
    /// Does the core have windows, and with them the fields below?
    pub windows: bool,
    /// Special registers, in the order of [`SPECIAL`]; zeros on a core that has them not.
    pub special: [u32; SPECIAL.len()],
    /// The physical registers; zeros on a core without windows.
    pub file: [u32; 32],
}

/// Special registers that are compared, in addition to SAR, on the core with windows.
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

impl State for Entry {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let mut fields = vec![Field::new("pc", &mut self.pc), Field::new("SAR", &mut self.sar)];
        fields.extend(Field::numbered("a", &mut self.registers));
        if !self.windows {
            return fields;
        }
        fields
            .extend(SPECIAL.into_iter().zip(&mut self.special).map(|(name, value)| Field::new(name, value)));
        fields.extend(Field::numbered("AR", &mut self.file));
        fields
    }
}

/// Looks for it.
///
/// # Errors
/// As [`Qemu::find`].
pub fn find() -> Result<Qemu, String> {
    Qemu::find("qemu-system-xtensa", "qemu-system-misc")
}

/// Starts the `sim` machine with `code`, to begin at the address `entry`; `name` distinguishes its file
/// from others.
///
/// # Errors
/// The code cannot be written, or QEMU not started.
pub fn start(qemu: &Qemu, kind: Set, code: &[u8], entry: u32, name: &str) -> Result<Log, String> {
    let place = kind.flash();
    qemu.start(&["-M", "sim", "-cpu", kind.peer()], code, name, |image| loaded(image, place, entry))
}

/// The next entry of a log; `None` when QEMU has ended.
///
/// # Errors
/// The pipe broke.
pub fn entry(log: &mut Log, kind: Set) -> Result<Option<Entry>, String> {
    let mut entry = Entry { windows: kind == Set::Windowed, ..Entry::default() };
    while let Some(line) = log.line()? {
        if line.starts_with(b" A") {
            if read_registers(line, &mut entry.registers) && kind == Set::Call0 {
                return Ok(Some(entry));
            }
        } else if kind == Set::Windowed && line.starts_with(b"AR") {
            if read_file(line, &mut entry.file) {
                return Ok(Some(entry));
            }
        } else if let Some(pc) = line.strip_prefix(b"PC=") {
            entry.pc = hexadecimal(pc);
        } else if kind == Set::Windowed {
            read_special(line, &mut entry);
        } else if let Some(sar) = field(line, b" SAR=") {
            entry.sar = sar;
        }
    }
    Ok(None)
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
        let number = decimal(*tens, *ones);
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
        let number = decimal(*tens, *ones);
        if let Some(register) = registers.get_mut(number) {
            *register = hexadecimal(value);
            last = number == 15;
        }
    }
    last
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
