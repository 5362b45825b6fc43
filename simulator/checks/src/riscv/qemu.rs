//! QEMU's side: its registers before every instruction. What its log contains for this machine.

use super::{Set, FLASH_BASE};
use crate::lockstep::{Field, State};
use crate::qemu::{decimal, hexadecimal, loaded, Log, Qemu};

/// One entry of the log: the state before an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// x0 to x31.
    pub registers: [u32; 32],
    /// The instruction's address.
    pub pc: u32,
}

impl State for Entry {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let pc = Field::new("pc", &mut self.pc);
        [pc].into_iter().chain(Field::numbered("x", &mut self.registers)).collect()
    }
}

/// Looks for it.
///
/// # Errors
/// As [`Qemu::find`].
pub fn find() -> Result<Qemu, String> {
    Qemu::find("qemu-system-riscv32", "qemu-system-misc")
}

/// Starts the `virt` machine with `code`; `name` distinguishes its file from others.
///
/// # Errors
/// The code cannot be written, or QEMU not started.
pub fn start(qemu: &Qemu, set: Set, code: &[u8], name: &str) -> Result<Log, String> {
    let cpu = match set {
        Set::Rv32imac => "rv32,zba=true,zbb=true,zbkb=true",
        Set::Zbs | Set::Hazard3 => "rv32,zba=true,zbb=true,zbs=true,zbkb=true",
        Set::Rv32imc => "rv32,h=false,a=false,f=false,d=false,zba=false,zbb=false,zbs=false",
        Set::Rv32ec => {
            "rv32,i=false,e=true,h=false,m=false,a=false,f=false,d=false,zba=false,zbb=false,zbs=false"
        }
    };
    let machine = ["-M", "virt", "-cpu", cpu, "-bios", "none"];
    qemu.start(&machine, code, name, |image| loaded(image, FLASH_BASE, FLASH_BASE))
}

/// The next entry of a log; `None` when QEMU has ended.
///
/// # Errors
/// The pipe broke.
pub fn entry(log: &mut Log) -> Result<Option<Entry>, String> {
    let mut entry = Entry::default();
    while let Some(line) = log.line()? {
        if line.starts_with(b" x") {
            if read_registers(line, &mut entry) {
                return Ok(Some(entry));
            }
        } else if let Some(pc) = line.strip_prefix(b" pc       ") {
            entry.pc = hexadecimal(pc);
        }
    }
    Ok(None)
}

/// ` x0/zero  00000000 x1/ra    00000000 ...`, four to a line; true if x31 was among them.
fn read_registers(line: &[u8], entry: &mut Entry) -> bool {
    let mut last = false;
    for item in line.chunks(18) {
        let [b' ', b'x', tens, ones, rest @ ..] = item else { continue };
        let number = if ones.is_ascii_digit() { decimal(*tens, *ones) } else { decimal(b'0', *tens) };
        if let (Some(register), Some(value)) = (entry.registers.get_mut(number), rest.get(6..14)) {
            *register = hexadecimal(value);
            last = number == 31;
        }
    }
    last
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
