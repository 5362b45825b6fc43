//! Python bindings of the simulators: thin, no logic of their own.
//!
//! The functions' documentation for Python users is in `pennyweight_simulator/_native.pyi`.

use pennyweight_machine as machine;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use machine::{Arg, CallOptions, Exit, Fault, FaultKind, Zone};

#[cfg(feature = "effects")]
mod effects;
#[cfg(feature = "translator")]
mod engine;
#[cfg(feature = "leakage")]
mod leakage;

fn refuse(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A core's file.
#[pyclass(frozen, module = "pennyweight_simulator")]
struct Core(machine::CoreFile);

#[pymethods]
impl Core {
    #[staticmethod]
    fn from_toml(text: &str, source_name: &str) -> PyResult<Self> {
        let core = machine::CoreFile::from_toml(text, source_name).map_err(refuse)?;
        pennyweight_boards::check_core(&core).map_err(refuse)?;
        Ok(Core(core))
    }

    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }
}

/// A board description.
#[pyclass(frozen, module = "pennyweight_simulator")]
struct Board(machine::Board);

#[pymethods]
impl Board {
    #[staticmethod]
    fn from_toml(text: &str, source_name: &str, core: &Core) -> PyResult<Self> {
        let board = machine::Board::from_toml(text, source_name, |_| Ok(core.0.clone())).map_err(refuse)?;
        pennyweight_boards::check_board(&board).map_err(refuse)?;
        Ok(Board(board))
    }

    #[getter]
    fn id(&self) -> &str {
        &self.0.id
    }

    #[getter]
    fn core(&self) -> &str {
        &self.0.core.name
    }

    #[getter]
    fn hz(&self) -> u64 {
        self.0.hz
    }

    #[getter]
    fn memories<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let describe = |memory: &machine::board::Memory| {
            let kind = match memory.kind {
                machine::board::MemoryKind::Flash => "flash",
                machine::board::MemoryKind::Ram => "ram",
                machine::board::MemoryKind::Mirror => "mirror",
            };
            let dict = PyDict::new(py);
            dict.set_item("name", &memory.name)?;
            dict.set_item("kind", kind)?;
            dict.set_item("base", memory.base)?;
            dict.set_item("size", memory.size)?;
            dict.set_item("buffered", memory.timing.is_buffered())?;
            Ok(dict)
        };
        self.0.memories.iter().map(describe).collect()
    }
}

/// What a run cost and how it ended.
#[pyclass(frozen, module = "pennyweight_simulator")]
#[derive(Clone)]
struct Outcome {
    run: machine::Outcome,
    /// The extension of an undefined instruction.
    missing: Option<&'static str>,
}

impl Outcome {
    /// The outcome of a run that `machine` has just ended.
    fn of(run: machine::Outcome, machine: &(impl machine::Machine + ?Sized)) -> Self {
        let missing = match run.exit {
            Exit::Fault(Fault { kind: FaultKind::Undefined { opcode }, .. }) => {
                machine.missing_extension(opcode)
            }
            _ => None,
        };
        Outcome { run, missing }
    }

    fn kind(&self) -> Option<FaultKind> {
        match self.run.exit {
            Exit::Fault(fault) => Some(fault.kind),
            _ => None,
        }
    }
}

#[pymethods]
impl Outcome {
    #[getter]
    fn exit(&self) -> &'static str {
        match self.run.exit {
            Exit::Returned => "returned",
            Exit::Fault(_) => "fault",
            Exit::OutOfCycles { .. } => "out of cycles",
        }
    }

    #[getter]
    fn fault(&self) -> Option<&'static str> {
        self.kind().map(|kind| kind.name())
    }

    #[getter]
    fn access(&self) -> Option<String> {
        match self.kind()? {
            FaultKind::Unaligned { access, .. }
            | FaultKind::Unmapped { access, .. }
            | FaultKind::Guard { access, .. }
            | FaultKind::FreeStack { access, .. } => Some(access.to_string()),
            _ => None,
        }
    }

    #[getter]
    fn message(&self) -> String {
        self.kind().map(|kind| kind.describe(self.missing)).unwrap_or_default()
    }

    #[getter]
    fn pc(&self) -> Option<u32> {
        match self.run.exit {
            Exit::Returned => None,
            Exit::Fault(fault) => Some(fault.pc),
            Exit::OutOfCycles { pc } => Some(pc),
        }
    }

    #[getter]
    fn address(&self) -> Option<u32> {
        match self.kind()? {
            FaultKind::Unaligned { address, .. }
            | FaultKind::Unmapped { address, .. }
            | FaultKind::FlashWrite { address }
            | FaultKind::StackOverflow { address, .. }
            | FaultKind::Guard { address, .. }
            | FaultKind::FreeStack { address, .. } => Some(address),
            FaultKind::Undefined { .. } | FaultKind::Trap { .. } | FaultKind::Asleep => None,
        }
    }

    #[getter]
    fn size(&self) -> Option<u32> {
        match self.kind()? {
            FaultKind::Unaligned { size, .. }
            | FaultKind::Unmapped { size, .. }
            | FaultKind::Guard { size, .. }
            | FaultKind::FreeStack { size, .. } => Some(size),
            _ => None,
        }
    }

    #[getter]
    fn cycles(&self) -> u64 {
        self.run.cycles
    }

    #[getter]
    fn instructions(&self) -> u64 {
        self.run.instructions
    }

    #[getter]
    fn stack(&self) -> u32 {
        self.run.stack
    }

    #[getter]
    fn result(&self) -> i32 {
        self.run.result
    }

    /// Bits of random numbers that the program read, and cycles that it waited for them.
    #[getter]
    fn random(&self) -> (u64, u64) {
        (self.run.random.bits, self.run.random.waited)
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.run)
    }
}

