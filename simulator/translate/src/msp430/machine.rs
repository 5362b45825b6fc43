//! A simulated MSP430 whose code is translated.

use pennyweight_machine::{Arg, CallOptions, Exit, Outcome};
use pennyweight_msp430::translator::{
    Called, Cpu, Flags, HardwareMultiplier as _, Marks, MultiplierValues, Stopped,
};
use pennyweight_msp430::Microcontroller;

use super::blocks::{slides, Decoded};
use super::registers::{
    C, CONTROL, EXTENSION, FIRST, KEPT, LONG_SECOND, MODE, NZ, SECOND, STACK, SUM, SUM_HIGH, V,
};
use crate::blocks::Found;
use crate::ir::Register;
use crate::layout::Shape;
use crate::marked::{Interpreter, Marked};
use crate::processor::Values;

/// A simulated microcontroller with this CPU and its translated code.
pub type TranslatedMicrocontroller<X> = Marked<Microcontroller<X>>;

impl<X: Cpu> Marked<Microcontroller<X>> {
    /// As [`Microcontroller::resume`].
    pub fn resume(&mut self, budget: u64) -> Outcome {
        let called = self.inner_mut().go_on(budget);
        self.run(called)
    }
}

impl<X: Cpu> Interpreter for Microcontroller<X> {
    type Marks = Marks;
    /// See [`slides`].
    type Notes = Box<[bool]>;
    type Code<'a>
        = Decoded<'a, X>
    where
        X: 'a;

    const KEPT: u32 = KEPT;

    fn shape(&self) -> Option<Shape> {
        let (ram, flash) = (self.parts().ram(), self.parts().flash());
        let fits = ram.end <= flash.start && ram.start % 4 == 0 && ram.end % 4 == 0 && flash.start % 4 == 0;
        let flash = (flash.start, flash.end - flash.start);
        let shape = Shape::new(KEPT, STACK.into(), (ram.start, ram.end - ram.start), flash);
        fits.then_some(Shape { notes_stores: false, ..shape })
    }

    fn notes(&self) -> Box<[bool]> {
        slides(&self.parts())
    }

    fn code<'a>(&'a self, slides: &'a Box<[bool]>) -> Decoded<'a, X> {
        Decoded::new(self.parts(), slides)
    }

    fn marks(&self, found: &Found<()>) -> Marks {
        self.marks(found.positions())
    }

    fn read_registers(&mut self, values: &mut Values) {
        values[..16].copy_from_slice(&self.general());
        let Flags { c, nz, v, control } = self.flags();
        let MultiplierValues { at, first, second, result, extension, long_second } =
            self.multiplier_mut().values();
        for (register, value) in [
            (C, c),
            (NZ, nz),
            (V, v),
            (CONTROL, control.into()),
            (MODE, at),
            (FIRST, first),
            (SECOND, second),
            (SUM, result[0]),
            (SUM_HIGH, result[1]),
            (EXTENSION, extension),
            (LONG_SECOND, long_second),
        ] {
            values[usize::from(register)] = value;
        }
    }

    fn write_registers(&mut self, values: &Values, low: u32) {
        let value = |register: Register| values[usize::from(register)];
        let mut general = [0; 16];
        general.copy_from_slice(&values[..16]);
        self.set_general(&general, low);
        self.set_flags(Flags { c: value(C), nz: value(NZ), v: value(V), control: value(CONTROL) as u16 });
        self.multiplier_mut().set_values(&MultiplierValues {
            at: value(MODE),
            first: value(FIRST),
            second: value(SECOND),
            result: [value(SUM), value(SUM_HIGH)],
            extension: value(EXTENSION),
            long_second: value(LONG_SECOND),
        });
    }

    fn pc(&self) -> u32 {
        self.pc()
    }

    fn set_pc(&mut self, pc: u32) {
        self.set_pc(pc);
    }

    fn stack_limit(&self) -> u32 {
        self.stack_limit()
    }

    fn flash_and_ram(&mut self) -> (&[u8], &mut [u8]) {
        self.flash_and_ram()
    }

    fn begin(&mut self, function: u32, args: &[Arg], options: &CallOptions) -> Result<Called, Box<Outcome>> {
        self.begin(function, args, options)
    }

    fn outcome_of(&self, called: &Called, exit: Exit) -> Outcome {
        self.outcome_of(called, exit)
    }

    fn out_of_cycles(&self) -> Exit {
        self.out_of_cycles()
    }

    fn interpret(&mut self, called: &mut Called, marks: Option<&Marks>, cycles: u64) -> Stopped {
        self.interpret(called, marks, cycles)
    }

    fn interpret_one(&mut self, called: &mut Called) -> Stopped {
        self.interpret_one(called)
    }
}
