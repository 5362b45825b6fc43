//! Keeps a random program where both simulators agree on what the manual leaves open.
//!
//! Before each instruction the guide examines what it is about to do. Where that leaves memory, or
//! reaches an I/O register behind which the peer models a peripheral, registers are changed on both
//! sides first: pointers go back into SRAM, the stack pointer too; what cannot be put right so is
//! jumped away from. Not compared for that reason, with simavr or with yasimavr:
//!
//! - accesses outside SRAM, registers and four I/O bytes (faults have their own tests);
//! - SLEEP, BREAK, SPM and undefined encodings (also tested separately);
//! - jumps out of flash (also tested separately);
//! - stores through a pointer into the two registers that hold it: simavr writes the pointer back
//!   after `ST X` although it has not changed, and with it undoes the store. The manual's "(X) <- Rr"
//!   has no such step, so the store stands here. (With increment or decrement the manual leaves open
//!   which of the two writes wins.)
//! - skips over ADIW and SBIW of a constant whose lower four bits are 12 to 15: simavr before 1.7 takes
//!   these words for JMP or CALL and skips two words;
//! - on AVRxt, addresses that wrap when a displacement is added: yasimavr adds without wrapping;
//! - on AVRxt, returns to address 0: yasimavr pops the address but stays where it is;
//! - LPM and ELPM with increment into r30 or r31: undefined by the manual.

use pennyweight_avr::{decode, words, AvrMachine, Code, Op, Registers};
use pennyweight_machine::Machine;

use crate::random::Random;

use super::chip::{Chip, RAMPZ};

/// What was changed before an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The registers.
    Registers(Registers),
    /// A byte of data space.
    Byte(u16, u8),
}

/// The guide of one program.
#[derive(Debug)]
pub struct Guide {
    /// The part.
    pub chip: Chip,
    flash: Vec<u16>,
}

/// May an access to this address be compared?
fn comparable(chip: Chip, address: u16) -> bool {
    match address {
        _ if !chip.is_xt() && address < 0x20 => true,
        _ if address == chip.io || chip.core_registers().contains(&address) => true,
        RAMPZ => chip.extended(),
        _ => chip.sram().contains(&address),
    }
}

impl Guide {
    /// A guide through `flash`.
    #[must_use]
    pub fn new(chip: Chip, flash: Vec<u16>) -> Self {
        Guide { chip, flash }
    }

    /// The instruction at a byte address.
    #[must_use]
    pub fn op(&self, pc: u32) -> Op {
        let at = pc as usize / 2;
        let word = |i: usize| self.flash.get(i).copied().unwrap_or(0xffff);
        decode(word(at), word(at + 1), at as u32, words(word(at + 1)), self.chip.variant())
    }

    /// Sets up what the next instruction of `machine` needs; returns the changes.
    pub fn prepare(&self, machine: &mut AvrMachine, random: &mut Random) -> Vec<Change> {
        let mut changes = Vec::new();
        let before = machine.registers();
        let mut registers = before;
        // Left to itself a random program soon runs in a small circle with registers full of zeros.
        if random.once_in(16) {
            registers.pc = 2 * random.below(self.chip.words());
        }
        if random.once_in(8) {
            let corners = [0x00, 0x01, 0x0f, 0x10, 0x7f, 0x80, 0xff];
            let value = if random.once_in(2) { random.pick(&corners) } else { random.next() as u8 };
            registers.r[random.below(32) as usize] = value;
        }
        while !self.adjust(machine, &mut registers, &mut changes, random) {
            registers.pc = 2 * random.below(self.chip.words());
        }
        if registers != before {
            machine.set_registers(&registers);
            changes.push(Change::Registers(registers));
        }
        changes
    }

