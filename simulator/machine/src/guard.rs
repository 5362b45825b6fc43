//! Guard zones: a permission byte for each byte of RAM; and [`Watch`], through which a core asks.
//!
//! A core's loop is generic over its watch: compiled with [`Free`], accesses are neither checked nor
//! recorded, so that zones and observers cost nothing unless used.

use crate::call::Zone;
use crate::fault::Access;

/// Sees every data access before it is made, and may forbid it. Addresses are ELF addresses.
pub trait Watch: Copy {
    /// Does it want to be asked at all?
    const ACTIVE: bool;

    /// May `size` bytes at `address` be read?
    fn may_read(self, address: u32, size: u32) -> bool;

    /// May `size` bytes at `address` be written?
    fn may_write(self, address: u32, size: u32) -> bool;

    /// May what is free for the stack, below the stack pointer, be read or written?
    fn may_touch_free_stack(self, access: Access) -> bool;

    /// What is forbidden for each byte of RAM: [`READ_BIT`], [`WRITE_BIT`]. Nothing for bytes behind the last.
    #[cfg(feature = "translator")]
    fn forbidden(&self) -> &[u8] {
        &[]
    }
}

/// Everything is allowed and nothing noted.
#[derive(Clone, Copy, Debug)]
pub struct Free;

impl Watch for Free {
    const ACTIVE: bool = false;

    #[inline(always)]
    fn may_read(self, _: u32, _: u32) -> bool {
        true
    }

    #[inline(always)]
    fn may_write(self, _: u32, _: u32) -> bool {
        true
    }

    #[inline(always)]
    fn may_touch_free_stack(self, _: Access) -> bool {
        true
    }
}

impl Watch for &Guard {
    const ACTIVE: bool = true;

    fn may_read(self, address: u32, size: u32) -> bool {
        Guard::may_read(self, address, size)
    }

    fn may_write(self, address: u32, size: u32) -> bool {
        Guard::may_write(self, address, size)
    }

    fn may_touch_free_stack(self, access: Access) -> bool {
        self.everywhere & bit(access) == 0
    }

    #[cfg(feature = "translator")]
    fn forbidden(&self) -> &[u8] {
        &self.forbidden
    }
}

/// The bit of bytes that must not be read.
#[cfg(feature = "translator")]
pub const READ_BIT: u8 = NO_READ;
/// The bit of bytes that must not be written.
#[cfg(feature = "translator")]
pub const WRITE_BIT: u8 = NO_WRITE;

const NO_READ: u8 = 1;
const NO_WRITE: u8 = 2;

/// The bit of what `access` is forbidden by.
fn bit(access: Access) -> u8 {
    if access == Access::Write {
        NO_WRITE
    } else {
        NO_READ
    }
}

/// Permissions of one RAM region.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    base: u32,
    forbidden: Vec<u8>,
    /// What any zone forbids.
    everywhere: u8,
}

impl Guard {
    /// Permissions for `size` bytes of RAM at `base`, everything allowed, then restricted by
    /// `zones` (in the same address space as `base`; parts outside the region are ignored).
    #[must_use]
    pub fn new(base: u32, size: usize, zones: &[Zone]) -> Self {
        let mut guard = Guard { base, forbidden: vec![0; size], everywhere: 0 };
        for zone in zones {
            let bits = if zone.no_read { NO_READ } else { 0 } | if zone.no_write { NO_WRITE } else { 0 };
            guard.everywhere |= bits;
            let start = (zone.start.max(base) - base) as usize;
            let end = (zone.end.max(base) - base) as usize;
            let (start, end) = (start.min(size), end.min(size));
            if start < end {
                for byte in &mut guard.forbidden[start..end] {
                    *byte |= bits;
                }
            }
        }
        guard
    }

    /// May `size` bytes at `address` be read? Addresses outside the region are not this guard's
    /// concern: true.
    #[must_use]
    pub fn may_read(&self, address: u32, size: u32) -> bool {
        self.allows(address, size, NO_READ)
    }

    /// May `size` bytes at `address` be written?
    #[must_use]
    pub fn may_write(&self, address: u32, size: u32) -> bool {
        self.allows(address, size, NO_WRITE)
    }

    fn allows(&self, address: u32, size: u32, bit: u8) -> bool {
        (0..size).all(|i| {
            let offset = address.wrapping_add(i).wrapping_sub(self.base) as usize;
            self.forbidden.get(offset).is_none_or(|bits| bits & bit == 0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Guard, Watch as _};
    use crate::call::Zone;
    use crate::fault::Access;

    #[test]
    fn a_zone_forbids_what_it_says_and_nothing_else() {
        let zones = [
            Zone { start: 0x110, end: 0x112, no_read: false, no_write: true },
            Zone { start: 0x112, end: 0x500, no_read: true, no_write: true },
        ];
        let guard = Guard::new(0x100, 0x100, &zones);
        assert!(guard.may_read(0x110, 2));
        assert!(!guard.may_read(0x110, 4));
        assert!(!guard.may_write(0x111, 1));
        assert!(guard.may_write(0x10f, 1));
        assert!(!guard.may_write(0x10f, 2));
        assert!(!guard.may_read(0x1ff, 1));
        assert!(guard.may_read(0x600, 4));
        assert!(guard.may_write(0x00, 1));
    }

    #[test]
    fn what_some_zone_forbids_is_forbidden_in_free_stack_too() {
        let zone = |no_read, no_write| Zone { start: 0x100, end: 0x104, no_read, no_write };
        for (no_read, no_write) in [(false, false), (true, false), (false, true), (true, true)] {
            let guard = Guard::new(0x100, 0x100, &[zone(false, false), zone(no_read, no_write)]);
            assert_eq!((&guard).may_touch_free_stack(Access::Read), !no_read);
            assert_eq!((&guard).may_touch_free_stack(Access::Write), !no_write);
        }
    }
}
