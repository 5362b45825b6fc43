//! Ours and simavr or yasimavr, instruction by instruction.

use std::collections::{BTreeMap, HashMap};

use pennyweight_avr::{disassemble, AvrMachine, Code, Registers};
use pennyweight_machine::{Exit, Machine};

use crate::thumb::random::Random;

use super::chip::{Chip, Other, RAMPZ};
use super::guide::{Change, Guide};
use super::peer::{hash, Peer, Record};
use super::stream;

/// Instructions between two exchanges with the peer.
const BATCH: u64 = 500;
/// Instructions of one program.
const PROGRAM: u64 = 20_000;

/// What was compared.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Instructions executed on both sides.
    pub instructions: u64,
    /// Their cycles.
    pub cycles: u64,
    /// Random programs.
    pub programs: u64,
    /// How often each kind of instruction was executed.
    pub kinds: HashMap<Code, u64>,
    /// The peer's cycles.
    pub their_cycles: u64,
    /// Where the peer counts otherwise, which only yasimavr may: how often each kind of instruction
    /// took so many cycles here and so many there.
    pub otherwise: BTreeMap<(String, u64, u64), u64>,
}

/// One instruction on our side.
struct Step {
    changes: Vec<Change>,
    before: Registers,
    after: Record,
    cycles: u64,
}

/// Runs `instructions` in lock step. Returns what was compared.
///
/// # Errors
/// The first difference, with what led to it; or that the peer cannot be run.
pub fn run(chip: Chip, seed: u64, instructions: u64, mut tell: impl FnMut(&Tally)) -> Result<Tally, String> {
    let mut peer = Peer::start(chip)?;
    let mut tally = Tally::default();
    while tally.instructions < instructions {
        // Each program has its own seed, so that a difference is found again without the others.
        let seed = seed.wrapping_add(tally.programs);
        let count = PROGRAM.min(instructions - tally.instructions);
        program(chip, seed, count, &mut peer, &mut tally).map_err(|what| {
            format!("{what}\nfound with --chip {} --seed {seed} --instructions {count}", chip.name)
        })?;
        tally.programs += 1;
        tell(&tally);
    }
    Ok(tally)
}

/// One random program. Both sides count cycles on from program to program.
fn program(chip: Chip, seed: u64, count: u64, peer: &mut Peer, tally: &mut Tally) -> Result<(), String> {
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
    peer.send(&commands)?;

    let guide = Guide::new(chip, &flash);
    let mut done = 0;
    while done < count {
        let mut steps = Vec::new();
        for _ in 0..BATCH.min(count - done) {
            steps.push(step(&guide, &mut machine, &mut random, tally)?);
        }
        done += steps.len() as u64;
        peer.send(&orders(&steps))?;
        for (position, step) in steps.iter().enumerate() {
            let theirs = peer.record()?;
            let expected = match chip.other {
                Other::Simavr => step.after,
                Other::Yasimavr => Record { cycles: theirs.cycles, ..step.after },
            };
            if theirs != expected {
                return Err(difference(&guide, &steps[..=position], &theirs));
            }
            let spent = theirs.cycles.wrapping_sub(tally.their_cycles);
            tally.their_cycles = theirs.cycles;
            if spent != step.cycles {
                let kind = format!("{:?}", guide.op(step.before.pc).code);
                *tally.otherwise.entry((kind, step.cycles, spent)).or_default() += 1;
            }
        }
    }
    Ok(())
}

fn step(
    guide: &Guide<'_>,
    machine: &mut AvrMachine,
    random: &mut Random,
    tally: &mut Tally,
) -> Result<Step, String> {
    let changes = guide.prepare(machine, random);
    let before = machine.registers();
    let op = guide.op(before.pc);
    let outcome = machine.step();
    if outcome.exit != Exit::Returned || outcome.instructions != 1 {
        let op = disassemble(&op, before.pc / 2, guide.chip.variant());
        return Err(format!("ours: {:?} at {:#06x}: {op}", outcome.exit, before.pc));
    }
    tally.cycles += outcome.cycles;
    tally.instructions += 1;
    *tally.kinds.entry(op.code).or_default() += 1;
    let data = machine.data();
    let after = Record {
        registers: machine.registers(),
        io: machine.peek(guide.chip.io),
        rampz: if guide.chip.extended() { machine.peek(RAMPZ) } else { 0 },
        cycles: tally.cycles,
        sram: hash(&data[usize::from(guide.chip.sram)..]),
    };
    Ok(Step { changes, before, after, cycles: outcome.cycles })
}

/// The commands that make the peer do the same.
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

/// The last instructions and all that differs after the last of them.
fn difference(guide: &Guide<'_>, steps: &[Step], theirs: &Record) -> String {
    let mut lines = vec!["ours and the peer differ after the last of these instructions:".to_owned()];
    for step in &steps[steps.len().saturating_sub(8)..] {
        let pc = step.before.pc;
        lines.push(format!("  {pc:#07x}  {}", disassemble(&guide.op(pc), pc / 2, guide.chip.variant())));
    }
    let Some(last) = steps.last() else { return lines.join("\n") };
    let (ours, before) = (&last.after, &last.before);
    let mut compare = |name: String, before: String, ours: String, theirs: String| {
        if ours != theirs {
            lines.push(format!("  {name}: before {before}, ours {ours}, the peer's {theirs}"));
        }
    };
    let byte = |value: u8| format!("{value:#04x}");
    let (o, t) = (&ours.registers, &theirs.registers);
    for i in 0..32 {
        compare(format!("r{i}"), byte(before.r[i]), byte(o.r[i]), byte(t.r[i]));
    }
    let sreg = |value: u8| {
        let bits = "ITHSVNZC".chars().enumerate();
        bits.map(|(i, c)| if value >> (7 - i) & 1 == 1 { c } else { '-' }).collect::<String>()
    };
    compare("SREG".into(), sreg(before.sreg), sreg(o.sreg), sreg(t.sreg));
    let word = |value: u32| format!("{value:#06x}");
    compare("SP".into(), word(before.sp.into()), word(o.sp.into()), word(t.sp.into()));
    compare("PC".into(), word(before.pc), word(o.pc), word(t.pc));
    let earlier = steps.len().checked_sub(2).map_or(0, |i| steps[i].after.cycles);
    compare("cycles".into(), earlier.to_string(), ours.cycles.to_string(), theirs.cycles.to_string());
    compare("I/O 0x1e".into(), "?".into(), byte(ours.io), byte(theirs.io));
    compare("RAMPZ".into(), "?".into(), byte(ours.rampz), byte(theirs.rampz));
    compare("SRAM's hash".into(), "?".into(), format!("{:#x}", ours.sram), format!("{:#x}", theirs.sram));
    lines.join("\n")
}
