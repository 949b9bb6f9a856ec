#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| voxlint_laws::json(bytes));
