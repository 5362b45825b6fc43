//! WCH's XW: every instruction with every register and every bit of its offset. Encodings as LLVM's
//! `RISCVInstrInfoXwch.td` and jnk0le's `doc/ch32v003_(qkv2).md` have them, assembled here field by field.

use super::harness::{board, machine_on, PC};
use pennyweight_machine::{Board, FaultKind, Machine as _};
use pennyweight_riscv::registers::Reg;

/// Base address, and what the memory around it holds.
const BASE: u32 = 0x8000_0400;
const PATTERN: u8 = 0xa7;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    LoadByte,
    LoadHalf,
    StoreByte,
    StoreHalf,
}

use Access::{LoadByte, LoadHalf, StoreByte, StoreHalf};

const ALL: [Access; 4] = [LoadByte, LoadHalf, StoreByte, StoreHalf];

impl Access {
    fn size(self) -> u32 {
        if matches!(self, LoadByte | StoreByte) {
            1
        } else {
            2
        }
    }

    fn is_load(self) -> bool {
        matches!(self, LoadByte | LoadHalf)
    }

    /// The instruction with a base register and a data register, both from 8 to 15.
    fn by_register(self, base: u32, data: u32, offset: u32) -> u16 {
        let funct3 = if self.is_load() { 0b001 } else { 0b101 };
        let (quadrant, top) = match self.size() {
            // uimm[0|4:3]
            1 => (0b00, (offset & 1) << 2 | offset >> 3 & 3),
            // uimm[5:3]
            _ => (0b10, offset >> 3 & 7),
        };
        let fields =
            [(quadrant, 0), (data - 8, 2), (offset >> 1 & 3, 5), (base - 8, 7), (top, 10), (funct3, 13)];
        fields.iter().map(|(value, place)| value << place).sum::<u32>() as u16
    }

    /// The instruction with the stack pointer.
    fn by_stack(self, data: u32, offset: u32) -> u16 {
        let funct2 = u32::from(self.size() == 2) | u32::from(!self.is_load()) << 1;
        let offset = match self.size() {
            1 => offset,
            // uimm[3:1|4]
            _ => (offset >> 1 & 7) << 1 | offset >> 4 & 1,
        };
        let fields = [(data - 8, 2), (funct2, 5), (offset, 7), (0b10000, 11)];
        fields.iter().map(|(value, place)| value << place).sum::<u32>() as u16
    }

    /// Checks the instruction `code` that accesses `BASE` + `offset` by `base`.
    fn check(self, code: u16, base: u32, data: u32, offset: u32) {
        let name = format!("{self:?} {code:04x}: x{data}, {offset}(x{base})");
        let mut machine = machine_on(&qingke(), &code.to_le_bytes(), "");
        let around = [PATTERN; 0x80];
        machine.write(BASE - 0x20, &around).expect("RAM");
        let place = (0x20 + offset) as usize;
        let wanted = [0x85, 0xf6];
        let registers = &mut machine.state_mut().registers;
        registers[Reg::destination(data)] = 0x1234_f685;
        registers[Reg::destination(base)] = BASE;
        let mut expected = *registers;
        let mut memory = around;
        let bytes = self.size() as usize;
        if self.is_load() {
            machine.write(BASE + offset, &wanted[..bytes]).expect("RAM");
            expected[Reg::destination(data)] = if bytes == 1 { 0x85 } else { 0xf685 };
            memory[place..place + bytes].copy_from_slice(&wanted[..bytes]);
        } else {
            let value = expected[Reg::source(data)].to_le_bytes();
            memory[place..place + bytes].copy_from_slice(&value[..bytes]);
        }
        assert_eq!(machine.step(), Ok(2), "{name}: cycles");
        assert_eq!(machine.state().registers, expected, "{name}: registers");
        assert_eq!(machine.state().pc, PC + 2, "{name}: pc");
        let mut found = [0; 0x80];
        machine.read(BASE - 0x20, &mut found).expect("RAM");
        assert_eq!(found, memory, "{name}: memory");
    }
}

