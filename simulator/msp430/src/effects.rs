//! The effects of instructions, inferred by executing them on generated values.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use pennyweight_machine::effects::{infer, Effects, Question, Sources, Trial, Tried, CELLS, LOADS};
use pennyweight_machine::guard::Guard;
use pennyweight_machine::observe::{Accessed, Noting};
use pennyweight_machine::stack::StackWatch;
use pennyweight_machine::Access;
use pennyweight_memory::timing::ZeroWait;

use crate::bus::Map;
use crate::cpu::{Cpu, Register as _};
use crate::execute::{run_with, Bounds, State, Stop, NO_CALLER};
use crate::flags::Flags;
use crate::instruction::{Extended, Kind, Operand, SP};
use crate::machine::Microcontroller;
use crate::multiplier::HardwareMultiplier;
use crate::program::SPACE;

/// Cells 1 and 4 to 15 are registers, 16 to 19 the flags C, Z, N, V.
const FLAGS: usize = 16;
/// The words of 16 registers of 20 bits.
const MOST_POPPED: usize = 32;
/// The flags' bits in the status register.
const BITS: [u16; 4] = [0, 1, 2, 8];

/// Effects by word address, and the machine that instructions are tried on.
pub struct InstructionEffects<X: Cpu> {
    effects: HashMap<usize, Rc<Effects>>,
    state: State<X>,
}

impl<X: Cpu> InstructionEffects<X> {
    /// Nothing known yet.
    pub fn new(machine: &Microcontroller<X>) -> Self {
        InstructionEffects { effects: HashMap::new(), state: machine.state.clone() }
    }

    /// What the instruction at word address `pc` does; in flash this is inferred once.
    pub fn at(&mut self, machine: &Microcontroller<X>, pc: usize) -> Rc<Effects> {
        let in_flash = 2 * pc >= machine.map.flash as usize;
        if let Some(found) = self.effects.get(&pc).filter(|_| in_flash) {
            return Rc::clone(found);
        }
        let operands = machine.instruction(2 * pc as u16).operands();
        let hints: Vec<u32> = operands
            .iter()
            .filter_map(Operand::value)
            .flat_map(|value| [value, value.wrapping_neg(), !value])
            .collect();
        let mut widths = [X::Register::WIDTH; FLAGS + BITS.len()];
        widths[..4].fill(0);
        widths[FLAGS..].fill(1);
        let question = Question { widths: &widths, load_width: 16, hints: &hints };
        let code = crate::program::words(&machine.state.memory, pc);
        let found = Rc::new(infer(question, |trial| self.try_once(machine, pc, &code, trial)));
        self.effects.insert(pc, Rc::clone(&found));
        found
    }

