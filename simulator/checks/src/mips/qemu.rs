//! QEMU's side: its registers before every instruction. In its log a delay slot is a separate
//! entry.

use super::FLASH_BASE;
use crate::lockstep::{Field, State};
use crate::qemu::{decimal, hexadecimal, loaded, Log, Qemu};

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

impl State for Entry {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let [high, low] = &mut self.high_low;
        let others = [Field::new("pc", &mut self.pc), Field::new("hi", high), Field::new("lo", low)];
        others.into_iter().chain(Field::numbered("r", &mut self.registers)).collect()
    }
}

/// Looks for it.
///
/// # Errors
/// As [`Qemu::find`].
pub fn find() -> Result<Qemu, String> {
    Qemu::find("qemu-system-mipsel", "qemu-system-mips")
}

/// Starts the `mipssim` machine with `code`; `name` distinguishes its file from others.
///
/// # Errors
/// The code cannot be written, or QEMU not started.
pub fn start(qemu: &Qemu, code: &[u8], name: &str) -> Result<Log, String> {
    // The loader takes physical addresses, the core unmapped ones.
    let physical = FLASH_BASE & 0x1fff_ffff;
    qemu.start(&["-M", "mipssim", "-cpu", "4KEm"], code, name, |image| loaded(image, physical, FLASH_BASE))
}

/// The next entry of a log; `None` when QEMU has ended.
///
/// # Errors
/// The pipe broke.
pub fn entry(log: &mut Log) -> Result<Option<Entry>, String> {
    let mut entry = Entry::default();
    while let Some(line) = log.line()? {
        if line.starts_with(b"pc=0x") {
            read_first(line, &mut entry);
        } else if line.starts_with(b"GPR") && read_registers(line, &mut entry) {
            return Ok(Some(entry));
        }
    }
    Ok(None)
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
    let first = decimal(tens, ones);
    let values = line.get(6..).unwrap_or_default().chunks(12);
    for (number, value) in (first..).zip(values).take(4) {
        if let (Some(register), Some(digits)) = (entry.registers.get_mut(number), value.get(4..12)) {
            *register = hexadecimal(digits);
        }
    }
    first == 28
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