/// What one call was made of.
#[pyclass(frozen, module = "pennyweight_simulator")]
struct Profile {
    outcome: Outcome,
    mix: Vec<(String, machine::profile::Cost)>,
    stacks: Vec<machine::profile::Stack>,
    touched: Vec<machine::profile::Touched>,
}

#[pymethods]
impl Profile {
    #[getter]
    fn outcome(&self) -> Outcome {
        self.outcome.clone()
    }

    #[getter]
    fn mix(&self) -> Vec<(String, u64, u64)> {
        self.mix.iter().map(|(name, cost)| (name.clone(), cost.instructions, cost.cycles)).collect()
    }

    #[getter]
    fn stacks(&self) -> Vec<(Vec<String>, u64, u64)> {
        let describe = |stack: &machine::profile::Stack| {
            (stack.functions.clone(), stack.cost.instructions, stack.cost.cycles)
        };
        self.stacks.iter().map(describe).collect()
    }

    #[getter]
    fn touched(&self) -> Vec<(u32, u32, bool, bool)> {
        self.touched.iter().map(|range| (range.start, range.end, range.read, range.written)).collect()
    }
}

/// A simulated board with an image loaded.
#[pyclass(module = "pennyweight_simulator")]
struct Machine {
    image: machine::Image,
    machine: Box<dyn machine::Machine + Send + Sync>,
}

#[pymethods]
impl Machine {
    #[new]
    fn new(board: &Board, elf: &[u8]) -> PyResult<Self> {
        let image = machine::Image::parse(elf).map_err(refuse)?;
        #[cfg(not(feature = "translator"))]
        let machine = pennyweight_boards::machine(&board.0, &image).map_err(refuse)?;
        #[cfg(feature = "translator")]
        let machine = engine::selected(&board.0, &image)?;
        Ok(Machine { image, machine })
    }

    #[cfg(feature = "translator")]
    #[staticmethod]
    fn with_engine(board: &Board, elf: &[u8], engine: &str) -> PyResult<Self> {
        let image = machine::Image::parse(elf).map_err(refuse)?;
        let machine = engine::named(&board.0, &image, engine)?;
        Ok(Machine { image, machine })
    }

    fn symbol(&self, name: &str) -> Option<u32> {
        self.image.symbol(name).map(|symbol| symbol.address)
    }

    fn symbols(&self) -> Vec<(String, u32, u32, bool)> {
        let describe = |symbol: &machine::image::Symbol| {
            (symbol.name.clone(), symbol.address, symbol.size, symbol.is_function)
        };
        self.image.symbols.iter().map(describe).collect()
    }

    fn location(&self, pc: u32) -> String {
        let function = self.image.function_at(pc).map(|symbol| symbol.name.as_str());
        match (function, self.image.line(pc)) {
            (Some(function), Some(line)) => format!("{function} ({line})"),
            (Some(function), None) => format!("{function} ({pc:#x})"),
            (None, Some(line)) => line,
            (None, None) => format!("{pc:#x}"),
        }
    }

    fn boot(&mut self, py: Python<'_>, ready: u32, budget: u64) -> Outcome {
        py.detach(|| Outcome::of(self.machine.boot(ready, budget), &*self.machine))
    }

    #[pyo3(signature = (function, args, budget, stack_limit, zones = Vec::new()))]
    fn call(
        &mut self,
        py: Python<'_>,
        function: u32,
        args: Vec<(String, i128)>,
        budget: u64,
        stack_limit: u32,
        zones: Vec<(u32, u32, bool, bool)>,
    ) -> PyResult<Outcome> {
        let args = args.iter().map(|(kind, value)| argument(kind, *value)).collect::<PyResult<Vec<_>>>()?;
        let options = CallOptions { budget, stack_limit, zones: zones.into_iter().map(zone).collect() };
        Ok(py.detach(|| Outcome::of(self.machine.call(function, &args, &options), &*self.machine)))
    }

