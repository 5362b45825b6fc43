//! Observed runs of call0 code: one instruction at a time, each told to an observer.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use pennyweight_machine::effects::{learn, Effects, Question, Sources, Trial, CELLS};
use pennyweight_machine::guard::Watch;
use pennyweight_machine::observe::{word, Accessed};
use pennyweight_machine::Observer;
use pennyweight_memory::timing::FlashTiming;
use pennyweight_memory::trial::TrialBus;

use crate::decode::{B4CONST, B4CONSTU};
use crate::execute::execute;
use crate::op::{Code, Flow, Op, Reg, Registers};
use crate::program::instruction;
use crate::run::{End, Run};

/// Cells 0 to 15 are a0 to a15, 16 is SAR.
const WIDTHS: [u32; 17] = [32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 6];
const SAR: usize = 16;

impl<T: FlashTiming, W: Watch> Run<'_, '_, T, W> {
    /// As `run`, with the same outcome. `seen` is where the bus's guard notes accesses.
    pub fn observe(
        &mut self,
        stop: u32,
        budget: u64,
        seen: &RefCell<Vec<Accessed>>,
        observer: &mut dyn Observer,
    ) -> End {
        let mut from = self.state.pc;
        let mut learnt: HashMap<u32, Rc<Effects>> = HashMap::new();
        // A straight line of decoded code may run past the budget.
        let mut look = true;
        loop {
            let pc = self.state.pc;
            if pc == stop {
                return End::Stopped;
            }
            if look && self.tally.cycles >= budget {
                return End::OutOfCycles;
            }
            let known =
                self.program.position(pc).is_some() || self.program.extend(self.bus.flash, pc).is_some();
            let core = self.program.core();
            let (flash, ram) = (self.bus.flash, &*self.bus.ram);
            let found = instruction(flash, self.bus.flash_base, pc, core)
                .or_else(|| instruction(ram, self.bus.ram_base, pc, core));
            let before = self.tally.cycles;
            if let Err(fault) = self.step(from) {
                return End::Fault(fault);
            }
            from = pc;
            let accesses = seen.take();
            let Some((op, bytes)) = found else { continue };
            for &(address, size, access) in &accesses {
                observer.access(address, size, access);
            }
            if observer.wants_effects() {
                let learn = || Rc::new(effects(&op));
                let effects = if known { learnt.entry(pc).or_insert_with(learn).clone() } else { learn() };
                observer.effects(pc, &effects, &accesses);
            }
            observer.instruction(pc, &name(&op), (self.tally.cycles - before) as u32);
            look = !known || self.state.pc != pc.wrapping_add(bytes);
            let stack = self.state.registers[Reg::SP];
            match op.code {
                // The caller has its stack pointer again when it goes on: the function's is below.
                Code::Call0 | Code::Callx0 => observer.called(self.state.pc, stack.wrapping_sub(1)),
                Code::Jx if op.s == Reg::A0 => observer.returned(stack),
                _ => {}
            }
        }
    }
}

/// The operation in the manual's words.
fn name(op: &Op) -> String {
    match op.code {
        Code::Constant => "movi".to_owned(),
        Code::Move => "mov".to_owned(),
        Code::Jx if op.s == Reg::A0 => "ret".to_owned(),
        code => word(&format!("{code:?}"), &["Sp"]),
    }
}

/// What `op` makes of what, learnt from executing it on made-up values. What special registers hold but
/// SAR is not followed.
fn effects(op: &Op) -> Effects {
    let constants = usize::from(op.d.0 & 15);
    let named = [op.imm, B4CONST[constants], B4CONSTU[constants]];
    let hints: Vec<u32> = named.iter().flat_map(|&n| [n, n.wrapping_neg(), !n, n.wrapping_add(1)]).collect();
    let question = Question { widths: &WIDTHS, load_width: 32, hints: &hints };
    let mut effects = learn(question, |trial| {
        let (mut registers, mut sar) = (registers(trial), trial.cells[SAR]);
        let mut bus = TrialBus::new(trial);
        let next = match execute(op, &mut registers, &mut sar, &mut bus) {
            Flow::Taken => 1,
            Flow::To(target) | Flow::Call(target) => target,
            Flow::Fault(_) => 2,
            _ => 0,
        };
        let mut cells = [0; CELLS];
        for (number, cell) in (0..16).zip(&mut cells) {
            *cell = registers[Reg(number)];
        }
        cells[SAR] = sar;
        bus.tried(cells, next, 0)
    });
    if matches!(op.code, Code::Call0 | Code::Callx0) {
        effects.writes.push((0, Sources::default()));
    }
    effects
}

fn registers(trial: &Trial) -> Registers {
    let mut registers = Registers::default();
    for number in 0..16 {
        registers[Reg(number)] = trial.cells[usize::from(number)];
    }
    registers
}

#[cfg(test)]
mod tests {
    use super::effects;
    use crate::core::Options;
    use crate::decode::plain;
    use pennyweight_machine::effects::{Effects, Sources};

    fn of(word: u32) -> Effects {
        let every = Options { miscellaneous: true, multiply_high: true, divide: true, ..Options::default() };
        effects(&plain(word, 0x1000, every))
    }

    fn cells(numbers: &[u8]) -> Sources {
        Sources { cells: numbers.iter().map(|n| 1 << n).sum(), loads: 0 }
    }

    const LOAD: Sources = Sources { cells: 0, loads: 1 };

    #[test]
    fn registers_flow_as_the_manual_says() {
        // sub a5, a3, a4; xor a5, a3, a3; moveqz a5, a3, a4; srl a5, a4
        assert_eq!(of(0xc0_5340).writes, [(5, cells(&[3, 4]))]);
        assert_eq!(of(0x30_5330).writes, [(5, cells(&[]))]);
        assert_eq!(of(0x83_5340).writes, [(5, cells(&[3, 4, 5]))]);
        assert_eq!(of(0x91_5040).writes, [(5, cells(&[4, 16]))]);
        // l32i a5, a3, 4; s8i a5, a4, 3; beqi a3, 8, +; ssl a3
        let load = of(0x01_2352);
        assert_eq!((load.writes, load.address), (vec![(5, LOAD)], cells(&[3])));
        let store = of(0x03_4452);
        assert_eq!((store.stores, store.address), (vec![cells(&[5])], cells(&[4])));
        assert_eq!(of(0x04_8326).flow, cells(&[3]));
        assert_eq!(of(0x40_1300).writes, [(16, cells(&[3]))]);
    }
}
