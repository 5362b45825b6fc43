//! What the instructions of a call read and write, for tools that reorder code. No result of a measurement
//! depends on it.

use std::collections::BTreeMap;

use pennyweight_machine as machine;
use pyo3::prelude::*;

use machine::effects::{Effects, Sources};
use machine::observe::Accessed;
use machine::{Access, CallOptions, Observer};

use super::{argument, refuse, zone, Machine, Outcome};

/// An instruction's reads and writes, over all its executions.
#[derive(Clone, Copy, Debug, Default)]
struct Used {
    times: u64,
    reads: u128,
    writes: u128,
    loads: bool,
    stores: bool,
}

/// Collects the effects of all executed instructions by address.
#[derive(Debug, Default)]
struct Collected(BTreeMap<u32, Used>);

impl Observer for Collected {
    fn access(&mut self, _: u32, _: u32, _: Access) {}

    fn instruction(&mut self, _: u32, _: &str, _: u32) {}

    fn called(&mut self, _: u32, _: u32) {}

    fn returned(&mut self, _: u32) {}

    fn wants_effects(&self) -> bool {
        true
    }

    fn effects(&mut self, pc: u32, effects: &Effects, accesses: &[Accessed]) {
        let Effects { writes, stores, address, flow, time } = effects;
        let used = self.0.entry(pc).or_default();
        used.times += 1;
        let written = writes.iter().map(|(_, sources)| sources);
        for Sources { cells, .. } in written.chain(stores).chain([address, flow, time]) {
            used.reads |= cells;
        }
        for (cell, _) in writes {
            used.writes |= 1 << cell;
        }
        used.loads |= accesses.iter().any(|(_, _, access)| *access == Access::Read);
        used.stores |= accesses.iter().any(|(_, _, access)| *access == Access::Write);
    }
}

/// An address, executions, cells read and written as bits, whether it loads, whether it stores.
type Row = (u32, u64, u128, u128, bool, bool);

/// Calls a function, observed, and returns what each of its instructions reads and writes.
#[pyfunction]
#[pyo3(signature = (machine, function, args, budget, stack_limit, zones = Vec::new()))]
pub fn effects_of_call(
    py: Python<'_>,
    mut machine: PyRefMut<'_, Machine>,
    function: u32,
    args: Vec<(String, i128)>,
    budget: u64,
    stack_limit: u32,
    zones: Vec<(u32, u32, bool, bool)>,
) -> PyResult<(Outcome, Vec<Row>)> {
    let args = args.iter().map(|(kind, value)| argument(kind, *value)).collect::<PyResult<Vec<_>>>()?;
    let options = CallOptions { budget, stack_limit, zones: zones.into_iter().map(zone).collect() };
    let machine = &mut machine.machine;
    py.detach(|| {
        let mut collected = Collected::default();
        let outcome = machine.call_observed(function, &args, &options, &mut collected)?;
        let rows = collected
            .0
            .into_iter()
            .map(|(pc, used)| (pc, used.times, used.reads, used.writes, used.loads, used.stores));
        Some((Outcome::of(outcome, &**machine), rows.collect()))
    })
    .ok_or_else(|| refuse("this board's core cannot be observed"))
}
