//! The other side: `peers/simavr_peer.c` or `peers/yasimavr_peer.cpp`, compiled when it is needed.

use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::{env, fs, process};

use pennyweight_avr::Registers;

use super::chip::{Chip, Simulator};
use crate::lockstep::{Field, State};

const SIMAVR: &str = include_str!("../../peers/simavr_peer.c");
const YASIMAVR: &str = include_str!("../../peers/yasimavr_peer.cpp");

/// The state after an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// r0 to r31, SREG, SP, program counter.
    pub registers: Registers,
    /// The byte at the chip's `io`.
    pub io: u8,
    /// RAMPZ, 0 where there is none.
    pub rampz: u8,
    /// Cycles since the peer started; `None` where they are not compared.
    pub cycles: Option<u64>,
    /// [`hash`] of SRAM.
    pub sram: u64,
}

impl State for Record {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let Registers { r, sreg, sp, pc } = &mut self.registers;
        let mut fields: Vec<_> = Field::numbered("r", r).collect();
        fields.extend([Field::new("SREG", sreg), Field::new("SP", sp), Field::new("PC", pc)]);
        fields.extend([Field::new("I/O 0x1e", &mut self.io), Field::new("RAMPZ", &mut self.rampz)]);
        fields.extend(self.cycles.as_mut().map(|cycles| Field::new("cycles", cycles)));
        fields.push(Field::new("SRAM's hash", &mut self.sram));
        fields
    }
}

/// A running peer.
#[derive(Debug)]
pub struct Peer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    program: PathBuf,
}

impl Peer {
    /// Compiles and starts the peer.
    ///
    /// # Errors
    /// No C compiler, no libsimavr or yasimavr, or one that does not know the chip.
    pub fn start(chip: Chip) -> Result<Peer, String> {
        let program = env::temp_dir().join(format!("pennyweight-avr-peer-{}-{}", process::id(), chip.name));
        match chip.simulator {
            Simulator::Simavr => compile_simavr(&program)?,
            Simulator::Yasimavr => compile_yasimavr(&program)?,
        }
        let mut child = Command::new(&program)
            .arg(chip.name)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{} cannot be started: {error}", program.display()))?;
        let input = child.stdin.take().ok_or("the peer has no standard input")?;
        let output = child.stdout.take().ok_or("the peer has no standard output")?;
        let mut peer = Peer { child, input, output: BufReader::with_capacity(1 << 17, output), program };
        let mut sizes = [0; 8];
        peer.receive(&mut sizes)?;
        let (flash, last) = (word(&sizes, 0), word(&sizes, 4));
        if (flash, last) != (chip.flash, u32::from(chip.sram_end) - 1) {
            return Err(format!(
                "the peer's {} has {flash} bytes of flash and SRAM to {last:#x}, unlike ours; correct the chip's sizes",
                chip.name
            ));
        }
        Ok(peer)
    }

    /// Sends commands as described in the peer's source.
    ///
    /// # Errors
    /// The peer ended.
    pub fn send(&mut self, commands: &[u8]) -> Result<(), String> {
        self.input
            .write_all(commands)
            .and_then(|()| self.input.flush())
            .map_err(|error| format!("the peer stopped listening: {error}"))
    }

    fn receive(&mut self, bytes: &mut [u8]) -> Result<(), String> {
        self.output.read_exact(bytes).map_err(|error| format!("the peer stopped talking: {error}"))
    }

    /// Reads the next record.
    ///
    /// # Errors
    /// The peer ended.
    pub fn record(&mut self) -> Result<Record, String> {
        let mut b = [0; 64];
        self.receive(&mut b)?;
        let mut r = [0; 32];
        r.copy_from_slice(&b[..32]);
        let double = |at| u64::from(word(&b, at)) | u64::from(word(&b, at + 4)) << 32;
        Ok(Record {
            registers: Registers { r, sreg: b[32], sp: word(&b, 36) as u16, pc: word(&b, 40) },
            io: b[33],
            rampz: b[34],
            cycles: Some(double(48)),
            sram: double(56),
        })
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // Both may have gone already; nothing is left to do about it.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_file(&self.program);
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn compile_simavr(program: &Path) -> Result<(), String> {
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let arguments = ["-std=c11", "-O2", "-x", "c", "-", "-lsimavr"].map(String::from);
    compile(&compiler, &arguments, SIMAVR, program, "install the package libsimavr-dev")
}

/// yasimavr is a Python package that brings its headers and libraries along.
fn compile_yasimavr(program: &Path) -> Result<(), String> {
    let python = env::var("PENNYWEIGHT_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let remedy =
        "install it: `pip install yasimavr==0.1.6`, for the interpreter that PENNYWEIGHT_PYTHON names";
    let found = Command::new(&python)
        .args([
            "-c",
            "import importlib.util as u; print(u.find_spec('yasimavr').submodule_search_locations[0])",
        ])
        .output()
        .map_err(|error| format!("{python:?} cannot be run ({error}); set PENNYWEIGHT_PYTHON"))?;
    if !found.status.success() {
        return Err(format!("{python} has no package yasimavr; {remedy}"));
    }
    let place = String::from_utf8_lossy(&found.stdout).trim().to_owned();
    let compiler = env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let arguments = [
        "-std=c++20".to_owned(),
        "-O2".to_owned(),
        format!("-I{place}/include"),
        format!("-I{place}/include/core"),
        "-x".to_owned(),
        "c++".to_owned(),
        "-".to_owned(),
        format!("-L{place}/lib"),
        format!("-Wl,-rpath,{place}/lib"),
        "-lyasimavr_core".to_owned(),
        "-lyasimavr_arch_xt".to_owned(),
    ];
    compile(&compiler, &arguments, YASIMAVR, program, remedy)
}

fn compile(
    compiler: &str,
    arguments: &[String],
    source: &str,
    program: &Path,
    remedy: &str,
) -> Result<(), String> {
    let mut child = Command::new(compiler)
        .args(arguments)
        .arg("-o")
        .arg(program)
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("the compiler {compiler:?} cannot be run ({error}); install gcc and g++"))?;
    if let Some(mut input) = child.stdin.take() {
        // A compiler that failed early explains why on its standard error.
        let _ = input.write_all(source.as_bytes());
    }
    let output = child.wait_with_output().map_err(|error| format!("{compiler}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let message = String::from_utf8_lossy(&output.stderr);
    let first = message.lines().find(|line| line.contains("error") || line.contains("cannot find"));
    Err(format!(
        "the peer does not compile ({}); {remedy}",
        first.or(message.lines().next()).unwrap_or("no message")
    ))
}

/// The peer's hash of SRAM (see its source).
#[must_use]
pub fn hash(sram: &[u8]) -> u64 {
    const PRIME: u64 = 0x100_0000_01b3;
    let mut lanes = [1u64, 2, 3, 4];
    for block in sram.chunks_exact(32) {
        for (lane, bytes) in lanes.iter_mut().zip(block.chunks_exact(8)) {
            let word = u64::from(word(bytes, 0)) | u64::from(word(bytes, 4)) << 32;
            *lane = (*lane ^ word).wrapping_mul(PRIME);
            *lane ^= *lane >> 29;
        }
    }
    lanes.into_iter().reduce(|all, lane| all.wrapping_mul(PRIME) ^ lane).unwrap_or_default()
}
