//! What a program's translated code is, and when it is used.

use pennyweight_memory::timing::StreamState;

use crate::blocks::{Found, Limits};
use crate::code::{self, Code, Compiler, Predictor};
use crate::copies::Blocks;
use crate::engine::Engine;
use crate::layout::Shape;
use crate::learned::Learned;
use crate::tier::Tier;

/// Runs that translated code gave up without a fault, before it is used no longer.
const MOST_FALSE_ALARMS: u32 = 8;

/// How an attempt to run translated code ended.
pub enum Attempt {
    /// No translated code begins here.
    Missing,
    /// It ran. Is the budget checked where it was left?
    Ran(bool),
    /// A check failed.
    Failed,
}

/// Translated code of one program.
#[derive(Debug)]
pub struct Translator<S> {
    /// What code depends on.
    pub shape: Shape,
    /// What runs programs.
    pub engine: Engine,
    /// What compiles code.
    pub compiler: Compiler,
    /// How much code is translated.
    pub limits: Limits,
    /// When, for runs without and with guard zones.
    pub tiers: [Tier; 2],
    /// What runs have shown.
    pub learned: Learned,
    /// The blocks.
    pub found: Option<Found<S>>,
    /// So many roots were known when they were found.
    known_roots: usize,
    /// Are they used, without and with guard zones?
    used: [bool; 2],
    /// The code for that, if it is compiled.
    pub codes: [Option<Code>; 2],
    /// Space for the branch predictor's state, reused to save allocations.
    pub predictor: Predictor,
    /// The same for that of a flash that reads ahead, or of lines that are held for their last use.
    pub stream: StreamState,
    /// Runs of translated code that were not given up.
    pub runs: u64,
    /// Runs that were given up without a fault.
    false_alarms: u32,
    /// The host cannot compile.
    off: bool,
}

impl<S: Copy + PartialEq> Translator<S> {
    /// One that has not translated anything.
    #[must_use]
    pub fn new(shape: Shape) -> Translator<S> {
        let engine = Engine::Auto;
        let mut limits = Limits::default();
        if shape.times_flash() || shape.matrix_shift.is_some() {
            // An instruction takes about twice as many bytes.
            limits.instructions /= 2;
        }
        Translator {
            shape,
            engine,
            compiler: Compiler::default(),
            limits,
            tiers: [0, 1].map(|_| Tier::new(engine, shape.price(), shape.ram_size)),
            learned: Learned::default(),
            found: None,
            known_roots: 0,
            used: [false; 2],
            codes: [None, None],
            predictor: Predictor::default(),
            stream: StreamState::default(),
            runs: 0,
            false_alarms: 0,
            off: false,
        }
    }

    /// The same, of a copy.
    #[must_use]
    pub fn again(&self) -> Translator<S> {
        let Translator { shape, engine, compiler, limits, .. } = *self;
        let tiers = [0, 1].map(|_| Tier::new(engine, shape.price(), shape.ram_size));
        Translator { engine, compiler, limits, tiers, ..Translator::new(shape) }
    }

    /// Changes settings. Then nothing is translated.
    pub fn change(&mut self, act: impl FnOnce(&mut Translator<S>)) {
        act(self);
        *self = self.again();
    }

    /// May code be translated and used?
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.engine != Engine::Interpreter && !self.off && self.false_alarms < MOST_FALSE_ALARMS
    }

    /// Is it time to translate?
    #[must_use]
    pub fn is_due(&self, guarded: bool) -> bool {
        self.tier(guarded).is_due() || self.found.is_some() && self.learned.unusual.is_due()
    }

    /// When code is translated for these runs.
    #[must_use]
    pub fn tier(&self, guarded: bool) -> &Tier {
        &self.tiers[usize::from(guarded)]
    }

    /// The interpreter ran so many instructions.
    pub fn interpreted(&mut self, guarded: bool, instructions: u64) {
        self.tiers[usize::from(guarded)].interpreted(instructions);
    }

    /// Is code used for these runs?
    #[must_use]
    pub fn has_code(&self, guarded: bool) -> bool {
        self.found.is_some() && self.used[usize::from(guarded)] && !self.tier(guarded).rests()
    }

    /// Uses what `find` finds for these runs, if that pays by now. False: nothing has changed.
    pub fn translate(
        &mut self,
        guarded: bool,
        find: impl FnOnce(&Shape, &Learned, Limits) -> Found<S>,
    ) -> bool {
        let has_to = self.found.is_some() && self.learned.unusual.take_due();
        let is_old = self.found.is_none() || self.known_roots != self.learned.roots.len();
        let found = (has_to || is_old).then(|| find(&self.shape, &self.learned, self.limits));
        let region = found.as_ref().or(self.found.as_ref()).map(|found| &found.region);
        let bytes = region.map_or(0, |region| code::size(region, &self.shape, guarded));
        let pays = self.tiers[usize::from(guarded)].pays(bytes);
        if !pays && !has_to {
            return false;
        }
        self.used[usize::from(guarded)] |= pays;
        if let Some(found) = found {
            self.known_roots = self.learned.roots.len();
            self.set_found(found);
        }
        true
    }

    /// How many blocks are translated.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.found.as_ref().map_or(0, |found| found.region.blocks.len())
    }

    /// Translated code ran for so many cycles.
    pub fn ran(&mut self, guarded: bool, cycles: u64) {
        self.runs += 1;
        self.tiers[usize::from(guarded)].ran(cycles);
    }

    /// A check failed, but there was no fault: a load that reads flash, if those are not translated yet.
    pub fn false_alarm(&mut self) {
        if self.shape.flash_loads || self.shape.shown == 0 {
            self.false_alarms += 1;
            return;
        }
        self.shape.flash_loads = true;
        self.codes = [None, None];
    }

    /// The instruction at `address` has accessed a register of a device. True: that was not known, and code that
    /// contains it is dropped.
    pub fn accesses_device(&mut self, address: u32) -> bool {
        let is_new = self.learned.devices.insert(address);
        if is_new {
            (self.found, self.used, self.codes) = (None, [false; 2], [None, None]);
        }
        is_new
    }

    /// Replaces the blocks.
    fn set_found(&mut self, found: Found<S>) {
        self.found = Some(found);
        self.codes = [None, None];
    }

    /// The code, compiled if it is not yet.
    pub fn code(&mut self, guarded: bool, flash: &[u8]) -> Option<&mut Code> {
        let place = &mut self.codes[usize::from(guarded)];
        if place.is_none() {
            *place = Code::new(self.compiler, &self.found.as_ref()?.region, &self.shape, guarded, flash);
            self.off |= place.is_none();
        }
        place.as_mut()
    }

    /// These blocks of RAM may have changed without translated code.
    pub fn ram_changed(&mut self, blocks: &Blocks) {
        self.codes.iter_mut().flatten().for_each(|code| code.ram_changed(blocks));
    }
}
