//! The entry of the Thumb family in the list of instruction sets.

use pennyweight_machine::instruction_set::Simulated;
use pennyweight_machine::{Board, CoreFile, Image, InstructionSet, LoadError};

use crate::core::{Core, CortexM0, CortexM0Plus, CortexM3, CortexM33, CortexM4};
use crate::op::InstructionSet as _;
use crate::processor::{Thumb, ThumbMachine};
use crate::v6m::V6m;
use crate::v7m::{V7em, V7m, V8m};
use pennyweight_machine32::Processor as _;

/// Thumb, as Cortex-M cores have it.
pub const INSTRUCTION_SET: InstructionSet = InstructionSet {
    package: env!("CARGO_PKG_NAME"),
    names: &[V6m::NAME, V7m::NAME, V7em::NAME, V8m::NAME],
    check_core: |core| choose(core, Check),
    random: true,
    check_board: |board| choose(&board.core, CheckBoard(board)),
};

/// The interpreter's board with an image loaded. Compiled where it is used.
///
/// # Errors
/// As for [`ThumbMachine::new`].
#[inline]
pub fn machine(board: &Board, image: &Image) -> Result<Simulated, LoadError> {
    choose(&board.core, Load(board, image))
}

/// Something done with a core, of whichever kind it is.
trait Task {
    type Output;

    fn with<C: Core>(self, core: &CoreFile) -> Result<Self::Output, LoadError>;
}

/// The one list of the timing models.
fn choose<K: Task>(core: &CoreFile, task: K) -> Result<K::Output, LoadError> {
    match core.timing.as_str() {
        CortexM0::MODEL => task.with::<CortexM0>(core),
        CortexM0Plus::MODEL => task.with::<CortexM0Plus>(core),
        CortexM3::MODEL => task.with::<CortexM3>(core),
        CortexM4::MODEL => task.with::<CortexM4>(core),
        CortexM33::MODEL => task.with::<CortexM33>(core),
        model => {
            let known =
                [CortexM0::MODEL, CortexM0Plus::MODEL, CortexM3::MODEL, CortexM4::MODEL, CortexM33::MODEL];
            core.one_of("[timing]: model", model, &known)?;
            task.with::<CortexM0>(core)
        }
    }
}

struct Check;

impl Task for Check {
    type Output = ();

    fn with<C: Core>(self, core: &CoreFile) -> Result<(), LoadError> {
        Ok(Thumb::<C>::check(core)?)
    }
}

struct CheckBoard<'a>(&'a Board);

impl Task for CheckBoard<'_> {
    type Output = ();

    fn with<C: Core>(self, _: &CoreFile) -> Result<(), LoadError> {
        ThumbMachine::<C>::check(self.0)
    }
}

struct Load<'a>(&'a Board, &'a Image);

impl Task for Load<'_> {
    type Output = Simulated;

    fn with<C: Core>(self, _: &CoreFile) -> Result<Simulated, LoadError> {
        Ok(Box::new(ThumbMachine::<C>::new(self.0, self.1)?))
    }
}
