//! A bus that holds made-up values: what instructions are tried on, to learn what they do.

use pennyweight_machine::effects::{Trial, Tried, LOADS};
use pennyweight_machine::FaultKind;

use crate::bus::DataBus;

/// Any address can be accessed; the n-th load finds the trial's n-th value.
#[derive(Debug)]
pub struct TrialBus<'a> {
    trial: &'a Trial,
    loads: usize,
    stores: Vec<u32>,
    addresses: Vec<u32>,
}

impl<'a> TrialBus<'a> {
    /// A bus with the trial's values.
    #[must_use]
    pub fn new(trial: &'a Trial) -> Self {
        TrialBus { trial, loads: 0, stores: Vec::new(), addresses: Vec::new() }
    }

    /// What was recorded here, with the core's own results.
    #[must_use]
    pub fn tried(self, cells: [u32; pennyweight_machine::effects::CELLS], next: u32, cycles: u32) -> Tried {
        let TrialBus { loads, stores, addresses, .. } = self;
        Tried { cells, stores, addresses, next, cycles, loads }
    }

    fn load(&mut self, address: u32) -> u32 {
        self.addresses.push(address);
        self.loads += 1;
        self.trial.loads[(self.loads - 1).min(LOADS - 1)]
    }

    fn store(&mut self, address: u32, value: u32) {
        self.addresses.push(address);
        self.stores.push(value);
    }
}

impl DataBus for TrialBus<'_> {
    fn load_word(&mut self, address: u32) -> Result<u32, FaultKind> {
        Ok(self.load(address))
    }

    fn load_half(&mut self, address: u32) -> Result<u16, FaultKind> {
        Ok(self.load(address) as u16)
    }

    fn load_byte(&mut self, address: u32) -> Result<u8, FaultKind> {
        Ok(self.load(address) as u8)
    }

    fn store_word(&mut self, address: u32, value: u32) -> Result<(), FaultKind> {
        self.store(address, value);
        Ok(())
    }

    fn store_half(&mut self, address: u32, value: u16) -> Result<(), FaultKind> {
        self.store(address, value.into());
        Ok(())
    }

    fn store_byte(&mut self, address: u32, value: u8) -> Result<(), FaultKind> {
        self.store(address, value.into());
        Ok(())
    }

    fn stack_pointer(&mut self, _: u32) -> Result<(), FaultKind> {
        Ok(())
    }

    fn flash_read(&mut self) {}
}
