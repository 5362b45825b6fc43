//! QEMU's side: its registers before every instruction. What its log contains for this machine.

use super::stream::Set;
use crate::lockstep::{Field, State};
use crate::qemu::{decimal, hexadecimal, Log, Qemu};

/// One entry of the log: the state before an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// R0 to R15, the last being the instruction's address.
    pub registers: [u32; 16],
    /// Those of [`FLAGS`].
    pub flags: u32,
}

/// N, Z, C, V, Q and GE in the program status register.
pub const FLAGS: u32 = 0xf80f_0000;

impl State for Entry {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let mut fields: Vec<_> = Field::numbered("R", &mut self.registers).collect();
        fields.push(Field::new("NZCVQ, GE", &mut self.flags));
        fields
    }
}

/// Looks for it.
///
/// # Errors
/// As [`Qemu::find`].
pub fn find() -> Result<Qemu, String> {
    Qemu::find("qemu-system-arm", "qemu-system-arm")
}

/// Starts the machine of `set` with `flash`; `name` distinguishes its file from others.
///
/// # Errors
/// The code cannot be written, or QEMU not started.
pub fn start(qemu: &Qemu, set: Set, flash: &[u8], name: &str) -> Result<Log, String> {
    qemu.start(&["-M", set.machine()], flash, name, |image| match set.flash() {
        0 => vec!["-kernel".into(), image.display().to_string()],
        // A kernel goes to address 0.
        base => {
            let file = format!("loader,file={},addr={base:#x},force-raw=on", image.display());
            vec!["-device".into(), file]
        }
    })
}

/// The next entry of a log; `None` when QEMU has ended.
///
/// # Errors
/// The pipe broke.
pub fn entry(log: &mut Log) -> Result<Option<Entry>, String> {
    let mut entry = Entry::default();
    while let Some(line) = log.line()? {
        if line.starts_with(b"R") {
            read_registers(line, &mut entry);
        } else if let Some(xpsr) = line.strip_prefix(b"XPSR=") {
            entry.flags = hexadecimal(xpsr) & FLAGS;
            return Ok(Some(entry));
        }
    }
    Ok(None)
}

/// `R00=00000000 R01=...`, four to a line.
fn read_registers(line: &[u8], entry: &mut Entry) {
    for item in line.chunks(13) {
        if let [b'R', tens, ones, b'=', value @ ..] = item {
            let number = decimal(*tens, *ones);
            if let Some(register) = entry.registers.get_mut(number) {
                *register = hexadecimal(value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{hexadecimal, read_registers, Entry};

    #[test]
    fn a_line_of_the_log_is_read() {
        let mut entry = Entry::default();
        read_registers(b"R12=0000000a R13=20004000 R14=ffffffff R15=00000040\n", &mut entry);
        assert_eq!(entry.registers[12..], [10, 0x2000_4000, 0xffff_ffff, 0x40]);
        assert_eq!(hexadecimal(b"f9000000 NZCV T"), 0xf900_0000);
    }
}
