//! An AEAD of RustCrypto (crate `aead`, trait `AeadInOut`) as SUPERCOP and NIST call it.

#![no_std]

mod common;

#[cfg(feature = "aes-128-gcm")]
use aes_gcm::{aead, Aes128Gcm as Cipher};
#[cfg(feature = "aes-256-gcm")]
use aes_gcm::{aead, Aes256Gcm as Cipher};
#[cfg(feature = "ascon-aead128")]
use ascon_aead::{aead, AsconAead128 as Cipher};
#[cfg(feature = "chacha20-poly1305")]
use chacha20poly1305::{aead, ChaCha20Poly1305 as Cipher};

use aead::{AeadInOut, Key, KeyInit, Nonce, Tag};
use common::{copied, input};

fn cipher(key: &[u8]) -> Option<Cipher> {
    Cipher::new_from_slice(key).ok()
}

fn key_size() -> usize {
    Key::<Cipher>::default().len()
}

fn sizes() -> (usize, usize) {
    (Nonce::<Cipher>::default().len(), Tag::<Cipher>::default().len())
}

/// # Safety
/// As SUPERCOP's crypto_aead demands.
#[no_mangle]
pub unsafe extern "C" fn crypto_aead_encrypt(
    c: *mut u8,
    clen: *mut u64,
    m: *const u8,
    mlen: u64,
    ad: *const u8,
    adlen: u64,
    _nsec: *const u8,
    npub: *const u8,
    k: *const u8,
) -> i32 {
    let (nonce_size, tag_size) = sizes();
    let length = mlen as usize;
    let Some(cipher) = cipher(input(k, key_size())) else {
        return -1;
    };
    let Ok(nonce) = <&Nonce<Cipher>>::try_from(input(npub, nonce_size)) else {
        return -1;
    };
    let text = copied(c, m, length);
    let Ok(tag) = cipher.encrypt_inout_detached(nonce, input(ad, adlen as usize), text.into()) else {
        return -1;
    };
    copied(c.add(length), tag.as_ptr(), tag_size);
    *clen = (length + tag_size) as u64;
    0
}

/// # Safety
/// As SUPERCOP's crypto_aead demands.
#[no_mangle]
pub unsafe extern "C" fn crypto_aead_decrypt(
    m: *mut u8,
    mlen: *mut u64,
    _nsec: *mut u8,
    c: *const u8,
    clen: u64,
    ad: *const u8,
    adlen: u64,
    npub: *const u8,
    k: *const u8,
) -> i32 {
    let (nonce_size, tag_size) = sizes();
    let Some(length) = (clen as usize).checked_sub(tag_size) else {
        return -1;
    };
    let Some(cipher) = cipher(input(k, key_size())) else {
        return -1;
    };
    let Ok(nonce) = <&Nonce<Cipher>>::try_from(input(npub, nonce_size)) else {
        return -1;
    };
    let Ok(tag) = <&Tag<Cipher>>::try_from(input(c.add(length), tag_size)) else {
        return -1;
    };
    let tag = *tag;
    let text = copied(m, c, length);
    let opened = cipher.decrypt_inout_detached(nonce, input(ad, adlen as usize), text.into(), &tag);
    *mlen = length as u64;
    if opened.is_err() {
        for byte in copied(m, m, length) {
            *byte = 0;
        }
        return -1;
    }
    0
}
