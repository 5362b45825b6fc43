//! Lock step with Hazard3's source: `peers/hazard3_peer.cpp`, which Verilator compiles with it when it is needed.

use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::{env, fs, process};

use pennyweight_machine::account::Tally;
use pennyweight_riscv::RiscvMachine;

use super::compare::RiscvComparison;
use super::qemu::Entry;
use super::{Set, FLASH_BASE};
use crate::lockstep::{Driver, Field, Session, State, Stretch};
use crate::qemu::lockstep::{entered, whole, Stepped};
use crate::qemu::{Comparison as _, Program};

const PEER: &str = include_str!("../../peers/hazard3_peer.cpp");
const VISIBLE: &str = include_str!("../../peers/hazard3.vlt");

/// RP2350 datasheet, section 3.8.8 "Configuration", without what is zero by default. Zba and others
/// of one are among them; its fixed regions of memory protection, interrupts and identification do not matter.
const PARAMETERS: [(&str, u32); 23] = [
    ("RESET_VECTOR", FLASH_BASE),
    ("EXTENSION_A", 1),
    ("EXTENSION_C", 1),
    ("EXTENSION_M", 1),
    ("EXTENSION_ZBA", 1),
    ("EXTENSION_ZBB", 1),
    ("EXTENSION_ZBS", 1),
    ("EXTENSION_ZBKB", 1),
    ("EXTENSION_ZCB", 1),
    ("EXTENSION_ZCMP", 1),
    ("EXTENSION_ZIFENCEI", 1),
    ("CSR_COUNTER", 1),
    ("U_MODE", 1),
    ("PMP_REGIONS", 11),
    ("PMP_GRAIN", 3),
    ("MULDIV_UNROLL", 2),
    ("MUL_FAST", 1),
    ("MUL_FASTER", 1),
    ("MULH_FAST", 1),
    ("FAST_BRANCHCMP", 1),
    ("RESET_REGFILE", 1),
    ("BRANCH_PREDICTOR", 1),
    ("REDUCED_BYPASS", 0),
];

/// Bytes of a record of the peer.
const RECORD: usize = 140;

/// The state before an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Registers and address.
    pub entry: Entry,
    /// Cycles since the program's first instruction.
    pub cycles: u64,
}

impl State for Record {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let mut fields = self.entry.fields();
        fields.push(Field::new("cycles", &mut self.cycles));
        fields
    }
}

/// Pennyweight's Hazard3 compared with its source.
#[derive(Debug)]
pub struct RtlLockstep {
    peer: Peer,
    comparison: RiscvComparison,
    /// The source's version, if the clone has one.
    version: String,
    /// How often translated code ran.
    translated: u64,
}

impl RtlLockstep {
    /// Compiles and starts the peer with the source in a clone.
    ///
    /// # Errors
    /// The folder does not contain the source, or the peer cannot be compiled or started.
    pub fn open(clone: &Path) -> Result<RtlLockstep, String> {
        let git = Command::new("git").arg("-C").arg(clone).args(["rev-parse", "--short", "HEAD"]).output();
        let commit = git.ok().filter(|git| git.status.success());
        let commit = commit.map(|git| format!(" {}", String::from_utf8_lossy(&git.stdout).trim()));
        let version = format!("Hazard3{}", commit.unwrap_or_default());
        let peer = Peer::start(clone)?;
        Ok(RtlLockstep { peer, comparison: RiscvComparison::of(Set::Hazard3), version, translated: 0 })
    }
}

impl Driver for RtlLockstep {
    type Session<'a> = Running<'a>;

    fn peer(&self) -> String {
        self.version.clone()
    }

    fn begin(&mut self, seed: u64, short: bool) -> Result<Running<'_>, String> {
        let (length, passes) = if short { (4_000, 2) } else { (30_000, 4) };
        let RtlLockstep { peer, comparison, translated, .. } = self;
        let program = comparison.program(seed, length, passes);
        let machine = comparison.reset(&program)?;
        peer.send(&program)?;
        Ok(Running { peer, comparison, translated, machine, program, cycles: None })
    }

    fn remarks(&self) -> Vec<String> {
        entered(self.translated)
    }
}

/// A program under way on both sides.
pub struct Running<'a> {
    peer: &'a mut Peer,
    comparison: &'a RiscvComparison,
    translated: &'a mut u64,
    machine: RiscvMachine,
    program: Program,
    /// Cycles so far; `None` before the first comparison.
    cycles: Option<u64>,
}

