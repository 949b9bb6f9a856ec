//! The formats for people.

/// The findings of the `full` format.
pub(super) fn full(output: &str) -> usize {
    let is_headline =
        |line: &&str| ["error[", "warning[", "info["].iter().any(|word| line.starts_with(word));
    output.lines().filter(is_headline).count()
}

/// The findings of the `concise` format: `path:line:column: severity[rule] message`.
pub(super) fn concise(output: &str) -> usize {
    let is_finding = |line: &&str| {
        let words = [": error[", ": warning[", ": info["];
        let (place, _) = words.iter().find_map(|word| line.split_once(word)).unwrap();
        let numbers: Vec<_> = place.rsplit(':').take(2).map(str::parse::<u64>).collect();
        numbers.iter().all(Result::is_ok)
    };
    output.lines().filter(is_finding).count()
}

/// The rows of the `grouped` format.
pub(super) fn grouped(output: &str) -> usize {
    output.lines().filter(|line| line.starts_with("  ")).count()
}

/// The sum of the counts of the `statistics` format.
pub(super) fn statistics(output: &str) -> usize {
    let counts = output.lines().skip(1).map(|line| line.split_whitespace().next().unwrap());
    counts.map(|count| count.parse::<usize>().unwrap()).sum()
}
