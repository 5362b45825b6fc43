//! Pennyweight and simavr or yasimavr, instruction by instruction.

use std::collections::{BTreeMap, HashMap, VecDeque};

use pennyweight_avr::{disassemble, AvrMachine, Code, Registers};
use pennyweight_machine::account::Tally;
use pennyweight_machine::{Exit, Machine};

use super::chip::{Chip, Simulator, RAMPZ};
use super::guide::{Change, Guide};
use super::peer::{hash, Peer, Record};
use super::stream;
use crate::lockstep::{Driver, Session, Stretch};
use crate::random::Random;

/// Instructions of one program.
const PROGRAM: u64 = 20_000;

/// A Pennyweight chip compared with its peer's.
#[derive(Debug)]
pub struct AvrLockstep {
    chip: Chip,
    peer: Peer,
    /// Cycles of both since the peer started: its count continues from program to program.
    ours: u64,
    theirs: u64,
    /// How often each kind of instruction was executed.
    kinds: HashMap<Code, u64>,
    /// Where the peer counts other cycles, which only yasimavr may: how often, by kind of instruction, our
    /// cycles and the peer's.
    cycle_differences: BTreeMap<(String, u64, u64), u64>,
}

impl AvrLockstep {
    /// Compiles and starts the peer.
    ///
    /// # Errors
    /// It cannot be compiled or started.
    pub fn open(chip: Chip) -> Result<AvrLockstep, String> {
        let peer = Peer::start(chip)?;
        let (kinds, cycle_differences) = (HashMap::new(), BTreeMap::new());
        Ok(AvrLockstep { chip, peer, ours: 0, theirs: 0, kinds, cycle_differences })
    }
}

impl Driver for AvrLockstep {
    type Session<'a> = Running<'a>;

    fn peer(&self) -> String {
        match self.chip.simulator {
            Simulator::Simavr => "simavr".into(),
            Simulator::Yasimavr => "yasimavr".into(),
        }
    }

    fn begin(&mut self, seed: u64, _short: bool) -> Result<Running<'_>, String> {
        let chip = self.chip;
        let mut random = Random::new(seed);
        let flash = stream::program(chip, &mut random);
        let bytes: Vec<u8> = flash.iter().flat_map(|w| w.to_le_bytes()).collect();
        let mut machine = AvrMachine::with_flash(&chip.board(), &bytes).map_err(|error| error.to_string())?;
        let sram: Vec<u8> = chip.sram().map(|_| random.next() as u8).collect();
        machine.write(0x80_0000 + u32::from(chip.sram), &sram).map_err(|e| format!("{e:?}"))?;
        let mut registers = Registers {
            sp: chip.sram.midpoint(chip.sram_end),
            sreg: random.next() as u8,
            ..Registers::default()
        };
        registers.r.fill_with(|| random.next() as u8);
        machine.set_registers(&registers);

        let mut commands = vec![b'P'];
        commands.extend((bytes.len() as u32).to_le_bytes());
        commands.extend(&bytes);
        push_bytes(&mut commands, chip.sram, &sram);
        push_bytes(&mut commands, chip.io, &[0]);
        if chip.extended() {
            push_bytes(&mut commands, RAMPZ, &[0]);
        }
        push_registers(&mut commands, &registers);
        self.peer.send(&commands)?;
        let guide = Guide::new(chip, flash);
        Ok(Running {
            driver: self,
            guide,
            machine,
            random,
            done: 0,
            pending: Vec::new(),
            sent: VecDeque::new(),
        })
    }

    fn remarks(&self) -> Vec<String> {
        let least = self.kinds.values().min().unwrap_or(&0);
        let kinds = format!("{} kinds of instructions, each at least {least} times", self.kinds.len());
        let cycle_differences = self.cycle_differences.iter().map(|((kind, ours, theirs), times)| {
            format!("{kind} takes {ours} cycles, in yasimavr {theirs} ({times} times)")
        });
        [kinds].into_iter().chain(cycle_differences).collect()
    }
}

/// One instruction on our side.
#[derive(Debug)]
struct Step {
    changes: Vec<Change>,
    pc: u32,
    cycles: u64,
}

