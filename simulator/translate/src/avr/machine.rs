//! A simulated AVR whose code is translated.

use pennyweight_avr::translator::{Called, Flags, Marks, Stopped};
use pennyweight_avr::AvrMachine;
use pennyweight_machine::{Arg, CallOptions, Exit, Outcome};

use super::blocks::Decoded;
use super::registers::{number, C, H, IT, KEPT, N, STACK, V, Z};
use crate::blocks::Found;
use crate::layout::Shape;
use crate::marked::{Interpreter, Marked};
use crate::processor::Values;

/// Registers of the intermediate form that hold r0 to r31.
const GENERAL: usize = 32;

/// A simulated AVR and its translated code.
pub type TranslatedAvr = Marked<AvrMachine>;

impl Interpreter for AvrMachine {
    type Marks = Marks;
    type Notes = ();
    type Code<'a> = Decoded<'a>;

    const KEPT: u32 = KEPT;

    fn shape(&self) -> Option<Shape> {
        let parts = self.parts();
        let (ram, window, flash) = (parts.ram(), parts.window(), parts.flash());
        let written = flash.iter().rposition(|byte| *byte != 0xff).map_or(0, |last| last as u32 + 1);
        let ram = (ram.start, ram.end - ram.start);
        Some(Shape {
            shown: written.min(window.end - window.start),
            code_base: 0,
            code_size: 2 * parts.words() as u32,
            // Few programs load constants from there.
            flash_loads: false,
            notes_stores: false,
            data_wait: 1,
            ..Shape::new(KEPT, STACK.into(), ram, (window.start, written))
        })
    }

    fn notes(&self) {}

    fn code<'a>(&'a self, (): &'a ()) -> Decoded<'a> {
        Decoded { parts: self.parts() }
    }

    fn marks(&self, found: &Found<()>) -> Marks {
        self.marks(found.positions())
    }

    /// Not if only half of the stack pointer has been written.
    fn can_be_read(&self) -> bool {
        self.stack_pointer().is_some()
    }

    fn read_registers(&mut self, values: &mut Values) {
        let Flags { c, z, n, v, h, it } = self.flags();
        for (flag, value) in [(C, c), (Z, z), (N, n), (V, v), (H, h), (IT, it)] {
            values[usize::from(flag)] = value;
        }
        values[usize::from(STACK)] = self.stack_pointer().map_or(0, |pointer| u32::from(pointer) + 1);
        let first = usize::from(number(0));
        for (value, register) in values[first..first + GENERAL].iter_mut().zip(self.general()) {
            *value = (*register).into();
        }
    }

    fn write_registers(&mut self, values: &Values, low: u32) {
        let value = |register: u8| values[usize::from(register)];
        self.set_flags(Flags {
            c: value(C),
            z: value(Z),
            n: value(N),
            v: value(V),
            h: value(H),
            it: value(IT),
        });
        self.set_stack((value(STACK) - 1) as u16, low);
        let first = usize::from(number(0));
        for (register, value) in self.general().iter_mut().zip(&values[first..first + GENERAL]) {
            *register = *value as u8;
        }
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
