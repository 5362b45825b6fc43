//! The effects of instructions, inferred by executing them on generated values.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use pennyweight_machine::effects::{infer, Effects, Question, Sources, Trial, Tried, CELLS};
use pennyweight_machine::guard::Guard;
use pennyweight_machine::observe::{Accessed, Noting};
use pennyweight_machine::stack::StackWatch;
use pennyweight_machine::Access;

use crate::cpu::{Map, Range, Stack, DATA, DATA_BASE, REGISTERS};
use crate::execute::{run, Bounds, State, Stop, NO_CALLER};
use crate::flags::Flags;
use crate::machine::AvrMachine;
use crate::op::Code;
use crate::program::INSTRUCTION;

/// Cells 0 to 31 are the registers, the eight after them the bits of SREG.
const WIDTHS: [u32; 40] = {
    let mut widths = [8; 40];
    let mut bit = REGISTERS;
    while bit < 40 {
        widths[bit] = 1;
        bit += 1;
    }
    widths
};

/// Effects by word address, and the machine that instructions are tried on.
pub(crate) struct InstructionEffects {
    effects: HashMap<usize, Rc<Effects>>,
    state: State,
}

impl InstructionEffects {
    pub fn new() -> InstructionEffects {
        let flags = Flags::from_sreg(0);
        let stack = Stack::new(0, StackWatch::default());
        InstructionEffects {
            effects: HashMap::new(),
            state: State { data: crate::boxed(0), flags, stack, pc: 0 },
        }
    }

    /// What the instruction at word address `pc` does.
    pub fn at<const XT: bool>(&mut self, machine: &AvrMachine, pc: usize) -> Rc<Effects> {
        if let Some(found) = self.effects.get(&pc) {
            return Rc::clone(found);
        }
        let op = machine.program.ops[pc];
        let hints = [u32::from(op.b), u32::from(!op.b), u32::from(op.b.wrapping_neg())];
        let question = Question { widths: &WIDTHS, load_width: 8, hints: &hints };
        let points =
            matches!(op.code, Code::Ld | Code::LdInc | Code::LdDec | Code::St | Code::StInc | Code::StDec);
        let mut found = infer(question, |trial| self.try_once::<XT>(machine, pc, points, trial));
        match op.code {
            Code::Lpm | Code::LpmInc | Code::Elpm | Code::ElpmInc => from_flash(op.a, &mut found),
            Code::Cpse | Code::Sbrc | Code::Sbrs => self.even::<XT>(machine, pc + 1, &mut found),
            _ => {}
        }
        let found = Rc::new(found);
        self.effects.insert(pc, Rc::clone(&found));
        found
    }

    /// A skip of one instruction of one word and one cycle takes two cycles; not skipped, skip and
    /// instruction take as many. So the time reveals nothing, and what the skip depends on goes into what
    /// the instruction at `next` may write. That must remain there when it is executed: the register
    /// that it writes must be computed from itself. (A flag that is always cleared forgets it; no instruction
    /// depends on whether it was set before.)
    fn even<const XT: bool>(&mut self, machine: &AvrMachine, next: usize, skip: &mut Effects) {
        if !machine.program.ops.get(next).is_some_and(|op| changes_a_register(op.code)) {
            return;
        }
        let skipped = self.at::<XT>(machine, next);
        let mut registers = skipped.writes.iter().filter(|(cell, _)| usize::from(*cell) < REGISTERS);
        if registers.any(|(cell, sources)| sources.cells >> cell & 1 == 0) {
            return;
        }
        let decides = std::mem::take(&mut skip.flow);
        for &(cell, mut sources) in &skipped.writes {
            sources |= Sources { cells: 1 << cell, loads: 0 };
            sources |= decides;
            skip.writes.push((cell, sources));
        }
    }