    /// All memory but the instruction, and the multiplier, hold the value of the first load.
    fn try_once(&mut self, machine: &Microcontroller<X>, pc: usize, code: &[u16], trial: &Trial) -> Tried {
        let instruction = machine.instruction(2 * pc as u16);
        let state = &mut self.state;
        let load = (trial.loads[0] as u16).to_le_bytes();
        state.memory.fill(load);
        let pops = matches!(instruction.kind, Kind::Extended(Extended::PopMany(..)));
        let pointer = 0x9000;
        for (i, word) in code.iter().enumerate() {
            state.memory[(pc + i) % SPACE] = word.to_le_bytes();
        }
        if pops {
            // Each register gets a word of its own, even if it overlaps the instruction: flash is decoded.
            for number in 0..MOST_POPPED {
                let value = trial.loads[number.min(LOADS - 1)] as u16;
                state.memory[pointer as usize / 2 + number] = value.to_le_bytes();
            }
        }
        for (register, value) in state.registers.iter_mut().zip(&trial.cells[..FLAGS]) {
            *register = X::Register::of(*value);
        }
        for number in instruction.operands().iter().filter_map(Operand::pointer) {
            // Addresses of memory, and even ones, where words lie.
            let register = &mut state.registers[usize::from(number)];
            *register = X::Register::of(register.bits() & 0x0ffe | 0x2000);
        }
        for kept_elsewhere in [0, 2, 3] {
            state.registers[kept_elsewhere] = X::Register::default();
        }
        state.registers[usize::from(SP)] = X::Register::of(pointer);
        let bits = BITS.iter().zip(&trial.cells[FLAGS..]);
        let status = bits.fold(0, |status, (bit, value)| status | (*value as u16 & 1) << bit);
        state.flags = Flags::from_sr(status);
        state.multiplier = X::Multiplier::holding(trial.loads[0] as u16);
        state.watch = StackWatch::new(0, 0xc000);
        state.pc = pc;
        let cycles = X::repeated(&instruction, &state.registers, state.flags);
        // RAM from end to end: whatever an address is, it is memory.
        let end = 2 * SPACE as u32;
        let start = X::PERIPHERALS_END;
        let map = Map { ram: start, ram_size: end - start, flash: end, ..machine.map };
        let bounds = Bounds { map, cycles: 1 << 31, top: NO_CALLER };
        let guard = Guard::default();
        let seen: RefCell<Vec<Accessed>> = RefCell::default();
        let watch = Noting::new(&guard, &seen);
        let program = &machine.program;
        let timing = &mut ZeroWait;
        let (stop, _) = run_with::<_, _, X, true>(program, &program.ops, state, timing, watch, &bounds);
        let faulted = matches!(stop, Stop::Fault(..));
        let mut cells = [0; CELLS];
        for (cell, register) in cells.iter_mut().zip(&state.registers) {
            *cell = register.bits();
        }
        let status = state.flags.sr();
        for (cell, bit) in cells[FLAGS..].iter_mut().zip(BITS) {
            *cell = u32::from(status >> bit & 1);
        }
        let seen = seen.into_inner();
        let stored = |&(address, size, _): &Accessed| {
            let [low, high] = state.memory[address as usize / 2 % SPACE];
            match size {
                // What peripherals take is not memory.
                _ if address < X::PERIPHERALS_END => u32::from(state.multiplier.read(address as u16)),
                1 => u32::from(if address & 1 == 0 { low } else { high }),
                _ => u32::from(u16::from_le_bytes([low, high])),
            }
        };
        Tried {
            cells,
            stores: seen.iter().filter(|a| a.2 == Access::Write).map(stored).collect(),
            addresses: seen.iter().map(|accessed| accessed.0).collect(),
            // A word at an odd address faults, which is not a branch.
            next: if faulted { pc as u32 + u32::from(program.ops[pc].words) } else { state.pc as u32 },
            cycles,
            loads: seen.iter().filter(|a| a.2 == Access::Read).count().min(if pops { LOADS } else { 1 }),
        }
    }
}

/// Adds what the multiplier does when its second operand is written: from what the product is made of to its
/// result, as if the instruction had read and written them. `multiplier` is as the instruction leaves it.
pub fn with_multiplier<X: Cpu>(
    effects: &Effects,
    accesses: &[Accessed],
    multiplier: &X::Multiplier,
) -> Option<(Effects, Vec<Accessed>)> {
    let starts = |a: &Accessed| {
        a.2 == Access::Write && u16::try_from(a.0).is_ok_and(<X::Multiplier as HardwareMultiplier>::starts)
    };
    let written = accesses.iter().any(starts);
    if !written {
        return None;
    }
    let mut more = effects.clone();
    let mut accesses = accesses.to_vec();
    let mut own = Sources::default();
    more.stores.iter().for_each(|&stored| own |= stored);
    // The instruction's own loads come first; these get the next numbers.
    let first = accesses.iter().filter(|a| a.2 == Access::Read).count();
    let mut loads = own.loads;
    for (number, &(start, size)) in multiplier.operands().iter().enumerate() {
        accesses.push((start.into(), size.into(), Access::Read));
        loads |= 1 << (first + number).min(15);
    }
    for &(start, size) in X::Multiplier::RESULTS {
        more.stores.push(Sources { cells: own.cells, loads });
        accesses.push((start.into(), size.into(), Access::Write));
    }
    Some((more, accesses))
}

#[cfg(test)]
mod tests {
    use super::{with_multiplier, InstructionEffects};
    use crate::cpu::{Cpu, Original};
    use crate::extended::Cpux;
    use crate::machine::Microcontroller;
    use crate::multiplier::HardwareMultiplier as _;
    use pennyweight_machine::effects::{Effects, Sources};
    use pennyweight_machine::{Access, Observer as _, Secrets};

    const C: u8 = 16;
    const Z: u8 = 17;
    const N: u8 = 18;
    const LOAD: Sources = Sources { cells: 0, loads: 1 };

    fn of(words: &[u16]) -> Effects {
        on::<Original>("msp430f1611", words)
    }

    fn on<X: Cpu>(board: &str, words: &[u16]) -> Effects {
        let board = pennyweight_bundled::board(board);
        let flash: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let machine = Microcontroller::<X>::with_flash(&board, &flash).expect("a good board");
        (*InstructionEffects::new(&machine).at(&machine, machine.map.flash as usize / 2)).clone()
    }

    fn cells(numbers: &[u8]) -> Sources {
        Sources { cells: numbers.iter().map(|n| 1 << n).sum(), loads: 0 }
    }

