//! No command uses the network: the kernel ends each at its first socket.

use std::collections::BTreeMap;
use std::io;
use std::net::UdpSocket;
use std::path::Path;
use std::process::Stdio;
use std::thread;

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};
use voxlint_testing::repository;

use crate::process::{folder, voxlint};

/// What happens to a thread, and to the programs that it starts, at each call that a connection could begin with.
fn without_sockets(action: SeccompAction) -> BpfProgram {
    let calls = [libc::SYS_socket, libc::SYS_socketpair, libc::SYS_connect, libc::SYS_bind];
    let rules: BTreeMap<i64, Vec<_>> = calls.map(|call| (call, Vec::new())).into();
    let architecture = std::env::consts::ARCH.try_into().unwrap();
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, architecture).unwrap();
    filter.try_into().unwrap()
}

/// The exit code of a command to which sockets are denied.
fn status_of(folder: &Path, arguments: &[&str]) -> Option<i32> {
    let mut command = voxlint(folder, arguments);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let run = move || {
        apply_filter(&without_sockets(SeccompAction::KillProcess)).unwrap();
        command.status().unwrap().code()
    };
    // The filter stays with the thread.
    thread::spawn(run).join().unwrap()
}

#[test]
fn no_command_opens_a_socket() {
    let agents = repository().join("fixtures/agents");
    let team = repository().join("fixtures/team");
    let empty = folder("no-network", &[("a.json", r#"{ "version_number": 3 }"#)]);
    let commands: [(&Path, &[&str]); 16] = [
        (&agents, &["check"]),
        (&agents, &["check", "--format", "sarif"]),
        (&team, &["check", "--show-undecided"]),
        (&team, &["predict", "agents/front-desk.json"]),
        (&team, &["diff", "held/front-desk.json", "agents/front-desk.json"]),
        (&team, &["plan"]),
        (&team, &["vars"]),
        (&team, &["render", "agents/front-desk.json"]),
        (&team, &["config", "show", "agents/front-desk.json"]),
        (&empty, &["init"]),
        (&empty, &["baseline", "write"]),
        (&empty, &["explain", "out-of-range"]),
        (&empty, &["schema"]),
        (&empty, &["completions", "bash"]),
        (&empty, &["server"]),
        (&empty, &["mcp"]),
    ];
    for (folder, arguments) in commands {
        let status = status_of(folder, arguments);
        assert!(status.is_some_and(|status| status < 2), "{arguments:?}: {status:?}");
    }
}

#[test]
fn the_filter_denies_sockets() {
    let opened = thread::spawn(|| {
        apply_filter(&without_sockets(SeccompAction::Errno(libc::EACCES as u32))).unwrap();
        UdpSocket::bind("127.0.0.1:0").map_err(|error| error.kind())
    });
    assert_eq!(opened.join().unwrap().unwrap_err(), io::ErrorKind::PermissionDenied);
}