    /// False: the instruction is none to execute here.
    fn adjust(
        &self,
        machine: &mut AvrMachine,
        registers: &mut Registers,
        changes: &mut Vec<Change>,
        random: &mut Random,
    ) -> bool {
        let chip = self.chip;
        // The last words are left alone: what follows them is not flash.
        if registers.pc / 2 + 4 > chip.words() {
            return false;
        }
        let op = self.op(registers.pc);
        let skip = matches!(op.code, Code::Cpse | Code::Sbrc | Code::Sbrs | Code::Sbic | Code::Sbis);
        let next = self.flash[registers.pc as usize / 2 + 1];
        if skip && next & 0xfe0c == 0x960c {
            return false;
        }
        match op.code {
            Code::LpmInc | Code::ElpmInc if op.a >= 30 => false,
            Code::Undefined | Code::Outside | Code::Stop | Code::Sleep | Code::Break | Code::Spm => false,
            Code::In | Code::Out | Code::Sbi | Code::Cbi | Code::Lds | Code::Sts => {
                comparable(chip, op.imm as u16)
            }
            Code::Sbic | Code::Sbis => comparable(chip, op.a.into()),
            Code::Ld | Code::LdInc | Code::LdDec | Code::St | Code::StInc | Code::StDec => {
                let offset =
                    if matches!(op.code, Code::LdDec | Code::StDec) { 0xffff } else { u16::from(op.c) };
                let low = usize::from(op.b);
                let store = matches!(op.code, Code::St | Code::StInc | Code::StDec);
                let own = |address: u16| store && !chip.is_xt() && usize::from(address) & !1 == low;
                let pointer = u16::from_le_bytes([registers.r[low], registers.r[low + 1]]);
                let mut address = pointer.wrapping_add(offset);
                if random.once_in(64) {
                    address = self.address(random);
                }
                let wraps = |address: u16| chip.is_xt() && address.checked_sub(u16::from(op.c)).is_none();
                while !(comparable(chip, address) || !store && chip.shows_flash(address))
                    || own(address)
                    || wraps(address)
                {
                    address = self.address(random);
                }
                set_pair(registers, low, address.wrapping_sub(offset));
                true
            }
            Code::Lpm | Code::LpmInc => {
                let pointer = u16::from_le_bytes([registers.r[30], registers.r[31]]);
                if u32::from(pointer) >= chip.flash {
                    set_pair(registers, 30, random.below(chip.flash) as u16);
                }
                true
            }
            Code::Elpm | Code::ElpmInc => {
                if u32::from(machine.data()[usize::from(RAMPZ)]) >= chip.flash >> 16 {
                    let page = random.below(chip.flash >> 16) as u8;
                    machine.poke(RAMPZ, page);
                    changes.push(Change::Byte(RAMPZ, page));
                }
                if random.once_in(8) {
                    set_pair(registers, 30, 0xffff);
                }
                true
            }
            Code::Push | Code::Rcall | Code::Call | Code::Icall => {
                self.keep_stack(registers, random);
                self.keep_target(&op, registers, random)
            }
            Code::Pop => {
                self.keep_stack(registers, random);
                true
            }
            Code::Ret | Code::Reti => {
                self.keep_stack(registers, random);
                let sp = registers.sp;
                let data = machine.data();
                let (high, low) = (data[usize::from(sp) + 1], data[usize::from(sp) + 2]);
                let target = u16::from_le_bytes([low, high]);
                if u32::from(target) >= chip.words() || chip.is_xt() && target == 0 {
                    let high = 1 + random.below((chip.words() >> 8) - 1) as u8;
                    // SRAM: the write cannot fail.
                    let _ = machine.write(0x80_0001 + u32::from(sp), &[high]);
                    changes.push(Change::Byte(sp + 1, high));
                }
                true
            }
            _ => self.keep_target(&op, registers, random),
        }
    }

    /// An address to point at: most often in SRAM, at times a register, an I/O byte or flash.
    fn address(&self, random: &mut Random) -> u16 {
        match random.below(16) {
            0 if !self.chip.is_xt() => random.below(32) as u16,
            1 => self.chip.io,
            2 => random.pick(&[0x1f, 0x20, 0x21].map(|beyond| self.chip.io + beyond)),
            3 if self.chip.is_xt() => 0x4000 + random.below(self.chip.flash) as u16,
            _ => self.chip.sram + random.below(u32::from(self.chip.sram_end - self.chip.sram)) as u16,
        }
    }

    /// Room for two bytes on either side of SP.
    fn keep_stack(&self, registers: &mut Registers, random: &mut Random) {
        let room = self.chip.sram + 2..self.chip.sram_end - 2;
        if !room.contains(&registers.sp) {
            registers.sp = room.start + random.below(u32::from(room.end - room.start)) as u16;
        }
    }

    /// Jumps must stay in flash; false if this one does not.
    fn keep_target(&self, op: &Op, registers: &mut Registers, random: &mut Random) -> bool {
        if matches!(op.code, Code::Ijmp | Code::Icall) {
            let pointer = u16::from_le_bytes([registers.r[30], registers.r[31]]);
            if u32::from(pointer) >= self.chip.words() {
                set_pair(registers, 30, random.below(self.chip.words()) as u16);
            }
            return true;
        }
        let jump =
            matches!(op.code, Code::Rjmp | Code::Jmp | Code::Rcall | Code::Call) || op.code.is_branch();
        !jump || op.imm < self.chip.words()
    }
}

fn set_pair(registers: &mut Registers, low: usize, value: u16) {
    let [l, h] = value.to_le_bytes();
    registers.r[low] = l;
    registers.r[low + 1] = h;
}
