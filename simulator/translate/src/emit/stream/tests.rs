//! Random stretches of events, translated, against the model.

use pennyweight_memory::timing::{FlashTiming, Stream, StreamState};

use crate::code::{Code, Compiler, State};
use crate::ir::{Alignment, Binary, Block, Expr, Fetch, Memory, Step, Width};
use crate::layout::{Shape, StreamShape};
use crate::trial::{region, Random};

const RAM: u32 = 0x2000_0000;
const FLASH: u32 = 0x0800_0000;
/// Bytes of RAM, and of flash.
const SIZE: u32 = 1024;
/// The register that holds an address or a number of cycles, and the one that takes what is loaded.
const OPERANDS: [u8; 2] = [1, 2];
const LOADED: u8 = 3;

fn shape(stream: StreamShape) -> Shape {
    Shape { split: 1, stream: Some(stream), ..Shape::new(4, 15, (RAM, SIZE), (FLASH, SIZE)) }
}

/// A stretch as steps, and the model that goes through the same.
struct Stretch<'a> {
    random: &'a mut Random,
    shape: StreamShape,
    registers: [u32; 2],
    steps: Vec<Step>,
    flash: Stream,
    /// Cycles without waits.
    cycles: u64,
    /// The line in use, if it is known.
    current: Option<u32>,
}

impl Stretch<'_> {
    fn line(&mut self) -> u32 {
        (FLASH + self.random.next() % SIZE) >> self.shape.line_shift
    }

    /// An instruction at the beginning of a line, or at the end of one, so that it is in two.
    fn instruction(&mut self) {
        let shift = self.shape.line_shift;
        let near = self.current.filter(|_| self.random.next() & 7 != 0);
        let line = match near {
            Some(line) => line + (self.random.next() & 1),
            None => self.line(),
        };
        let is_wide = self.random.next() & 3 == 0;
        let last = line + u32::from(is_wide);
        let address = if is_wide { (last << shift) - 2 } else { line << shift };
        self.flash.instruction(address, 1 + u32::from(is_wide));
        match self.current.replace(last) {
            None => return self.steps.push(Step::Fetch(Fetch::Any(line, last))),
            Some(before) if before == last => return,
            Some(before) if before == line => {}
            Some(before) if before + 1 == line => self.steps.push(Step::Fetch(Fetch::Next(line))),
            Some(_) => self.steps.push(Step::Fetch(Fetch::Far(line))),
        }
        if is_wide {
            self.steps.push(Step::Fetch(Fetch::Next(last)));
        }
    }

    fn pass(&mut self) {
        let cycles = self.random.next() % 5;
        self.flash.finish(cycles);
        self.cycles += u64::from(cycles);
        self.steps.push(Step::Cycles(Expr::Constant(cycles)));
    }

    /// A load from the address in a register, as the interpreter splits it.
    fn load(&mut self, operand: usize, is_executed: bool) -> Step {
        let width = [Width::Byte, Width::Half, Width::Word][self.random.next() as usize % 3];
        let address = self.registers[operand];
        let mut parts = vec![address];
        if !address.is_multiple_of(width.bytes()) {
            let more = match width {
                Width::Word if address & 1 != 0 => vec![address + 1, address + 3],
                Width::Word => vec![address + 2],
                _ => vec![address + 1],
            };
            parts.extend(more);
        }
        if is_executed {
            if address >= RAM {
                self.flash.ram_read();
            } else {
                parts.iter().for_each(|part| self.flash.data_read_at(*part));
            }
            self.cycles += parts.len() as u64 - 1;
            self.flash.finish(parts.len() as u32 - 1);
        }
        let address = Expr::Register(OPERANDS[operand]);
        let (memory, alignment, to) = (Memory::Any, Alignment::Split, Some(LOADED));
        Step::Load { memory, alignment, to, address, width, signed: false }
    }

    fn event(&mut self) {
        match self.random.next() % 8 {
            0..=2 => self.instruction(),
            3 | 4 => self.pass(),
            5 => {
                let line = self.line();
                self.flash.data_read_at(line << self.shape.line_shift);
                self.steps.push(Step::ReadLine(line));
            }
            6 => {
                let operand = (self.random.next() & 1) as usize;
                let load = self.load(operand, true);
                self.steps.push(load);
            }
            _ => {
                // A load that a condition guards, or cycles that are not known.
                let is_executed = self.random.next() & 1 != 0;
                let condition = Expr::Constant(is_executed.into());
                let inner = vec![self.load(0, is_executed), Step::Cycles(Expr::Constant(2))];
                self.steps.push(Step::If(condition, inner));
                let more = if is_executed { 2 } else { 0 };
                let low = Expr::binary(Binary::And, Expr::Register(OPERANDS[1]), Expr::Constant(3));
                self.steps.push(Step::Cycles(low));
                let also = self.registers[1] & 3;
                self.cycles += u64::from(more + also);
                self.flash.finish(more + also);
            }
        }
    }
}

