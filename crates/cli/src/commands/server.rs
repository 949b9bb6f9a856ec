//! `voxlint server`: serves an editor.

use voxlint_server::{Ended, Options, run_stdio};

use crate::args::ServerOptions;
use crate::exit::Exit;
use crate::options::configuration_source;
use crate::terminal::{documentation, print_error};

pub(crate) fn run(options: &ServerOptions) -> Exit {
    let server = Options {
        configuration: configuration_source(&options.configuration),
        documentation: documentation().map(str::to_owned),
    };
    match run_stdio(&server) {
        Ok(Ended::Regularly) => Exit::Clean,
        // The protocol asks for 1.
        Ok(Ended::Early) => Exit::Findings,
        Err(error) => {
            print_error(&format!("standard output: {error}"));
            Exit::Failed
        }
    }
}