    #[test]
    fn operands_flow_as_the_manual_says() {
        // addc r4, r5; xor r6, r6; cmp #37, r7; mov 4(r8), r9; mov r10, -2(r11); push r12; dadd r4, r5
        let addc = of(&[0x6405]);
        assert_eq!((addc.written(5), addc.written(Z)), (Some(cells(&[4, 5, C])), Some(cells(&[4, 5, C]))));
        assert_eq!(of(&[0xe606]).written(6), Some(cells(&[])));
        let cmp = of(&[0x9037, 37]);
        assert_eq!((cmp.written(7), cmp.written(Z)), (None, Some(cells(&[7]))));
        // cmp #4, r5; cmp #8, r5; cmp #-1, r5
        for constant in [0x9225, 0x9235, 0x9335] {
            assert_eq!(of(&[constant]).written(Z), Some(cells(&[5])));
        }
        let load = of(&[0x4819, 4]);
        assert_eq!((load.written(9), load.address, load.flow), (Some(LOAD), cells(&[8]), cells(&[])));
        let store = of(&[0x4a8b, 0xfffe]);
        assert_eq!((store.stores, store.address), (vec![cells(&[10])], cells(&[11])));
        assert_eq!(of(&[0x120c]).stores, [cells(&[12])]);
        assert_eq!(of(&[0xa405]).written(5), Some(cells(&[4, 5, C])));
        // mov &RESLO, r13; add &SUMEXT, r13
        assert_eq!(of(&[0x421d, 0x013a]).written(13), Some(LOAD));
        assert_eq!(of(&[0x521d, 0x013e]).written(13).map(|sources| sources.loads), Some(1));
        // jz; ret; br r4
        assert_eq!(of(&[0x2401]).flow, cells(&[Z]));
        assert_eq!(of(&[0x4130]).flow, LOAD);
        assert_eq!(of(&[0x4400]).flow, cells(&[4]));
    }

    #[test]
    fn operands_of_cpux_flow_too() {
        let of = |words: &[u16]| on::<Cpux>("msp430fr5994-16mhz", words);
        // rpt #5 { rrux.w r5; rpt r9 { rrux.w r5; pushm #2, r12; mova @r6, r7; adda r4, r5; calla r4
        let shift = of(&[0x1944, 0x1005]);
        assert_eq!((shift.written(5), shift.time), (Some(cells(&[5])), cells(&[])));
        let repeated = of(&[0x19c9, 0x1005]);
        assert_eq!((repeated.written(5), repeated.time), (Some(cells(&[5, 9])), cells(&[9])));
        assert_eq!(of(&[0x151c]).stores, [cells(&[12]), cells(&[11])]);
        // popm #3, r12
        let pops = of(&[0x172a]);
        let words = [10, 11, 12].map(|n| pops.written(n).map(|sources| sources.loads));
        assert_eq!(words, [Some(1), Some(2), Some(4)]);
        let load = of(&[0x0607]);
        assert_eq!((load.written(7).map(|sources| sources.cells), load.address), (Some(0), cells(&[6])));
        assert_eq!(of(&[0x04e5]).written(5), Some(cells(&[4, 5])));
        assert_eq!(of(&[0x1344]).flow, cells(&[4]));
    }

    #[test]
    fn the_upper_bits_of_cpux_registers_flow() {
        let of = |words: &[u16]| on::<Cpux>("msp430fr5994-16mhz", words);
        // adda r4, r5; rlam.a #1, r5; rram.a #1, r5
        let add = of(&[0x04e5]);
        assert_eq!((add.written(C), add.written(N)), (Some(cells(&[4, 5])), Some(cells(&[4, 5]))));
        assert_eq!(of(&[0x0245]).written(C), Some(cells(&[5])));
        assert_eq!(of(&[0x0145]).written(N), Some(cells(&[5])));
        // cmpa #0x54321, r5; cmpx.a #0x54321, r5
        assert_eq!(of(&[0x0595, 0x4321]).written(Z), Some(cells(&[5])));
        assert_eq!(of(&[0x1a80, 0x9075, 0x4321]).written(Z), Some(cells(&[5])));
        // mova r5, 0(r6); pushm.a #1, r12; pushx.a r12
        let store = of(&[0x0576, 0]);
        assert_eq!((store.stores, store.address), (vec![cells(&[5]), cells(&[5])], cells(&[6])));
        assert_eq!(of(&[0x140c]).stores, [cells(&[12]), cells(&[12])]);
        assert_eq!(of(&[0x1800, 0x124c]).stores, [cells(&[12]), cells(&[12])]);
    }