/// The test's board with a QingKe V2A.
fn qingke() -> Board {
    Board { extensions: Vec::new(), core: pennyweight_bundled::core("qingke-v2a"), ..board() }
}

/// An address and data in one register: a load replaces it, a store writes its low bits.
#[test]
fn every_register_and_every_offset() {
    for access in ALL {
        let step = access.size() as usize;
        for offset in (0..32 * access.size()).step_by(step) {
            for base in 8..16 {
                for data in 8..16 {
                    access.check(access.by_register(base, data, offset), base, data, offset);
                }
            }
        }
        for offset in (0..16 * access.size()).step_by(step) {
            for data in 8..16 {
                access.check(access.by_stack(data, offset), 2, data, offset);
            }
        }
    }
}

/// Encodings that LLVM's tests give (`test/MC/RISCV/xwchc-valid.s`).
#[test]
fn known_encodings() {
    for (access, offset, code) in [
        (LoadByte, 1, 0x3000),
        (LoadByte, 2, 0x2020),
        (LoadByte, 4, 0x2040),
        (LoadByte, 8, 0x2400),
        (LoadByte, 16, 0x2800),
        (StoreByte, 1, 0xb000),
        (StoreByte, 16, 0xa800),
        (LoadHalf, 2, 0x2022),
    ] {
        assert_eq!(access.by_register(8, 8, offset), code, "{access:?} {offset}");
    }
}

#[test]
fn misaligned_halfwords_fault() {
    for access in [LoadHalf, StoreHalf] {
        let code = access.by_register(8, 9, 0);
        let step = machine_on(&qingke(), &code.to_le_bytes(), "x8=80000101").step();
        let kind = step.expect_err("odd").kind;
        assert!(matches!(kind, FaultKind::Unaligned { address: 0x8000_0101, size: 2, .. }), "{kind:?}");
    }
}

/// The rest of what C leaves free stays undefined.
#[test]
fn other_encodings_are_undefined() {
    for code in [0x8800u16, 0x9000, 0x9800, 0x6000, 0xe002, 0x6002] {
        let step = machine_on(&qingke(), &code.to_le_bytes(), "x8=80000100").step();
        assert_eq!(
            step.expect_err("undefined").kind,
            FaultKind::Undefined { opcode: code.into() },
            "{code:04x}"
        );
    }
}

#[test]
fn a_core_without_the_extension_faults_and_names_it_if_it_is_an_rv32e() {
    let mut embedded = qingke();
    embedded.core.extensions.retain(|name| name != "xw");
    for access in ALL {
        // On RV32I, they are those of D and of Zcb.
        for (code, other) in [(access.by_register(8, 9, 0), None), (access.by_stack(9, 0), Some("zcb"))] {
            let bytes = code.to_le_bytes();
            let opcode = u32::from(code);
            for (board, named) in [(&embedded, Some("xw")), (&board(), other)] {
                let mut machine = machine_on(board, &bytes, "x8=80000100");
                let kind = machine.step().expect_err("undefined").kind;
                assert_eq!(kind, FaultKind::Undefined { opcode }, "{code:04x}");
                assert_eq!(machine.missing_extension(opcode), named, "{code:04x}");
            }
        }
    }
}

/// `mul` and registers above x15.
#[test]
fn what_rv32ec_lacks_is_undefined_and_named() {
    for (opcode, missing) in [
        (0x02b5_0533u32, "m"), // mul a0, a0, a1
        (0x02b5_5533, "m"),    // divu a0, a0, a1
        (0x0105_0533, "i"),    // add a0, a0, a6
    ] {
        let mut machine = machine_on(&qingke(), &opcode.to_le_bytes(), "");
        assert_eq!(machine.step().expect_err(missing).kind, FaultKind::Undefined { opcode });
        assert_eq!(machine.missing_extension(opcode), Some(missing));
    }
    // c.mv a0, a6
    let mut machine = machine_on(&qingke(), &0x8542u16.to_le_bytes(), "");
    assert!(machine.step().is_err());
    assert_eq!(machine.missing_extension(0x8542), Some("i"));
}
