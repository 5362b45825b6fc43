//! Images of real firmware: the functions of SUPERCOP's and NIST's API, on random messages.

use pennyweight_machine::{Arg, Board, CallOptions, Exit, Image, Zone};
use pennyweight_translate::Engine;

use super::{Compared, Pair};
use crate::random::Random;

/// Bytes of a message or its associated data, at most.
const LONGEST: u32 = 160;
/// Bytes between the beginnings of buffers.
const STEP: u32 = 224;
const BUDGET: u64 = 20_000_000;

/// Calls the image's functions `calls` times, with the same random inputs on both machines. One call in three
/// has a budget that may be too small, one in three guard zones around its buffers, one in nine a zone in a
/// buffer or a stack that may be too small.
///
/// # Errors
/// The machines differ, or the image cannot be used: one sentence.
pub fn image(board: &Board, file: &[u8], calls: u32, seed: u64) -> Result<Compared, String> {
    let image = Image::parse(file).map_err(|error| error.to_string())?;
    let address = |name: &str| image.symbol(name).map(|symbol| symbol.address);
    let ready = address("pw_ready").ok_or("the image has no symbol pw_ready")?;
    let free = address("pw_static_end").ok_or("the image has no symbol pw_static_end")?;
    let first = free.next_multiple_of(16);
    let functions =
        ["crypto_hash", "crypto_cxof", "crypto_aead_encrypt", "crypto_aead_decrypt", "crypto_auth"]
            .map(|name| address(name).map(|address| (name, address)));
    let functions: Vec<_> = functions.into_iter().flatten().collect();
    if functions.is_empty() {
        return Err("the image has none of the functions of the API".into());
    }
    let interpreter = pennyweight_translate::machine(board, &image, Engine::Interpreter)?;
    let translator = pennyweight_translate::machine(board, &image, Engine::Translator)?;
    let mut pair = Pair { interpreter, translator };
    pair.both(|machine| machine.boot(ready, BUDGET))?;
    pair.both(|machine| machine.snapshot())?;
    let top = pair.both(|machine| machine.stack_top())?;
    let mut random = Random::new(seed);
    let mut compared = Compared::default();
    let buffer = |number: u32| Arg::Pointer(first + number * STEP);
    let arena = first + 5 * STEP;
    for call in 0..calls {
        let (name, function) = random.pick(&functions);
        let (length, data) = (random.below(LONGEST), random.below(LONGEST));
        let args = match name {
            "crypto_hash" => vec![buffer(0), buffer(1), Arg::U64(length.into())],
            "crypto_cxof" => vec![
                buffer(0),
                Arg::U64(64),
                buffer(1),
                Arg::U64(length.into()),
                buffer(2),
                Arg::U64(data.into()),
            ],
            "crypto_auth" => vec![buffer(0), buffer(1), Arg::U64(length.into()), buffer(2)],
            "crypto_aead_encrypt" => vec![
                buffer(0),
                buffer(4),
                buffer(1),
                Arg::U64(length.into()),
                buffer(2),
                Arg::U64(data.into()),
                Arg::Pointer(0),
                buffer(3),
                Arg::Pointer(first + 3 * STEP + 64),
            ],
            _ => vec![
                buffer(1),
                buffer(4),
                Arg::Pointer(0),
                buffer(0),
                Arg::U64(length.into()),
                buffer(2),
                Arg::U64(data.into()),
                buffer(3),
                Arg::Pointer(first + 3 * STEP + 64),
            ],
        };
        if random.once_in(4) {
            let bytes: Vec<u8> = (0..4 * STEP).map(|_| random.next() as u8).collect();
            let written = pair.both(|machine| machine.write(first, &bytes))?;
            written.map_err(|error| format!("the buffers do not fit: {error:?}"))?;
        }
        let mut options = CallOptions { budget: BUDGET, stack_limit: arena, zones: Vec::new() };
        let within = |random: &mut Random| first + random.below(arena - first);
        if random.once_in(3) {
            options.budget = u64::from(random.below(100_000));
        }
        if random.once_in(3) {
            let forbidden = |start, end| Zone { start, end, no_read: true, no_write: true };
            options.zones =
                (0..4).map(|n| forbidden(first + n * STEP + STEP - 16, first + (n + 1) * STEP)).collect();
            if random.once_in(3) {
                let start = within(&mut random);
                options.zones.push(Zone {
                    start,
                    end: start + 4,
                    no_read: random.once_in(2),
                    no_write: true,
                });
            }
        }
        if random.once_in(9) {
            options.stack_limit = top.saturating_sub(random.below(512));
        }
        let outcome = pair.both(|machine| machine.call(function, &args, &options)).map_err(|what| {
            format!("call {call} of {name}, {length} and {data} bytes, {options:?}: {what}")
        })?;
        pair.same_memory(first, top.saturating_sub(first))
            .map_err(|what| format!("call {call} of {name}: {what}"))?;
        compared.add(&outcome, pair.translator.translated_runs() > 0);
        if outcome.exit != Exit::Returned || random.once_in(3) {
            pair.both(|machine| machine.restore())?;
        }
    }
    if compared.translated == 0 {
        return Err("nothing was translated, so nothing was compared".into());
    }
    Ok(compared)
}