impl Session for Running<'_> {
    type State = Record;

    fn ours(&mut self) -> Result<Option<Stretch<Record>>, String> {
        let pc = self.machine.state().pc;
        let Some(before) = self.cycles else {
            self.cycles = Some(0);
            let state = Record { entry: self.comparison.state(self.machine.state()), cycles: 0 };
            return Ok(Some(Stretch { executed: Vec::new(), spent: Tally::default(), state }));
        };
        if pc == self.program.end {
            return Ok(None);
        }
        let spent = self
            .machine
            .step_counted()
            .map_err(|fault| format!("{} at {:#x}: {}", self.instruction(fault.pc), fault.pc, fault.kind))?;
        let cycles = before + spent.cycles;
        self.cycles = Some(cycles);
        let state = Record { entry: self.comparison.state(self.machine.state()), cycles };
        Ok(Some(Stretch { executed: vec![pc], spent, state }))
    }

    fn theirs(&mut self, _: &Record) -> Result<Record, String> {
        self.peer.record()
    }

    fn whole(&mut self, steps: Tally) -> Result<(), String> {
        let stepped = Stepped { machine: &self.machine, steps };
        whole(self.comparison, &self.program, &stepped)?;
        *self.translated += self.comparison.translated(&self.program, &stepped)?;
        Ok(())
    }

    fn instruction(&self, address: u32) -> String {
        let start = address.wrapping_sub(self.program.base) as usize;
        match self.program.bytes.get(start..start.saturating_add(4)) {
            Some(&[a, b, c, d]) => {
                format!("{:04x} {:04x}", u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]))
            }
            _ => "an instruction outside the program".into(),
        }
    }
}

/// A running peer.
#[derive(Debug)]
struct Peer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    folder: PathBuf,
}

impl Peer {
    fn start(clone: &Path) -> Result<Peer, String> {
        let folder = env::temp_dir().join(format!("pennyweight-hazard3-{}", process::id()));
        let program = build(clone, &folder)?;
        let mut child = Command::new(&program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{} cannot be started: {error}", program.display()))?;
        let input = child.stdin.take().ok_or("the peer has no standard input")?;
        let output = child.stdout.take().ok_or("the peer has no standard output")?;
        Ok(Peer { child, input, output: BufReader::with_capacity(1 << 17, output), folder })
    }

    fn send(&mut self, program: &Program) -> Result<(), String> {
        let Program { bytes, base, end, ram: (ram, size), .. } = program;
        let mut message = [*base, bytes.len() as u32].map(u32::to_le_bytes).concat();
        message.extend(bytes);
        message.extend([*ram, *size, *end].map(u32::to_le_bytes).concat());
        self.input
            .write_all(&message)
            .and_then(|()| self.input.flush())
            .map_err(|error| format!("the peer stopped listening: {error}"))
    }

    fn record(&mut self) -> Result<Record, String> {
        let mut bytes = [0; RECORD];
        self.output.read_exact(&mut bytes).map_err(|error| format!("the peer stopped talking: {error}"))?;
        let mut words = bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        let mut next = || words.next().unwrap_or_default();
        let mut record = Record::default();
        record.entry.registers.fill_with(&mut next);
        record.entry.pc = next();
        record.cycles = u64::from(next()) | u64::from(next()) << 32;
        Ok(record)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // All may have gone already; nothing is left to do about it.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Compiles the peer in `folder`; its path.
fn build(clone: &Path, folder: &Path) -> Result<PathBuf, String> {
    let source = clone.join("hdl");
    let top = source.join("hazard3_cpu_2port.v");
    if !top.is_file() {
        return Err(format!(
            "{} is missing; give --rtl the folder of a clone of github.com/Wren6991/Hazard3",
            top.display()
        ));
    }
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok::<_, String>(path)
    };
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let (peer, visible) = (write("peer.cpp", PEER)?, write("visible.vlt", VISIBLE)?);
    let mut verilator = Command::new("verilator");
    verilator
        .args(["--cc", "--exe", "--build", "-O3", "-CFLAGS", "-O2 -std=c++17", "-Wno-fatal", "-Wno-lint"])
        .args(["--prefix", "Vcore", "--top-module", "hazard3_cpu_2port", "-o", "peer"])
        .args(PARAMETERS.map(|(name, value)| format!("-G{name}=32'd{value}")));
    for part in [source.clone(), source.join("arith")] {
        verilator.arg("-y").arg(&part).arg(format!("-I{}", part.display()));
    }
    verilator.arg("--Mdir").arg(folder).args([&visible, &peer, &top]);
    let output = verilator
        .output()
        .map_err(|error| format!("verilator cannot be run ({error}); install the package verilator"))?;
    if output.status.success() {
        return Ok(folder.join("peer"));
    }
    let message = String::from_utf8_lossy(&output.stderr);
    let first = message.lines().find(|line| line.to_lowercase().contains("error"));
    Err(format!(
        "the peer does not compile ({}); use Hazard3's branch stable and Verilator 5.006 or newer",
        first.or(message.lines().next()).unwrap_or("no message")
    ))
}
