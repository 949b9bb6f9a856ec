//! Benchmarks of voxlint; see the folder `benches`.