/// The state of a flash, with its lines in the order of their use.
fn known(flash: &Stream) -> (StreamState, [Vec<u32>; 2]) {
    let mut state = StreamState::default();
    flash.read(&mut state);
    let lines = std::mem::take(&mut state.held).map(|held| {
        let mut lines: Vec<(u32, u32)> =
            held.used.iter().map(|used| held.clock.wrapping_sub(*used)).zip(held.lines).collect();
        lines.sort_unstable();
        lines.into_iter().map(|(_, line)| line).collect()
    });
    state.ahead_ready = state.ahead_ready.wrapping_sub(state.now);
    state.flash_free = state.flash_free.wrapping_sub(state.now);
    state.now = 0;
    (state, lines)
}

fn compare(stream: StreamShape, stretches: u32) {
    let shape = shape(stream);
    let [cached, data] = stream.held;
    let mut flash = Stream::new(stream.wait_states, 1 << stream.line_shift, cached, data);
    flash.start(FLASH);
    let mut random = Random(u64::from(stream.wait_states));
    for number in 0..stretches {
        let mut address = || {
            let base = if random.next() & 1 == 0 { FLASH } else { RAM };
            base + random.next() % (SIZE - 4)
        };
        let registers = [address(), address()];
        let events = 1 + random.next() % 24;
        let mut stretch = Stretch {
            random: &mut random,
            shape: stream,
            registers,
            steps: Vec::new(),
            flash,
            cycles: 0,
            current: None,
        };
        let before = flash.stalls();
        (0..events).for_each(|_| stretch.event());
        let Stretch { steps, flash: theirs, cycles, current, .. } = stretch;
        let cycles = 1_000 + 10 + cycles + theirs.stalls() - before;

        let block = Block { steps, ..Block::new(None) };
        let compiled = Code::new(Compiler::Host, &region(block), &shape, false, &[7; SIZE as usize]);
        let mut code = compiled.expect("the host compiles");
        let mut state = StreamState::default();
        flash.read(&mut state);
        let mut counted = 1_000;
        let mut registers = [0, registers[0], registers[1], 0];
        let ran = code.run(
            0,
            &mut State {
                registers: &mut registers,
                ram: &mut [0; SIZE as usize],
                forbidden: &[],
                free_stack: [false; 2],
                stack: (0, 0),
                cycles: &mut counted,
                instructions: &mut 0,
                budget: u64::MAX,
                held: &mut [],
                predictor: None,
                stream: Some(&mut state),
                ahead: None,
                matrix: None,
            },
        );
        ran.expect("no check fails");
        // Ten cycles are the block's own.
        state.now -= 10;
        let mut ours = flash;
        ours.write(&state);
        ours.set_current(current.or(Some(state.current)));
        assert_eq!(counted, cycles, "stretch {number} of {stream:?}");
        assert_eq!(known(&ours), known(&theirs), "stretch {number} of {stream:?}");
        flash = theirs;
    }
}

#[test]
fn translated_streams_wait_as_the_model() {
    for (wait_states, line_shift, held) in
        [(2, 3, [0, 0]), (5, 4, [64, 8]), (2, 3, [2, 0]), (0, 2, [1, 2]), (7, 5, [0, 4])]
    {
        compare(StreamShape { wait_states, line_shift, held }, 120);
    }
}