    /// All memory holds the value of the first load. If the instruction uses a pointer (`points`), it
    /// is made to point there, and not to registers.
    fn try_once<const XT: bool>(
        &mut self,
        machine: &AvrMachine,
        pc: usize,
        points: bool,
        trial: &Trial,
    ) -> Tried {
        let io_end = machine.map.io_end;
        let state = &mut self.state;
        let mut sreg = 0;
        for (register, value) in state.data.iter_mut().zip(&trial.cells[..REGISTERS]) {
            *register = *value as u8;
        }
        for (bit, value) in trial.cells[REGISTERS..REGISTERS + 8].iter().enumerate() {
            sreg |= (*value as u8 & 1) << bit;
        }
        if points {
            for high in [27, 29, 31] {
                state.data[high] = state.data[high] & 0x3f | 0x80;
            }
        }
        state.data[REGISTERS..io_end as usize].fill(0);
        state.data[io_end as usize..DATA - REGISTERS].fill(trial.loads[0] as u8);
        state.flags = Flags::from_sreg(sreg);
        state.stack = Stack::new(0x9000, StackWatch::new(0, 0xc000));
        state.pc = pc;
        let sram = Range { base: io_end, size: 0x1_0000 - io_end };
        let map = Map { io_end, sram, flash: Range { base: 0, size: 0 } };
        let bounds = Bounds { map, cycles: 1 << 31, top: NO_CALLER };
        let guard = Guard::default();
        let seen: RefCell<Vec<Accessed>> = RefCell::default();
        let program = &machine.program;
        let (stop, spent) =
            run::<_, XT, true>(program, &program.ops, state, Noting::new(&guard, &seen), &bounds);
        let mut cells = [0; CELLS];
        for (cell, register) in cells.iter_mut().zip(&state.data[..REGISTERS]) {
            *cell = u32::from(*register);
        }
        let sreg = state.flags.sreg();
        for bit in 0..8 {
            cells[REGISTERS + bit] = u32::from(sreg >> bit & 1);
        }
        let op = machine.program.ops[pc];
        let next = match stop {
            // Going outside the program is going somewhere; not to find data is not.
            Stop::Fault(..) if matches!(op.code, Code::Ijmp | Code::Icall | Code::Ret | Code::Reti) => {
                u32::MAX
            }
            Stop::Fault(..) => pc as u32 + op.words(),
            // A branch to the next instruction takes a cycle more when it is taken.
            _ if op.code.is_branch() => state.pc as u32 | ((spent % INSTRUCTION) as u32) << 24,
            _ => state.pc as u32,
        };
        let seen = seen.into_inner();
        let stored = |address: u32| {
            let place = address.wrapping_sub(DATA_BASE) as usize;
            state.data.get(place).copied().unwrap_or(0).into()
        };
        let stores = seen.iter().filter(|a| a.2 == Access::Write).map(|a| stored(a.0)).collect();
        Tried {
            cells,
            stores,
            addresses: seen.iter().map(|accessed| accessed.0).collect(),
            next,
            cycles: 0,
            loads: seen.iter().any(|a| a.2 == Access::Read).into(),
        }
    }
}

/// What is loaded from flash depends on its address, and on nothing else: where that is outside flash,
/// nothing is loaded, which is not to be mistaken for the register keeping its value. And most of a
/// small program's flash holds the same.
fn from_flash(register: u8, effects: &mut Effects) {
    effects.writes.retain(|(cell, _)| *cell != register);
    effects.writes.push((register, Sources { cells: 1 << 30 | 1 << 31, loads: 0 }));
}

/// Is it one of one word and one cycle on all cores that changes registers and flags only?
fn changes_a_register(code: Code) -> bool {
    matches!(
        code,
        Code::Add
            | Code::Adc
            | Code::Sub
            | Code::Sbc
            | Code::And
            | Code::Or
            | Code::Eor
            | Code::Subi
            | Code::Sbci
            | Code::Ori
            | Code::Andi
            | Code::Com
            | Code::Neg
            | Code::Inc
            | Code::Dec
            | Code::Bld
    )
}

#[cfg(test)]
mod tests {
    use super::InstructionEffects;
    use super::{Effects, Sources};
    use crate::AvrMachine;

    const C: u8 = 32;
    const Z: u8 = 33;

    fn of(words: &[u16]) -> Effects {
        let board = pennyweight_bundled::board("atmega328p");
        let flash: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let machine = AvrMachine::with_flash(&board, &flash).expect("a good board");
        (*InstructionEffects::new().at::<false>(&machine, 0)).clone()
    }

    fn cells(numbers: &[u8]) -> Sources {
        Sources { cells: numbers.iter().map(|n| 1 << n).sum(), loads: 0 }
    }

    const LOAD: Sources = Sources { cells: 0, loads: 1 };

