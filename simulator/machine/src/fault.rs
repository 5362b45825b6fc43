//! Faults: everything that ends a run other than a return or the budget.

use std::fmt;

/// What an access wanted to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// A data read.
    Read,
    /// A data write.
    Write,
    /// An instruction fetch.
    Execute,
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Access::Read => "read",
            Access::Write => "write",
            Access::Execute => "execute",
        })
    }
}

/// Why the core stopped. Addresses are ELF addresses (an AVR's data space starts at 0x800000).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The instruction at the program counter is undefined on this core.
    Undefined {
        /// Its encoding, first halfword in the upper half if it has two.
        opcode: u32,
    },
    /// An access whose address is not a multiple of its size on a core that demands it.
    Unaligned {
        /// Address of the access.
        address: u32,
        /// Bytes accessed.
        size: u32,
        /// Read or write.
        access: Access,
    },
    /// An access outside the memory map.
    Unmapped {
        /// Address of the access.
        address: u32,
        /// Bytes accessed.
        size: u32,
        /// Read, write or execute.
        access: Access,
    },
    /// A store into flash.
    FlashWrite {
        /// Address of the store.
        address: u32,
    },
    /// The stack grew below its limit, into static data or the caller's buffers.
    StackOverflow {
        /// The lowest address that the stack pointer took or a push wrote.
        address: u32,
        /// The lowest address that it may take.
        limit: u32,
    },
    /// An access to a guard zone: outside every buffer that the caller handed over.
    Guard {
        /// Address of the access.
        address: u32,
        /// Bytes accessed.
        size: u32,
        /// Read or write.
        access: Access,
    },
    /// An access below the stack pointer, in RAM that is free for the stack: outside every buffer too.
    FreeStack {
        /// Address of the access.
        address: u32,
        /// Bytes accessed.
        size: u32,
        /// Read or write.
        access: Access,
    },
    /// A breakpoint, supervisor call or other instruction that hands over to a debugger or system.
    Trap {
        /// Its encoding.
        opcode: u32,
    },
    /// The core went to sleep; nothing would ever wake it.
    Asleep,
}

/// What a place for a fault holds before there is one.
pub const NO_FAULT: FaultKind = FaultKind::Undefined { opcode: 0 };

/// A fault and where it happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What happened.
    pub kind: FaultKind,
    /// Address of the instruction that did it.
    pub pc: u32,
}

impl FaultKind {
    /// A stable name in kebab case, for records.
    pub fn name(&self) -> &'static str {
        match self {
            FaultKind::Undefined { .. } => "undefined-instruction",
            FaultKind::Unaligned { .. } => "unaligned-access",
            FaultKind::Unmapped { .. } => "unmapped-access",
            FaultKind::FlashWrite { .. } => "flash-write",
            FaultKind::StackOverflow { .. } => "stack-overflow",
            FaultKind::Guard { .. } => "guard-zone",
            FaultKind::FreeStack { .. } => "free-stack",
            FaultKind::Trap { .. } => "trap",
            FaultKind::Asleep => "asleep",
        }
    }

    /// The fault in words; `missing` is the extension that an undefined instruction belongs to.
    pub fn describe(&self, missing: Option<&str>) -> String {
        match (*self, missing) {
            (FaultKind::Undefined { opcode }, Some(extension)) => {
                format!("instruction {opcode:#06x} of the extension \"{extension}\", which the core lacks")
            }
            _ => self.to_string(),
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            FaultKind::Undefined { opcode } => write!(f, "undefined instruction {opcode:#06x}"),
            FaultKind::Unaligned { address, size, access } => {
                write!(f, "unaligned {access} of {size} bytes at {address:#010x}")
            }
            FaultKind::Unmapped { address, access: Access::Execute, .. } => {
                write!(f, "jump outside the program, to {address:#010x}")
            }
            FaultKind::Unmapped { address, size, access } => {
                write!(f, "{access} of {size} bytes outside the memory map at {address:#010x}")
            }
            FaultKind::FlashWrite { address } => write!(f, "write to flash at {address:#010x}"),
            FaultKind::StackOverflow { address, limit } => {
                write!(f, "stack overflow: {address:#010x} is below the stack's limit {limit:#010x}")
            }
            FaultKind::Guard { address, size, access } => {
                write!(f, "{access} of {size} bytes outside every buffer at {address:#010x}")
            }
            FaultKind::FreeStack { address, size, access } => {
                let bytes = if size == 1 { "1 byte".to_owned() } else { format!("{size} bytes") };
                write!(f, "{access} of {bytes} at {address:#010x}, below the stack pointer and outside every buffer")
            }
            FaultKind::Trap { opcode } => write!(f, "trap instruction {opcode:#06x}"),
            FaultKind::Asleep => f.write_str("the core went to sleep and nothing wakes it"),
        }
    }
}
