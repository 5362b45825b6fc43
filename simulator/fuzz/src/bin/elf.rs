//! The ELF loader: any file, asked everything that can be asked.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pennyweight_machine::Image;

fuzz_target!(|data: &[u8]| {
    let Ok(image) = Image::parse(data) else { return };
    for symbol in image.symbols.iter().take(16) {
        let _ = image.symbol(&symbol.name);
        let _ = image.function_at(symbol.address);
        let _ = image.line(symbol.address);
    }
    let _ = image.function_at(u32::MAX);
    let _ = image.line(image.entry);
});
