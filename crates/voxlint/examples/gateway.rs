//! A gateway that checks the body of an update before it forwards it to the service.
//!
//! The body comes on standard input here, and the answer goes to standard output; a web framework would hand the same two
//! values to [`answer`]. An update that the service would certainly reject is answered at once, with its status and its error body.
//! Other updates are forwarded.
//!
//! ```sh
//! echo '{ "version_number": 3, "kb_max_chunks": 12 }' | cargo run -p voxlint --example gateway
//! ```

use std::io::{self, Read as _, Write as _};

use voxlint::{Document, DocumentKind, Inputs, Source, predict};

/// The answer to the sender of the update.
#[derive(Debug, PartialEq, Eq)]
struct Response {
    status: u16,
    body: String,
}

/// Answers for the service where its answer is sure, and asks it where it is not.
fn answer(body: &[u8], forward: impl FnOnce(&[u8]) -> Response) -> Response {
    let document = Document::parse(Source::from_bytes(body));
    // A gateway knows what its route takes: nothing has to be guessed.
    let inputs = Inputs::new(document).kind(DocumentKind::Update);
    let Some(prediction) = predict(&inputs) else {
        return forward(body);
    };
    // A possible rejection is left to the service, which has the stored configuration.
    match prediction.answers.as_slice() {
        [only] if only.status >= 400 => {
            Response { status: only.status, body: only.body.json().unwrap_or_default().to_owned() }
        }
        _ => forward(body),
    }
}

fn main() -> io::Result<()> {
    let mut body = Vec::new();
    io::stdin().lock().read_to_end(&mut body)?;
    let Response { status, body } =
        answer(&body, |_| Response { status: 200, body: "(what the service answers)".to_owned() });
    writeln!(io::stdout(), "{status}\n{body}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_service(_: &[u8]) -> Response {
        Response { status: 200, body: "{}".to_owned() }
    }

    #[test]
    fn a_certainly_rejected_update_is_not_forwarded() {
        let rejected = answer(br#"{ "version_number": 3, "kb_max_chunks": 12 }"#, |_| {
            panic!("this is not forwarded")
        });
        assert_eq!(rejected.status, 400);
        assert!(rejected.body.contains("\"statusCode\": 400"), "{}", rejected.body);
    }

    #[test]
    fn whatever_the_body_looks_like_it_is_an_update() {
        let body = br#"{ "statusCode": 400, "message": "x", "error": "Bad Request" }"#;
        assert_eq!(answer(body, |_| panic!("this is not forwarded")).status, 400);
    }

    #[test]
    fn a_possibly_accepted_update_is_forwarded() {
        let accepted = answer(br#"{ "version_number": 3, "title": "Front desk" }"#, of_service);
        assert_eq!(accepted, of_service(b""));
    }
}
