//! Bindings of the leakage check. No result of a measurement depends on them.

use pennyweight_leakage::{self as leakage, Change, Order, Origin, Place};
use pennyweight_machine as machine;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{argument, refuse, Board};

/// Traces of a call, fixed inputs against random ones.
#[pyclass(module = "pennyweight_simulator")]
pub struct Leakage(leakage::Experiment);

#[pymethods]
impl Leakage {
    #[new]
    #[pyo3(signature = (board, elf, ready, budget, function, args, before, memory, inputs, generator, window, second_order, seed))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        board: &Board,
        elf: &[u8],
        ready: u32,
        budget: u64,
        function: u32,
        args: Vec<(String, i128)>,
        before: Option<(u32, Vec<(String, i128)>)>,
        memory: Vec<(u32, Vec<u8>)>,
        inputs: Vec<(u32, Vec<u8>)>,
        generator: Option<(u32, u32)>,
        window: Option<(u32, u32)>,
        second_order: bool,
        seed: u64,
    ) -> PyResult<Self> {
        let arguments = |args: Vec<(String, i128)>| {
            args.iter().map(|(kind, value)| argument(kind, *value)).collect::<PyResult<Vec<_>>>()
        };
        let args = arguments(args)?;
        let before =
            before.map(|(function, args)| Ok::<_, PyErr>((function, arguments(args)?))).transpose()?;
        let image = machine::Image::parse(elf).map_err(refuse)?;
        let inputs = inputs.into_iter().map(|(address, fixed)| leakage::Input { address, fixed });
        let setup = leakage::Setup {
            board: &board.0,
            image: &image,
            ready,
            budget,
            function,
            args,
            before,
            memory,
            inputs: inputs.collect(),
            generator: generator.map(|(function, variable)| leakage::Generator { function, variable }),
            window: window.map(|(function, calls)| leakage::Window { function, calls }),
            seed,
        };
        let order = if second_order { Order::Second } else { Order::First };
        py.detach(|| leakage::Experiment::new(&setup, order)).map(Leakage).map_err(refuse)
    }

    /// The sentence of the core's model, if the board's core has one.
    #[staticmethod]
    fn model(board: &Board) -> Option<&'static str> {
        leakage::model_source(&board.0.core.timing)
    }

    #[getter]
    fn addresses(&self) -> Vec<u32> {
        self.0.addresses()
    }

    #[getter]
    fn examined(&self) -> usize {
        self.0.examined()
    }

    #[getter]
    fn words(&self) -> u32 {
        self.0.words()
    }

    #[getter]
    fn samples(&self) -> usize {
        2 * self.0.changes().len()
    }

    #[getter]
    fn counts(&self) -> [u64; 2] {
        self.0.counts()
    }

    fn extend(&mut self, py: Python<'_>, count: u64, threads: u64) -> Option<(u64, u32)> {
        py.detach(|| self.0.extend(count, threads)).err().map(|found| (found.trace, found.pc))
    }

    fn beyond(&self, threshold: f64) -> Vec<(usize, f64)> {
        self.0.beyond(threshold)
    }

    fn begin_set(&mut self, samples: Vec<usize>) {
        self.0.begin_set(&samples);
    }

    fn change<'py>(&self, py: Python<'py>, sample: usize) -> PyResult<Bound<'py, PyDict>> {
        let Some(&Change { instruction, place, register, old, new }) = self.0.changes().get(sample / 2)
        else {
            return Err(refuse(format!("there is no sample {sample}")));
        };
        let dict = PyDict::new(py);
        dict.set_item("instruction", instruction)?;
        dict.set_item("place", place.name())?;
        dict.set_item("register", register)?;
        let neighbour = if let Place::Neighbour(number) = place { Some(number) } else { None };
        dict.set_item("neighbour", neighbour)?;
        dict.set_item("is_value", sample % 2 == 1)?;
        dict.set_item("old", origin(py, old)?)?;
        dict.set_item("new", origin(py, new)?)?;
        Ok(dict)
    }
}

fn origin(py: Python<'_>, from: Origin) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("set", from.set)?;
    dict.set_item("made", from.made)?;
    dict.set_item("register", from.register)?;
    dict.set_item("address", from.address)?;
    dict.set_item("has_input", from.label.has_input())?;
    dict.set_item("words", from.label.words().collect::<Vec<_>>())?;
    Ok(dict)
}