    #[test]
    fn registers_and_flags_flow_as_the_manual_says() {
        // adc r2, r3; eor r1, r1; ldi r16, 5; cpi r16, 37; dec r4; mul r5, r6; swap r7
        let adc = of(&[0x1c23]);
        assert_eq!((adc.written(2), adc.written(Z)), (Some(cells(&[2, 3, C])), Some(cells(&[2, 3, C]))));
        assert_eq!(of(&[0x2411]).written(1), Some(cells(&[])));
        assert_eq!(of(&[0xe005]).writes, [(16, cells(&[]))]);
        let cpi = of(&[0x3205]);
        assert_eq!((cpi.written(16), cpi.written(Z)), (None, Some(cells(&[16]))));
        let dec = of(&[0x944a]);
        assert_eq!((dec.written(4), dec.written(C)), (Some(cells(&[4])), None));
        let mul = of(&[0x9c56]);
        assert_eq!((mul.written(0), mul.written(1)), (Some(cells(&[5, 6])), Some(cells(&[5, 6]))));
        assert_eq!(of(&[0x9472]).writes, [(7, cells(&[7]))]);
    }

    #[test]
    fn memory_and_ways_are_told_apart() {
        // ld r2, X+; std Y+1, r3; push r4; pop r5; lpm r6, Z; in r0, SREG
        let ld = of(&[0x902d]);
        assert_eq!((ld.written(2), ld.address), (Some(LOAD), cells(&[26, 27])));
        let std = of(&[0x8239]);
        assert_eq!((std.stores, std.address), (vec![cells(&[3])], cells(&[28, 29])));
        assert_eq!(of(&[0x924f]).stores, [cells(&[4])]);
        let pop = of(&[0x905f]);
        assert_eq!((pop.written(5), pop.address), (Some(LOAD), cells(&[])));
        let lpm = of(&[0x9064]);
        assert_eq!((lpm.address, lpm.flow), (cells(&[30, 31]), cells(&[])));
        assert_eq!(of(&[0xb60f]).written(0), Some(cells(&[32, 33, 34, 35, 36, 37, 38, 39])));
        // breq; sbrc r3, 2; ijmp; ret; cpse r1, r2
        assert_eq!(of(&[0xf009, 0]).flow, cells(&[Z]));
        // brne to the next instruction: the same place, in another time
        assert_eq!(of(&[0xf401, 0]).flow, cells(&[Z]));
        assert_eq!(of(&[0xfc32, 0]).flow, cells(&[3]));
        assert_eq!(of(&[0x9409]).flow, cells(&[30, 31]));
        assert_eq!(of(&[0x9508]).flow, LOAD);
        assert_eq!(of(&[0x1012, 0]).flow, cells(&[1, 2]));
    }

    #[test]
    fn a_load_from_flash_replaces_what_a_register_held() {
        // lpm r6, Z; lpm r18, Z+; lpm (r0)
        for (words, register) in [([0x9064], 6), ([0x9125], 18), ([0x95c8], 0)] {
            assert_eq!(of(&words).written(register), Some(cells(&[30, 31])), "{words:x?}");
        }
    }

    #[test]
    fn a_skip_that_takes_no_other_time_shows_in_what_is_written_alone() {
        // sbrc r22, 0 over eor r2, r10; inc r24; bld r24, 0
        for (skipped, register, sources) in
            [(0x242a, 2, &[2, 10, 22][..]), (0x9583, 24, &[22, 24]), (0xf980, 24, &[22, 24, 38])]
        {
            let even = of(&[0xfd60, skipped]);
            assert_eq!((even.flow, even.written(register)), (cells(&[]), Some(cells(sources))));
        }
        // What is not made of what it replaces would forget: ldi r24, 5; mov r24, r3; eor r3, r3.
        // Two words, two cycles, another way: sts; ld r2, X; rjmp.
        for skipped in [[0xe085, 0], [0x2d83, 0], [0x2433, 0], [0x9220, 0x200], [0x902c, 0], [0xc000, 0]] {
            let uneven = of(&[0xfd60, skipped[0], skipped[1]]);
            assert_eq!((uneven.flow, uneven.writes.len()), (cells(&[22]), 0), "{skipped:x?}");
        }
        // cpse r1, r2 over dec r3: r3 and its flags but carry
        let compared = of(&[0x1012, 0x943a]);
        assert_eq!((compared.flow, compared.written(3)), (cells(&[]), Some(cells(&[1, 2, 3]))));
        assert_eq!((compared.written(Z), compared.written(C)), (Some(cells(&[1, 2, 3, Z])), None));
    }
}