    #[pyo3(signature = (function, args, budget, stack_limit, zones = Vec::new()))]
    fn profile(
        &mut self,
        py: Python<'_>,
        function: u32,
        args: Vec<(String, i128)>,
        budget: u64,
        stack_limit: u32,
        zones: Vec<(u32, u32, bool, bool)>,
    ) -> PyResult<Profile> {
        let args = args.iter().map(|(kind, value)| argument(kind, *value)).collect::<PyResult<Vec<_>>>()?;
        let options = CallOptions { budget, stack_limit, zones: zones.into_iter().map(zone).collect() };
        let (image, machine) = (&self.image, &mut self.machine);
        py.detach(|| {
            let mut profile = machine::Profile::new(image);
            let outcome = machine.call_observed(function, &args, &options, &mut profile)?;
            let (mix, stacks, touched) = (profile.mix(), profile.stacks(), profile.touched());
            let outcome = Outcome::of(outcome, &**machine);
            Some(Profile { outcome, mix, stacks, touched })
        })
        .ok_or_else(|| refuse("this board's core cannot be observed"))
    }

    #[pyo3(signature = (function, args, budget, stack_limit, secrets, zones = Vec::new()))]
    #[allow(clippy::too_many_arguments, clippy::type_complexity)]
    fn follow_secrets(
        &mut self,
        py: Python<'_>,
        function: u32,
        args: Vec<(String, i128)>,
        budget: u64,
        stack_limit: u32,
        secrets: Vec<(u32, u32)>,
        zones: Vec<(u32, u32, bool, bool)>,
    ) -> PyResult<(Outcome, Vec<(u32, &'static str, u64)>)> {
        let args = args.iter().map(|(kind, value)| argument(kind, *value)).collect::<PyResult<Vec<_>>>()?;
        let options = CallOptions { budget, stack_limit, zones: zones.into_iter().map(zone).collect() };
        py.detach(|| {
            let mut followed = machine::Secrets::new(&secrets);
            let outcome = self.machine.call_observed(function, &args, &options, &mut followed)?;
            let leaks = followed.leaks().into_iter().map(|(pc, leak, times)| (pc, leak.name(), times));
            Some((Outcome::of(outcome, &*self.machine), leaks.collect()))
        })
        .ok_or_else(|| refuse("this board's core cannot be observed"))
    }

    fn read<'py>(&self, py: Python<'py>, address: u32, size: usize) -> PyResult<Bound<'py, PyBytes>> {
        PyBytes::new_with(py, size, |out| self.machine.read(address, out).map_err(outside))
    }

    fn write(&mut self, address: u32, data: &[u8]) -> PyResult<()> {
        self.machine.write(address, data).map_err(outside)
    }

    #[getter]
    fn stack_top(&self) -> u32 {
        self.machine.stack_top()
    }

    #[getter]
    fn translated_runs(&self) -> u64 {
        self.machine.translated_runs()
    }

    fn allow_odd_words(&mut self, allowed: bool) -> bool {
        self.machine.allow_odd_words(allowed)
    }

    fn snapshot(&mut self) {
        self.machine.snapshot();
    }

    fn restore(&mut self) {
        self.machine.restore();
    }
}

fn zone((start, end, no_read, no_write): (u32, u32, bool, bool)) -> Zone {
    Zone { start, end, no_read, no_write }
}

fn outside(error: machine::OutOfMap) -> PyErr {
    PyIndexError::new_err(format!(
        "{} bytes at {:#x} lie outside the board's memories",
        error.size, error.address
    ))
}

fn argument(kind: &str, value: i128) -> PyResult<Arg> {
    let absurd = || refuse(format!("argument {value} does not fit a {kind}"));
    match kind {
        "pointer" => value.try_into().map(Arg::Pointer).map_err(|_| absurd()),
        "size" => value.try_into().map(Arg::Size).map_err(|_| absurd()),
        "u64" => value.try_into().map(Arg::U64).map_err(|_| absurd()),
        "int" => value.try_into().map(Arg::Int).map_err(|_| absurd()),
        _ => Err(refuse(format!("argument kind '{kind}' is not one of pointer, size, u64, int"))),
    }
}

/// The compiled module.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::{Board, Core, Machine, Outcome, Profile};

    #[cfg(feature = "effects")]
    #[pymodule_export]
    use super::effects::effects_of_call;
    #[cfg(feature = "leakage")]
    #[pymodule_export]
    use super::leakage::Leakage;
    use pyo3::prelude::*;

    /// The global symbols that an object file defines.
    #[pyfunction]
    fn defined_symbols(object: &[u8]) -> Vec<String> {
        pennyweight_machine::image::defined_symbols(object)
    }

    /// The version of the simulator of an instruction set, as core files name it.
    #[pyfunction]
    fn version_of(instruction_set: &str) -> PyResult<&'static str> {
        let package = pennyweight_boards::package(instruction_set);
        let mut versions = env!("PENNYWEIGHT_SIMULATOR_VERSIONS").split(' ');
        versions
            .find_map(|each| each.split_once('=').filter(|(name, _)| Some(*name) == package))
            .map(|(_, version)| version)
            .ok_or_else(|| super::refuse(format!("there is no instruction set {instruction_set:?}")))
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("translator_version", env!("PENNYWEIGHT_TRANSLATOR_VERSION"))?;
        module.add("__version__", env!("PENNYWEIGHT_SIMULATOR_VERSION"))
    }
}
