//! A hash of RustCrypto (crate `digest`, trait `Digest`) as SUPERCOP and NIST call it.

#![no_std]

mod common;

#[cfg(feature = "blake2s")]
use blake2::{Blake2s256 as Hash, Digest};
#[cfg(feature = "sha-256")]
use sha2::{Digest, Sha256 as Hash};
#[cfg(feature = "sha-512")]
use sha2::{Digest, Sha512 as Hash};
#[cfg(feature = "sha3-256")]
use sha3::{Digest, Sha3_256 as Hash};

use common::{copied, input};

/// # Safety
/// As SUPERCOP's crypto_hash demands.
#[no_mangle]
pub unsafe extern "C" fn crypto_hash(out: *mut u8, message: *const u8, length: u64) -> i32 {
    let digest = Hash::digest(input(message, length as usize));
    copied(out, digest.as_ptr(), digest.len());
    0
}
