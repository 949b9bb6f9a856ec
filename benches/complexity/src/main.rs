//! Searches random families of inputs for those whose cost grows faster than their size.

#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::time::Instant;
use std::{env, panic};

use voxlint::syntax::Format;
use voxlint_complexity::{Family, Input, LIMIT, grown, known};
use voxlint_corpus::random::Random;

const HELP: &str = "\
Looks for inputs whose cost grows faster than their size.

complexity [--families NUMBER] [--seed NUMBER] [--without STAGE]

  --families NUMBER   random families to try, after those that used to be slow (default: 2000)
  --seed NUMBER       seed of the random families (default: 1)
  --without STAGE     skip a stage, such as baseline
";

fn main() -> ExitCode {
    let Some(Options { families, seed, without }) = options() else {
        print!("{HELP}");
        return ExitCode::from(2);
    };
    let start = Instant::now();
    let random = (0..families).map(|number| {
        let mut random = Random::new(seed, number);
        let input = random.pick(&INPUTS);
        Family::random(&mut random, input)
    });
    let mut slow = 0;
    for family in known().into_iter().chain(random) {
        let found = panic::catch_unwind(|| grown(&family, &without));
        let found = found.unwrap_or_else(|_| vec!["panicked".to_owned()]);
        if !found.is_empty() {
            slow += 1;
            println!("{family:?}\n  {}", found.join("\n  "));
        }
    }
    println!("{families} random families in {:.0?}, {slow} too expensive", start.elapsed());
    if slow > 0 {
        println!(
            "A stage must cost at most {LIMIT} times as much for a text that is 4 times as long. `Family::text` in \
             benches/complexity/src/family.rs makes the text. Add the families that you fix to `known`."
        );
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

struct Options {
    families: u64,
    seed: u64,
    without: Vec<String>,
}

/// The options of the command line, if they are valid.
fn options() -> Option<Options> {
    let mut options = Options { families: 2_000, seed: 1, without: Vec::new() };
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let value = arguments.next()?;
        match argument.as_str() {
            "--families" => options.families = value.parse().ok()?,
            "--seed" => options.seed = value.parse().ok()?,
            "--without" => options.without.push(value),
            _ => return None,
        }
    }
    Some(options)
}

const INPUTS: [Input; 10] = [
    Input::Document(Format::Json),
    Input::Document(Format::Json),
    Input::Document(Format::Json),
    Input::Document(Format::Jsonc),
    Input::Document(Format::Yaml),
    Input::Document(Format::Yaml),
    Input::Document(Format::Toml),
    Input::Document(Format::Toml),
    Input::Document(Format::Text),
    Input::Configuration,
];