    /// Where the words lie that it is tried on, and with more words than are distinguished.
    #[test]
    fn popped_registers_hold_what_was_loaded() {
        let board = pennyweight_bundled::board("msp430fr5994-16mhz");
        // popm #3, r12; popm.a #12, r4
        let flash: Vec<u8> =
            [0x172a_u16, 0x16b4].repeat(0x4000).iter().flat_map(|w| w.to_le_bytes()).collect();
        let machine = Microcontroller::<Cpux>::with_flash(&board, &flash).expect("a good board");
        let mut all = InstructionEffects::new(&machine);
        for pc in (0x8ff0 / 2..0x9040 / 2).step_by(2) {
            let three = all.at(&machine, pc);
            let words = [10, 11, 12].map(|n| three.written(n).map(|sources| sources.loads));
            assert_eq!(words, [Some(1), Some(2), Some(4)], "{:#x}", 2 * pc);
            let many = all.at(&machine, pc + 1);
            let words = [4, 5, 11, 12, 15].map(|n| many.written(n).map(|sources| sources.loads));
            assert_eq!(words, [3, 0xc, 0xc000, 0x8000, 0x8000].map(Some), "{:#x}", 2 * pc + 2);
        }
    }

    /// Stores a word from `from` in a multiplier's register.
    fn carry<X: Cpu>(secrets: &mut Secrets, multiplier: &mut X::Multiplier, from: u32, address: u16) {
        multiplier.write(address, 1);
        let effects = Effects { stores: vec![LOAD], ..Effects::default() };
        let accesses = [(from, 2, Access::Read), (address.into(), 2, Access::Write)];
        match with_multiplier::<X>(&effects, &accesses, multiplier) {
            Some((effects, accesses)) => secrets.effects(0, &effects, &accesses),
            None => secrets.effects(0, &effects, &accesses),
        }
    }

    const SECRET: u32 = 0x2000;
    const PUBLIC: u32 = 0x2002;

    /// With operands of 16 bits, whose registers lie alike in both multipliers.
    fn products_of_secrets<X: Cpu>(base: u16) {
        let (mpy, mac, operand, result) = (base, base + 4, base + 8, base + 10);
        let mut secrets = Secrets::new(&[(SECRET, SECRET + 2)]);
        let mut multiplier = X::Multiplier::default();
        let mut made = |first, a, b| {
            carry::<X>(&mut secrets, &mut multiplier, a, first);
            carry::<X>(&mut secrets, &mut multiplier, b, operand);
            let found = [result, result + 2, result + 5].map(|address| secrets.is_secret(address.into()));
            assert_eq!(secrets.is_secret(operand.into()), b == SECRET);
            assert!(found.iter().all(|&secret| secret == found[0]));
            found[0]
        };
        assert!(made(mpy, SECRET, PUBLIC) && made(mpy, PUBLIC, SECRET) && !made(mpy, PUBLIC, PUBLIC));
        // A public product is added to a secret sum, or replaces it.
        assert!(made(mac, SECRET, PUBLIC) && made(mac, PUBLIC, PUBLIC) && !made(mpy, PUBLIC, PUBLIC));
    }

    #[test]
    fn products_of_secrets_are_secret() {
        products_of_secrets::<Original>(crate::multiplier::BASE);
        products_of_secrets::<Cpux>(crate::multiplier32::BASE);
    }

    #[test]
    fn products_of_32_bits_are_secret_only_if_an_operand_is() {
        const BASE: u16 = crate::multiplier32::BASE;
        let mut secrets = Secrets::new(&[(SECRET, SECRET + 2)]);
        let mut multiplier = <Cpux as Cpu>::Multiplier::default();
        let mut made = |places: &[u16], from: &[u32]| {
            for (&place, &from) in places.iter().zip(from) {
                carry::<Cpux>(&mut secrets, &mut multiplier, from, BASE + place);
            }
            secrets.is_secret((BASE + 0x24).into())
        };
        let (long, short) = (&[0x10, 0x12, 0x20, 0x22], &[0, 8]);
        let public = [PUBLIC; 4];
        for secret in 0..4 {
            let mut from = public;
            from[secret] = SECRET;
            assert!(made(long, &from), "{secret}");
            assert!(!made(short, &public), "{secret}");
            assert!(made(long, &from) && !made(long, &public), "{secret}");
        }
        // An operand of 16 bits and one of 32.
        assert!(made(&[0, 0x20, 0x22], &[PUBLIC, SECRET, PUBLIC]) && !made(short, &public));
        assert!(made(&[0x12, 8], &[SECRET, PUBLIC]) && !made(&[0, 0x20, 0x22], &public));
    }
}