/// A program under way.
pub struct Running<'a> {
    driver: &'a mut AvrLockstep,
    guide: Guide,
    machine: AvrMachine,
    random: Random,
    /// Instructions that Pennyweight has executed.
    done: u64,
    /// Steps that the peer has not received.
    pending: Vec<Step>,
    /// Steps whose states must be read from the peer.
    sent: VecDeque<Step>,
}

impl Session for Running<'_> {
    type State = Record;

    const BATCH: usize = 500;

    fn ours(&mut self) -> Result<Option<Stretch<Record>>, String> {
        if self.done == PROGRAM {
            return Ok(None);
        }
        self.done += 1;
        let Running { guide, machine, driver, .. } = self;
        let changes = guide.prepare(machine, &mut self.random);
        let pc = machine.registers().pc;
        let outcome = machine.step();
        if outcome.exit != Exit::Returned || outcome.instructions != 1 {
            let op = disassemble(&guide.op(pc), pc / 2, guide.chip.variant());
            return Err(format!("{:?} at {pc:#06x}: {op}", outcome.exit));
        }
        driver.ours += outcome.cycles;
        *driver.kinds.entry(guide.op(pc).code).or_default() += 1;
        let state = Record {
            registers: machine.registers(),
            io: machine.peek(guide.chip.io),
            rampz: if guide.chip.extended() { machine.peek(RAMPZ) } else { 0 },
            cycles: (guide.chip.simulator == Simulator::Simavr).then_some(driver.ours),
            sram: hash(&machine.data()[usize::from(guide.chip.sram)..]),
        };
        let spent = Tally { instructions: 1, cycles: outcome.cycles };
        self.pending.push(Step { changes, pc, cycles: outcome.cycles });
        Ok(Some(Stretch { executed: vec![pc], spent, state }))
    }

    fn replay(&mut self) -> Result<(), String> {
        self.driver.peer.send(&orders(&self.pending))?;
        self.sent.extend(self.pending.drain(..));
        Ok(())
    }

    fn theirs(&mut self, _ours: &Record) -> Result<Record, String> {
        let mut theirs = self.driver.peer.record()?;
        let step = self.sent.pop_front().ok_or("the peer has executed no more instructions")?;
        let cycles = theirs.cycles.unwrap_or_default();
        let spent = cycles.wrapping_sub(self.driver.theirs);
        self.driver.theirs = cycles;
        if self.guide.chip.simulator == Simulator::Yasimavr {
            theirs.cycles = None;
            if spent != step.cycles {
                let kind = format!("{:?}", self.guide.op(step.pc).code);
                *self.driver.cycle_differences.entry((kind, step.cycles, spent)).or_default() += 1;
            }
        }
        Ok(theirs)
    }

    fn instruction(&self, address: u32) -> String {
        disassemble(&self.guide.op(address), address / 2, self.guide.chip.variant())
    }
}

/// The commands that make the peer repeat `steps`.
fn orders(steps: &[Step]) -> Vec<u8> {
    let mut commands = Vec::new();
    let mut pending = 0u32;
    let execute = |commands: &mut Vec<u8>, pending: &mut u32| {
        if *pending > 0 {
            commands.push(b'X');
            commands.extend(pending.to_le_bytes());
            *pending = 0;
        }
    };
    for step in steps {
        for change in &step.changes {
            execute(&mut commands, &mut pending);
            match change {
                Change::Registers(registers) => push_registers(&mut commands, registers),
                Change::Byte(address, value) => push_bytes(&mut commands, *address, &[*value]),
            }
        }
        pending += 1;
    }
    execute(&mut commands, &mut pending);
    commands.push(b'F');
    commands
}

fn push_bytes(commands: &mut Vec<u8>, address: u16, bytes: &[u8]) {
    commands.push(b'M');
    commands.extend(u32::from(address).to_le_bytes());
    commands.extend((bytes.len() as u32).to_le_bytes());
    commands.extend(bytes);
}

fn push_registers(commands: &mut Vec<u8>, registers: &Registers) {
    commands.push(b'S');
    commands.extend(registers.r);
    commands.extend([registers.sreg, 0]);
    commands.extend(registers.sp.to_le_bytes());
    commands.extend(registers.pc.to_le_bytes());
}
