#!/usr/bin/env python3
"""Runs voxlint on hostile inputs, and prints the time and memory of the worst input of each class.

  scripts/try-hostile.py            inputs of up to a few megabytes, in a few minutes
  scripts/try-hostile.py --quick    some of them, as in CI
  scripts/try-hostile.py --full     also inputs of hundreds of megabytes, and every prefix of the fixtures
  scripts/try-hostile.py --update   writes the table to docs/reliability.md

VOXLINT_BINARY is the program to run (default: target/release/voxlint). A run fails if a signal ends voxlint, or if voxlint panics, exits with
a code other than 0, 1 or 2, accepts invalid input, or exceeds the limits on time and memory for an input of its size. The limits are
generous, so that only a cost that grows faster than the input exceeds them, and a slow machine may take longer.
"""

import argparse
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"
PAGE = ROOT / "docs" / "reliability.md"

MEGABYTE = 1 << 20
# The CPU time that a run may take, in seconds: a fixed amount, and an amount for each megabyte of input.
CPU, CPU_PER_MEGABYTE = 4.0, 4.0
# The memory that a run may take, in MiB, in the same way.
MEMORY, MEMORY_PER_MEGABYTE = 120, 450

# The CPU time of the loop in `slowness` on the machine for which the limits were chosen, in seconds.
LOOP = 0.2


def slowness():
    """How many times slower this machine is at the moment than the one for which the limits were chosen, at most 4. Virtual machines are
    slower while others on the same hardware are busy."""
    started = time.process_time()
    number = 0
    for at in range(2_000_000):
        number = (number * 31 + at) & 0xFFFFFFFF
    return min((time.process_time() - started) / LOOP, 4)


# Whether only some inputs are tried.
QUICK = False

EXTENSIONS = ["json", "jsonc", "ndjson", "yaml", "toml", "hbs"]


class Table:
    """The measurements, by class."""

    def __init__(self):
        self.rows = {}
        self.failures = []

    def note(self, kind, what, seconds, mebibytes, failure):
        row = self.rows.setdefault(kind, {"runs": 0, "seconds": 0.0, "slowest": "", "mebibytes": 0.0, "failed": 0})
        row["runs"] += 1
        if seconds > row["seconds"]:
            row["seconds"], row["slowest"] = seconds, what
        row["mebibytes"] = max(row["mebibytes"], mebibytes)
        if failure:
            row["failed"] += 1
            self.failures.append(f"{kind}, {what}: {failure}")
            print(f"failed: {kind}, {what}: {failure}", flush=True)

    def markdown(self):
        lines = ["| class | inputs | longest CPU time | slowest input | peak memory | failures |", "|---|---:|---:|---|---:|---:|"]
        for kind, row in self.rows.items():
            # Some classes are about what is left behind, and are not measured.
            measured = f"{row['seconds']:.2f} s | {row['slowest']} | {row['mebibytes']:.0f} MiB" if row["mebibytes"] else "– | – | –"
            lines.append(f"| {kind} | {row['runs']:,} | {measured} | {row['failed']} |")
        return "\n".join(lines)


def serve(requests, answers):
    """Runs programs for another process. What a process uses counts from before it becomes another program, so a small one must start it."""
    for line in requests:
        request = json.loads(line)

        def prepare():
            for limit, value in request["limits"]:
                resource.setrlimit(limit, (value, value))
            if request["user"] is not None:
                os.setgroups([])
                os.setuid(request["user"])

        with open(request["in"], "rb") as stdin, open(request["out"], "wb") as out, open(request["err"], "wb") as err:
            child = subprocess.Popen(
                request["arguments"], stdin=stdin, stdout=out, stderr=err, cwd=request["cwd"], env=request["environment"], preexec_fn=prepare
            )
            timer = threading.Timer(600, child.kill)
            timer.start()
            _, status, usage = os.wait4(child.pid, 0)
            timer.cancel()
            child.returncode = os.waitstatus_to_exitcode(status)
        answer = {"code": child.returncode, "seconds": usage.ru_utime + usage.ru_stime, "mebibytes": usage.ru_maxrss / 1024}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


class Runner:
    def __init__(self, binary, folder, table):
        self.binary = str(binary)
        self.folder = folder
        self.table = table
        (request, self.requests), (self.answers, answer) = os.pipe(), os.pipe()
        if os.fork() == 0:
            os.close(self.requests)
            # Whatever happens, this process must not go on with the work of the other one.
            try:
                with open(request) as requests, open(answer, "w") as answers:
                    serve(requests, answers)
            finally:
                os._exit(0)
        os.close(request)
        os.close(answer)
        self.requests, self.answers = open(self.requests, "w"), open(self.answers)

    def run(self, kind, what, arguments, *, size=0, allowed=(0, 1, 2), cwd=None, env=None, limits=(), files=1, user=None, stdin=os.devnull):
        """Runs voxlint, and records its time and memory. Returns its exit code and its output."""
        environment = {"PATH": os.environ.get("PATH", ""), "NO_COLOR": "1", **(env or {})}
        out = self.folder / "stdout"
        err = self.folder / "stderr"
        request = {
            "arguments": [self.binary, *map(os.fsdecode, arguments)], "out": str(out), "err": str(err), "cwd": os.fsdecode(cwd or self.folder),
            "environment": environment, "limits": list(limits), "user": user, "in": str(stdin),
        }
        self.requests.write(json.dumps(request) + "\n")
        self.requests.flush()
        line = self.answers.readline()
        if not line:
            sys.exit(f"cannot run {request['arguments']}")
        answer = json.loads(line)
        code, seconds, mebibytes = answer["code"], answer["seconds"], answer["mebibytes"]
        said = err.read_bytes()[:1_000_000].decode("utf-8", "replace")
        megabytes = size / MEGABYTE + files / 200
        limit = CPU + CPU_PER_MEGABYTE * megabytes
        failure = None
        if code not in allowed:
            failure = f"exit code {code}, expected one of {allowed}: {said[-300:]}"
        elif "panicked" in said or "internal error" in said:
            failure = f"a panic: {said[-300:]}"
        elif seconds > limit and seconds > limit * slowness():
            failure = f"{seconds:.1f} s of CPU time for {megabytes:.1f} MB"
        elif mebibytes > MEMORY + MEMORY_PER_MEGABYTE * megabytes:
            failure = f"{mebibytes:.0f} MiB of memory for {megabytes:.1f} MB"
        self.table.note(kind, what, seconds, mebibytes, failure)
        return code, out, said

    def text(self, kind, what, text, extension="json", **options):
        """Checks one text."""
        path = self.folder / f"input.{extension}"
        data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        path.write_bytes(data)
        result = self.run(kind, f"{what} ({extension})", ["check", "--format", "concise", path], size=len(data), **options)
        path.unlink()
        return result


WRONG = (1, 2)


def nesting(runner, _full):
    kind = "nesting, 100,000 levels"
    deep = 100_000
    for extension in ["json", "jsonc", "ndjson", "yaml"]:
        for what, text in {
            "arrays": "[" * deep,
            "closed arrays": "[" * deep + "]" * deep,
            "objects": '{"a":' * deep,
            "closed objects": '{"a":' * deep + "1" + "}" * deep,
            "in a field": '{"version_number":3,"post_call_analysis":' + "[" * deep + "]" * deep + "}",
        }.items():
            runner.text(kind, what, text, extension, allowed=WRONG)
    runner.text(kind, "list items", "- " * deep, "yaml", allowed=WRONG)
    runner.text(kind, "explicit keys", "? " * deep, "yaml", allowed=WRONG)
    runner.text(kind, "arrays", "title = " + "[" * deep, "toml", allowed=WRONG)
    runner.text(kind, "inline tables", "title = " + "{ a = " * deep, "toml", allowed=WRONG)
    runner.text(kind, "dotted keys", "a" + ".a" * deep + " = 1", "toml", allowed=WRONG)
    runner.text(kind, "headers", "[a" + ".a" * deep + "]", "toml", allowed=WRONG)
    runner.text(kind, "blocks", "{{#if a}}" * deep, "hbs", allowed=WRONG)
    runner.text(kind, "closed blocks", "{{#if a}}" * deep + "{{/if}}" * deep, "hbs")
    runner.text(kind, "subexpressions", "{{a " + "(a " * deep, "hbs", allowed=WRONG)
    runner.text(kind, "paths", "{{" + "a." * deep + "a}}", "hbs")


def repetition(runner, full):
    kind = "one unit, repeated"
    characters = list("[]{}()\"'`\\#/*&!|><-:,?@%~=.+0aA $^_;\t\n\r\0\u00e9\u200b\u202e\U0001f600")
    units = ["{{", "}}", "{{{", "{{!--", "/*", "*/", "//", "\\u", "\\\\", "[[", "]]", "---\n", "\r\n", "- ", ": ", "? ", "<<: *a\n", "&a ", "*a ",
             "!!a ", '"""', "'''", '\\"', "\\x", "${", "a=", "sk-", "Bearer ", "voxlint-ignore ", "{{else}}", "{{/if}}", "{{#a}}", "::error::"]
    for number, unit in enumerate(characters + units):
        # Only a full run tries each unit in each format.
        for extension in EXTENSIONS if full else EXTENSIONS[number % 6 :: 6] if QUICK else EXTENSIONS[number % 2 :: 2]:
            runner.text(kind, repr(unit), unit * (MEGABYTE // len(unit.encode())), extension)
            inside = unit * (MEGABYTE // 4 // len(unit.encode()))
            if extension in ("json", "ndjson"):
                runner.text(kind, f"{unit!r} in a prompt", json.dumps({"version_number": 3, "prompt_text": inside}), extension)


def bombs(runner, _full):
    kind = "YAML aliases and merge keys"
    laughs = "a0: &a0 [lol, lol]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 30))
    runner.text(kind, "aliases of aliases", laughs, "yaml", allowed=WRONG)
    merges = "a0: &a0 { x: 1 }\n" + "".join(f"a{n}: &a{n} {{ <<: [{', '.join([f'*a{n - 1}'] * 10)}] }}\n" for n in range(1, 30))
    runner.text(kind, "merges of merges", merges, "yaml", allowed=WRONG)
    runner.text(kind, "an alias of itself", "a: &a [*a]\n", "yaml", allowed=WRONG)
    runner.text(kind, "a merge of itself", "a: &a { <<: *a }\n", "yaml", allowed=WRONG)
    long = "version_number: 3\ntitle: &a " + "x" * 100_000 + "\nkeywords:\n" + "  - *a\n" * 50_000
    runner.text(kind, "copies of a long text", long, "yaml", allowed=WRONG)
    chain = "a0: &a0 { x: 1 }\n" + "".join(f"a{n}: &a{n} {{ <<: *a{n - 1}, y{n}: 1 }}\n" for n in range(1, 3_000))
    runner.text(kind, "a chain of merges", chain, "yaml", allowed=WRONG)


def large(runner, full):
    kind = "up to 1,000,000 elements" if full else "up to 100,000 elements"
    count = 1_000_000 if full else 100_000
    runner.text(kind, "fields of an unrecognized document", "{" + ",".join(f'"m{n}":{n}' for n in range(count)) + "}")
    body = '{"version_number":3,' + ",".join(f'"m{n}":{n}' for n in range(count)) + "}"
    runner.text(kind, "unknown fields", body)
    runner.text(kind, "equal keys", '{"version_number":3,' + ",".join(['"title":"x"'] * count) + "}")
    runner.text(kind, "empty objects", '{"version_number":3,"agent_functions":[' + ",".join(["{}"] * count) + "]}")
    runner.text(kind, "keywords", '{"version_number":3,"boosted_keywords":[' + ",".join(f'"k{n}"' for n in range(count)) + "]}", allowed=WRONG)
    runner.text(kind, "lines", '{"version_number":3,"kb_max_chunks":99}\n' * count, "ndjson", allowed=WRONG)
    runner.text(kind, "documents", "---\nversion_number: 3\nkb_max_chunks: 99\n" * (count // 10), "yaml", allowed=WRONG)
    runner.text(kind, "tables", "[[agent_functions]]\n" * (count // 10), "toml", allowed=WRONG)
    variables = "".join(f"{{{{v{n}}}}} " for n in range(count // 10))
    runner.text(kind, "variables", json.dumps({"version_number": 3, "prompt_text": variables}))
    defaults = {f"d{n}": "x" for n in range(count // 10)}
    body = {"version_number": 3, "prompt_text": variables, "default_dynamic_variables": defaults}
    runner.text(kind, "variables and other defaults", json.dumps(body))
    runner.text(kind, "template errors", "{{name} " * (count // 10), "hbs", allowed=WRONG)
    runner.text(kind, "suppression comments", "# voxlint-ignore out-of-range: x\n" * (count // 10) + "version_number: 3\nkb_max_chunks: 99\n", "yaml")
    if full:
        runner.text("a string of 200 MB", "prompt", '{"version_number":3,"prompt_text":"' + "x" * (200 * MEGABYTE) + '"}', allowed=(0,))
        runner.text("a string of 200 MB", "escapes", '{"version_number":3,"prompt_text":"' + "\\u0041" * (33 * MEGABYTE) + '"}', allowed=(0,))
        runner.text("a string of 200 MB", "text", "x" * (200 * MEGABYTE), "hbs")


def numbers(runner, _full):
    kind = "numbers"
    digits = "9" * 10_000
    for number in ["1e400", "-1e400", "-0", "-0.0", "1e-400", "1E+99999999999999999999", digits, "-" + digits, "0." + digits, digits + "." + digits + "e" + digits,
                   "1" * 300 + "e-299", "0x" + "f" * 5_000, "01", "+1", "1.", ".5", "1_000", "NaN", "Infinity", "-Infinity", "nan", "inf", "1e", "--1", "4.9e-324",
                   "9007199254740993", "18446744073709551616", "1e308", "1.7976931348623159e308"]:
        for field in ["kb_max_chunks", "version_number", "responsiveness", "unknown"]:
            runner.text(kind, number[:30], f'{{"version_number":3,"{field}":{number}}}')
            runner.text(kind, number[:30], f"version_number: 3\n{field}: {number}\n", "yaml")
            runner.text(kind, number[:30], f"title = 'x'\n{field} = {number}\n", "toml")


def encodings(runner, _full):
    kind = "encodings"
    text = '{ "version_number": 3, "title": "é😀" }'
    wrong = {
        "UTF-16 LE": b"\xff\xfe" + text.encode("utf-16-le"),
        "UTF-16 BE": b"\xfe\xff" + text.encode("utf-16-be"),
        "UTF-16 without byte order mark": text.encode("utf-16-le"),
        "UTF-32": text.encode("utf-32"),
        "Latin-1": text.replace("😀", "").encode("latin-1"),
        "overlong": b'{ "version_number": 3, "title": "\xc0\xaf\xe0\x80\xaf\xf0\x80\x80\xaf" }',
        "surrogates": text.replace("é😀", "\ud83d\ude00").encode("utf-8", "surrogatepass"),
        "above U+10FFFF": b'{ "version_number": 3, "title": "\xf4\x90\x80\x80\xf8\x88\x80\x80\x80" }',
        "truncated": text.encode()[:-5],
        "every byte": bytes(range(256)) * 16,
    }
    for what, data in wrong.items():
        for extension in EXTENSIONS:
            allowed = WRONG if extension in ("json", "ndjson") else (0, 1, 2)
            runner.text(kind, what, data, extension, allowed=allowed)
    for what, data in {"NUL": b"\0" * 1000, "two byte order marks": b"\xef\xbb\xbf" * 2 + text.encode(), "byte order mark alone": b"\xef\xbb\xbf", "empty": b""}.items():
        for extension in EXTENSIONS:
            runner.text(kind, what, data, extension)


def fixtures():
    files = [path for path in sorted(FIXTURES.rglob("*")) if path.is_file() and path.suffix.lstrip(".") in EXTENSIONS + ["yml", "jsonl"]]
    return [(path, path.read_bytes()) for path in files]


def fill(folder, texts):
    """Writes texts to numbered files. Returns the number of files and their total size."""
    size = 0
    count = 0
    for suffix, data in texts:
        path = folder / f"{count % 100}" / f"{count}{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        size += len(data)
        count += 1
    return count, size


def mutated(data, source):
    data = bytearray(data)
    for _ in range(source.randint(1, 6)):
        if not data:
            break
        at = source.randrange(len(data))
        action = source.randrange(5)
        if action == 0:
            data[at] ^= 1 << source.randrange(8)
        elif action == 1:
            data[at] = source.choice(b'{}[]"\\\':,#-\n\r\t &*!|>{}\0\xff\xc3\xe2')
        elif action == 2:
            del data[at : at + source.randint(1, 20)]
        elif action == 3:
            end = min(len(data), at + source.randint(1, 40))
            data[at:at] = data[at:end]
        else:
            data[at:at] = source.choice([b"{{", b"}}", b"\\u", b"\xf0\x9f\x98\x80", b"/*", b"---\n", b"<<: *a", b"[[", b"1e999", b"\xef\xbb\xbf"])
    return bytes(data)


def folders(runner, full):
    """Checks many texts in one run, without specifying their kinds."""
    source = random.Random(1)
    known = fixtures()

    def prefixes():
        for path, data in known:
            wanted = len(data) if full else 2 if QUICK else 12
            step = max(1, len(data) // max(1, wanted))
            for end in range(0, len(data), step):
                yield path.suffix, data[:end]

    def flips():
        for _ in range(200 if full else 2 if QUICK else 12):
            for path, data in known:
                yield path.suffix, mutated(data, source)

    def confused():
        for path, data in known:
            for extension in EXTENSIONS:
                yield f".{extension}", data

    for kind, texts in {"prefixes of the fixtures": prefixes(), "fixtures with random changes": flips(), "fixtures with other extensions": confused()}.items():
        batch = []
        number = 0

        def flush():
            nonlocal batch, number
            if not batch:
                return
            number += 1
            folder = runner.folder / "many"
            count, size = fill(folder, batch)
            (folder / "voxlint.toml").write_text("root = true\n[[documents]]\nfiles = '**'\n")
            runner.run(kind, f"batch {number}, {count:,} texts", ["check", "--format", "json", folder], size=size, files=count)
            runner.table.rows[kind]["runs"] += count - 1
            shutil.rmtree(folder)
            batch = []

        for text in texts:
            batch.append(text)
            if len(batch) == 20_000:
                flush()
        flush()


GOOD = '{ "version_number": 3, "kb_max_chunks": 3 }'
BAD = '{ "version_number": 3, "kb_max_chunks": 12 }'


def paths(runner, full):
    kind = "paths"
    folder = runner.folder / "paths"
    folder.mkdir()
    (folder / "bad.json").write_text(BAD)
    os.mkfifo(folder / "pipe.json")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(folder / "socket.json"))
    (folder / "zero.json").symlink_to("/dev/zero")
    (folder / "null.json").symlink_to("/dev/null")
    (folder / "loop.json").symlink_to("loop.json")
    (folder / "loop").symlink_to(".")
    (folder / "dangling.json").symlink_to("nowhere.json")
    for name in [b"not-\xff-utf8.json", b"two\nlines.json", b"esc\x1b[31m.json", b"bell\x07.json", b"-.json", b"--help.json", b"::error::x.json", b" .json", b"a" * 250 + b".json",
                 "bidi\u202e.json".encode(), b"%0a.json", b"quote\"'.json", b"dollar$(touch here).json"]:
        (folder / os.fsdecode(name)).write_bytes(BAD.encode())
    formats = ["full", "concise", "json", "ndjson", "sarif", "junit", "checkstyle", "github", "azure", "gitlab", "html", "markdown", "rdjson"]
    for output in formats:
        status, out, _ = runner.run(kind, f"unusual file names, --format {output}", ["check", "--format", output, folder], allowed=(0, 1, 2))
        written = out.read_bytes()
        for unwanted in [b"\x1b", b"\x07", "\u202e".encode(), "\u009b".encode()]:
            if unwanted in written:
                runner.table.note(kind, f"--format {output}", 0, 0, f"writes {unwanted!r}")
    # A pipe on the command line is read, as in `voxlint check <(...)`. A device is read up to its end or the size limit.
    for name in ["socket.json", "null.json", "loop.json", "dangling.json"]:
        runner.run(kind, name, ["check", folder / name], allowed=(1,) if name == "null.json" else (2,))
    if full:
        runner.run("a device without an end", "read up to 4 GiB", ["check", folder / "zero.json"], allowed=(2,), size=4 << 30)
    listener.close()
    shutil.rmtree(folder)
    # Root reads everything, so another user tries what may not be read.
    OTHER_USER = 65_534
    is_root = os.geteuid() == 0
    folder.mkdir()
    program = folder / "voxlint"
    shutil.copy(runner.binary, program)
    usual, runner.binary = runner.binary, str(program)
    for path in [runner.folder, folder, program]:
        path.chmod(0o755)
    (folder / "agents").mkdir()
    (folder / "agents" / "good.json").write_text(GOOD)
    (folder / "agents" / "closed.json").write_text(GOOD)
    (folder / "agents" / "closed.json").chmod(0)
    (folder / "agents" / "inner").mkdir()
    (folder / "agents" / "inner").chmod(0)
    unreadable = {"user": OTHER_USER if is_root else None, "cwd": folder, "allowed": (2,)}
    runner.run(kind, "a file that may not be read", ["check", "agents/closed.json"], **unreadable)
    runner.run(kind, "a folder that may not be read", ["check", "agents/inner"], **unreadable)
    _, out, said = runner.run(kind, "both in a folder", ["check", "agents"], **unreadable)
    if not ("closed.json" in said + out.read_text() and "inner" in said + out.read_text()):
        runner.table.note(kind, "both in a folder", 0, 0, f"does not name what it cannot read: {said}")
    (folder / "voxlint.toml").write_text("root = true\n")
    (folder / "voxlint.toml").chmod(0)
    runner.run(kind, "a configuration that may not be read", ["check", "agents/good.json"], **unreadable)
    (folder / "voxlint.toml").unlink()
    runner.run(kind, "a folder that may not be written to", ["check", "agents/good.json", "--output", "json=report.json"], **unreadable)
    (folder / "agents" / "inner").chmod(0o755)
    runner.binary = usual
    shutil.rmtree(folder)
    deep = runner.folder / "deep"
    here = deep
    deep.mkdir()
    before = os.getcwd()
    os.chdir(deep)
    for _ in range(1_000):
        os.mkdir("d" * 20)
        os.chdir("d" * 20)
    pathlib.Path("bad.json").write_text(BAD)
    os.chdir(before)
    runner.run(kind, "1,000 nested folders", ["check", here], allowed=(1, 2))
    subprocess.run(["rm", "-rf", deep], check=True)
    # Files that disappear during the run.
    vanishing = runner.folder / "vanishing"
    vanishing.mkdir()
    for number in range(5_000):
        (vanishing / f"{number}.json").write_text(GOOD)

    def remove():
        for number in range(4_999, -1, -2):
            (vanishing / f"{number}.json").unlink(missing_ok=True)

    thread = threading.Thread(target=remove)
    thread.start()
    runner.run(kind, "files that disappear during the run", ["check", vanishing], files=5_000)
    thread.join()
    shutil.rmtree(vanishing)


def configurations(runner, _full):
    kind = "configurations"
    folder = runner.folder / "project"
    (folder / "agents").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / "agents" / "a.json").write_text(GOOD)
    os.mkfifo(folder / "agents" / "pipe")
    up = "../" * 20
    (folder / ".git" / "config").write_text("PATH=secret\n")
    kept = ["agents/pipe", ".git/config"]
    for what in ["/dev/zero", f"{up}dev/zero", f"{up}proc/self/environ", f"{up}etc/passwd", f"{up}nothing", "/proc/self/mem", *kept]:
        for key in ["facts", "stored"]:
            path = f"../{what}" if key == "stored" and what in kept else what
            settings = f"root = true\n[[documents]]\nfiles = 'agents/'\n{key} = '{path}'\n"
            (folder / "voxlint.toml").write_text(settings)
            _, out, said = runner.run(kind, f"{key} = {what}", ["check", "agents"], cwd=folder, allowed=(2,))
            if "root:" in out.read_text() + said or "PATH=" in out.read_text() + said:
                runner.table.note(kind, what, 0, 0, "shows a file outside of the project")
    # Files that are found by their names. The target of such a link was not asked for.
    (folder / "voxlint.toml").unlink()
    for name in ["voxlint.toml", "agents/voxlint.toml", "voxlint-baseline.json"]:
        for target in ["/dev/zero", "/proc/self/environ", "/etc/passwd", "/proc/self/mem", "/nowhere", str(folder / "agents" / "pipe"), str(folder / ".git" / "config")]:
            (folder / name).symlink_to(target)
            for arguments in [["check", "agents"], ["plan", "agents"], ["baseline", "write"]]:
                if name == "voxlint-baseline.json" and arguments[0] == "plan":
                    continue
                _, out, said = runner.run(kind, f"{name} -> {target}, {arguments[0]}", arguments, cwd=folder, allowed=(2,))
                if "root:" in out.read_text() + said or "PATH=" in out.read_text() + said:
                    runner.table.note(kind, f"{name} -> {target}", 0, 0, "shows a file outside of the project")
            (folder / name).unlink()
    for name in [".gitignore", "agents/.gitignore"]:
        for target in ["/dev/zero", "/proc/self/environ", str(folder / "agents" / "pipe"), str(folder / ".git" / "config")]:
            (folder / name).symlink_to(target)
            runner.run(kind, f"{name} -> {target}", ["check", "--show-files", "agents"], cwd=folder, allowed=(2,))
            (folder / name).unlink()
    # A pull request can contain folders of any depth.
    deep = folder / "agents" / "deep"
    for _ in range(450):
        deep.mkdir()
        (deep / ".gitignore").write_text("*.draft\n")
        deep /= "d"
    deep.mkdir()
    (deep / "a.json").write_text(GOOD)
    runner.run(kind, "450 .gitignore files, from above", ["check", "agents"], cwd=folder, allowed=(2,))
    runner.run(kind, "450 .gitignore files, from below", ["check", deep], cwd=folder, allowed=(0,))
    shutil.rmtree(folder / "agents" / "deep")
    # Links in the place of what is written.
    outside = runner.folder / "outside"
    outside.mkdir()
    for target in [outside / "new", folder / ".git" / "new"]:
        (folder / "written").symlink_to(target)
        for arguments in [["check", "--output", "json=written"], ["baseline", "write", "--baseline", "written"], ["plan", "--out", "written"]]:
            runner.run(kind, f"written -> {target.name}, {arguments[0]}", arguments, cwd=folder, allowed=(2,))
            if target.exists():
                runner.table.note(kind, f"written -> {target.name}", 0, 0, "writes outside of the project or into .git")
        (folder / "written").unlink()
    shutil.rmtree(outside)
    # Files without blocks on the disk.
    for name, size in {"voxlint.toml": 4 << 30, "voxlint-baseline.json": 3 << 30, ".gitignore": 1 << 30}.items():
        with open(folder / name, "wb") as file:
            file.truncate(size)
        runner.run(kind, f"{name}, {size >> 30} GiB", ["check", "agents"], cwd=folder, allowed=(2,))
        (folder / name).unlink()
    hostile = {
        "a long pattern": "exclude = ['" + "a/" * 32_000 + "*.json']\n",
        "many stars": "exclude = ['" + "**/*a*" * 2_000 + "']\n",
        "alternatives": "exclude = ['" + "{a,b}" * 2_000 + "']\n",
        "braces": "exclude = ['" + "{" * 20_000 + "']\n",
        "many patterns": "exclude = [" + ", ".join(f"'{n}/**/*.json'" for n in range(20_000)) + "]\n",
        "a long expression": "[[house_rules]]\nid = 'x'\nfield = '/title'\nmust_match = '" + "(a*)*" * 2_000 + "b'\nmessage = 'x'\n",
        "a large expression": "[[house_rules]]\nid = 'x'\nfield = '/title'\nmust_match = '(a{1000}){1000}'\nmessage = 'x'\n",
        "extends itself": "extends = 'voxlint.toml'\n",
        "extends a device": "extends = '/dev/zero'\n",
        "nested arrays": "exclude = " + "[" * 100_000,
        "many suppressions": "".join(f"[[suppressions]]\nfiles = '{n}/*.json'\nrules = 'out-of-range'\nreason = 'x'\n" for n in range(5_000)),
    }
    for what, settings in hostile.items():
        (folder / "voxlint.toml").write_text(settings)
        runner.run(kind, what, ["check", "agents"], cwd=folder, size=len(settings))
    for what, baseline in {"not JSON": "x" * MEGABYTE, "deep": "[" * 100_000, "a number": "1e999", "entries": json.dumps({"entries": [{}] * 50_000})}.items():
        (folder / "voxlint.toml").write_text("root = true\n")
        (folder / "voxlint-baseline.json").write_text(baseline)
        runner.run(kind, f"baseline: {what}", ["check", "agents"], cwd=folder, size=len(baseline))
    shutil.rmtree(folder)


def costs(runner, full):
    """What once took minutes or gigabytes."""
    kind = "inputs that were slow once"
    runner.text(kind, "objects in a row", '{"version_number":3,"agent_functions":[' + "{}," * 1_000_000 + "{}]}")
    runner.text(kind, "a list of objects", "[" + "{}," * 1_000_000 + "{}]", allowed=WRONG)
    runner.text(kind, "a quote that is not closed", 'version_number: 3\nprompt_text: "' + "x y z\n" * 850_000, "yaml", allowed=WRONG)
    runner.text(kind, "long names that are alike", json.dumps({"version_number": 3, "prompt_text" * 5_000: 1, "prompt_texts" * 5_000: 1}))
    runner.text(kind, "a name like a field, at length", json.dumps({"version_number": 3, "agent_functions": [{"type" + "e" * 50_000: "custom"}]}))
    runner.text(kind, "copies of a text", "version_number: 3\nx: &a " + "x" * 1_000 + "\ny:\n" + "  - *a\n" * 150_000, "yaml", allowed=WRONG)
    for extension, mark in {"yaml": "#", "jsonc": "//", "toml": "#"}.items():
        text = {"yaml": "kb_max_chunks: 99\n", "jsonc": '{"kb_max_chunks": 99}\n', "toml": "kb_max_chunks = 99\n"}[extension]
        runner.text(kind, "stacked suppression comments", f"{mark} voxlint-ignore out-of-range: x\n" * 60_000 + text, extension)
    lines = "".join(f"x{n}: 1 # voxlint-ignore unknown-field: x\n" for n in range(40_000))
    runner.text(kind, "a suppression comment in each line", "version_number: 3\n" + lines, "yaml")
    for number in ["-0", "1-", "0x", "1."]:
        runner.text(kind, f"{number} in a row", '{"version_number":3,"kb_max_chunks":[' + number * 250_000 + "]}", allowed=WRONG)
    one = '"agent_transfer_destinations":"+12025550123|+12025550124",'
    runner.text(kind, "transfer destinations", '{"version_number":3,"default_dynamic_variables":{' + one * 8_000 + '"a":"b"}}')
    destinations = "|".join(f"+1202555{n:04}" for n in range(20_000))
    body = {"version_number": 3, "default_dynamic_variables": {"agent_transfer_destinations": destinations}}
    runner.text(kind, "a list of transfer destinations", json.dumps(body), allowed=WRONG)

    folder = runner.folder / "wide"
    folder.mkdir()
    wide = json.dumps({"version_number": 3, **{f"field_{n}": n for n in range(30_000)}})
    (folder / "a.json").write_text(wide)
    runner.run(kind, "a baseline of 30,000 findings is written", ["baseline", "write", "a.json"], cwd=folder, size=len(wide), allowed=(0,))
    runner.run(kind, "a baseline of 30,000 findings is used", ["check", "a.json"], cwd=folder, size=len(wide), allowed=(0,))
    shutil.rmtree(folder)

    folder = runner.folder / "suppressed"
    (folder / "agents").mkdir(parents=True)
    files = 5_000 if full else 1_000
    for number in range(files):
        (folder / "agents" / f"{number}.json").write_text(BAD)
    settings = "".join(f"[[suppressions]]\nfiles = 'agents/{n}.json'\nrules = 'out-of-range'\nreason = 'x'\n" for n in range(1_000))
    (folder / "voxlint.toml").write_text("root = true\n" + settings)
    runner.run(kind, f"1,000 suppressions and {files:,} files", ["check"], cwd=folder, files=files, size=files * len(BAD))
    shutil.rmtree(folder)

    folder = runner.folder / "folders"
    for number in range(1_000):
        (folder / f"team-{number}").mkdir(parents=True)
        (folder / f"team-{number}" / "agent.json").write_text(GOOD)
    runner.run(kind, "init over 1,000 folders", ["init"], cwd=folder, files=1_000, allowed=(0, 2))
    shutil.rmtree(folder)


def commands(runner, full):
    """Every command, and not only check."""
    kind = "other commands"
    folder = runner.folder / "commands"
    folder.mkdir()
    count = 100_000 if full else 5_000 if QUICK else 20_000
    uses = "".join(f"{{{{v{n}}}}} {{{{#if w{n}}}}}x{{{{/if}}}} " for n in range(count // 10))
    texts = {
        "nothing": "",
        "a number": "1e999",
        "brackets": "[" * count,
        "nesting": '{"version_number":3,"post_call_analysis":' + "[" * count + "]" * count + "}",
        "fields": json.dumps({"version_number": 3, **{f"x{n}": n for n in range(count)}}),
        "mistakes": '{"version_number":3,' + ",".join(f'"x{n}":00' for n in range(count)) + "}",
        "values in quotes": json.dumps({"version_number": 3, "post_call_analysis": [{"field_name": f"f{n}", "field_typ": "STRIN"} for n in range(count // 10)]}),
        "variables": json.dumps({"version_number": 3, "prompt_text": uses}),
        "open blocks": json.dumps({"version_number": 3, "prompt_text": "{{#if a}}" * count}),
        "lists in lists": json.dumps({"version_number": 3, "prompt_text": "{{#each a}}" * 40 + "x" + "{{/each}}" * 40, "default_dynamic_variables": {"a": "xxxx"}}),
        "escapes": '{"version_number":3,"prompt_text":"' + "\\u0041\\ud83d" * count + '"}',
        "bytes": bytes(range(256)).decode("latin-1") * 40,
    }
    stored = json.dumps({"version": {"version_number": 3, "title": "x", **{f"y{n}": n for n in range(count)}}, "complete": True})
    (folder / "stored.json").write_text(stored)
    for what, text in texts.items():
        path = folder / "a.json"
        lines = [
            ["predict", "a.json", "--stored", "stored.json"],
            ["diff", "stored.json", "a.json"],
            ["plan", "a.json", "--stored", "stored.json"],
            ["vars", "a.json"],
            ["why", "out-of-range", "a.json"],
            ["render", "a.json"],
            ["facts", "a.json"],
            ["baseline", "write", "a.json"],
            ["check", "a.json", "--diff"],
            ["check", "a.json", "--fix"],
            ["check", "a.json", "--config", "a.json"],
            ["check", "stored.json", "--stored", "a.json", "--facts", "a.json"],
        ]
        for arguments in lines:
            path.write_text(text)
            runner.run(kind, f"{' '.join(arguments[:1])}: {what}", arguments, cwd=folder, size=len(text.encode()) + len(stored))
        (folder / "voxlint-baseline.json").unlink(missing_ok=True)
    shutil.rmtree(folder)


def server(runner, _full):
    kind = "a document of 1 MB, changed 20 times in an editor"
    documents = {
        "a prompt": ("json", '{"version_number":3,\n"prompt_text":"' + "Hi {{name}}, how are you? " * 38_000 + '"}'),
        "repeated items": ("jsonc", '{"version_number":3,\n"knowledge_base_ids":[' + ",\n".join(f'"kb_{at // 2}"' for at in range(80_000)) + "]}"),
        "unclosed mustaches": ("json", '{"version_number":3,\n"prompt_text":"' + "Hi {{name} there. " * 55_000 + '"}'),
    }
    for what, (language, text) in documents.items():
        document = {"uri": f"file://{runner.folder}/edited.{language}"}
        actions = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "source"]}}}
        start = {"line": 1, "character": 0}
        everything = {"start": {"line": 0, "character": 0}, "end": {"line": 1_000_000, "character": 0}}
        # Each message, and what the server says before the next one.
        messages = [
            ({"id": 0, "method": "initialize", "params": {"capabilities": {"textDocument": {"codeAction": actions}}}}, '{"id":0,'),
            ({"method": "initialized", "params": {}}, ""),
            ({"method": "textDocument/didOpen", "params": {"textDocument": {**document, "languageId": language, "version": 1, "text": text}}}, '"version":1}'),
        ]
        for version in range(2, 22):
            change = {"range": {"start": start, "end": start}, "text": " "}
            params = {"textDocument": {**document, "version": version}, "contentChanges": [change]}
            messages.append(({"method": "textDocument/didChange", "params": params}, f'"version":{version}}}'))
        params = {"textDocument": document, "range": everything, "context": {"diagnostics": []}}
        messages.append(({"id": 1, "method": "textDocument/codeAction", "params": params}, '{"id":1,'))
        messages += [({"id": 2, "method": "shutdown"}, '{"id":2,'), ({"method": "exit"}, "")]
        path = runner.folder / "messages"
        os.mkfifo(path)
        (runner.folder / "stdout").write_bytes(b"")

        def talk():
            with open(path, "wb", buffering=0) as out, open(runner.folder / "stdout", "rb") as said:
                unread = b""
                for message, answer in messages:
                    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
                    out.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
                    end = time.monotonic() + 60
                    while answer.encode() not in (unread := unread + said.read()):
                        # The server ends before it is asked to, which is a failure.
                        if time.monotonic() > end:
                            runner.table.failures.append(f"{kind}, {what}: no {answer} from the server")
                            return
                        time.sleep(0.02)

        client = threading.Thread(target=talk)
        client.start()
        # It checks 21 versions of the text. After a change, that costs about a quarter of what the first version does.
        runner.run(kind, what, ["server"], size=5 * len(text), allowed=(0,), stdin=path)
        client.join()
        path.unlink()


def surroundings(runner, _full):
    kind = "environment"
    folder = runner.folder / "surroundings"
    folder.mkdir()
    for number in range(200):
        (folder / f"{number}.json").write_text(BAD)
    check = ["check", "--format", "concise", folder]
    for what, environment in {
        "99,999 threads": {"VOXLINT_THREADS": "99999", "RAYON_NUM_THREADS": "99999"},
        "no home": {"HOME": "/nowhere"},
        "an invalid terminal": {"TERM": "\x1b[31m", "COLUMNS": "-1", "FORCE_COLOR": "1"},
        "a broken locale": {"LANG": "xx", "LC_ALL": "\xff"},
        "a missing temporary folder": {"TMPDIR": "/nowhere"},
    }.items():
        runner.run(kind, what, check, env=environment, allowed=(1, 2))
    runner.run(kind, "at most 12 open files", check, limits=[(resource.RLIMIT_NOFILE, 12)], allowed=(1, 2))
    runner.run(kind, "a stack of 256 KB", check, limits=[(resource.RLIMIT_STACK, 256 << 10)], allowed=(1, 2))
    runner.run(kind, "a report on a full disk", check + ["--output", "json=/dev/full"], allowed=(2,))
    with open("/dev/full", "wb") as full:
        child = subprocess.run([runner.binary, *map(str, check)], stdout=full, stderr=subprocess.PIPE, check=False)
        runner.table.note(kind, "standard output on a full disk", 0, 0, None if child.returncode == 2 else f"exit code {child.returncode}")
    for name in ["json", "sarif", "html"]:
        report = folder / "report"
        report.write_text("earlier")
        runner.run(kind, f"a disk that is full during a report ({name})", check + ["--output", f"{name}={report}"], limits=[(resource.RLIMIT_FSIZE, 4096)], allowed=(2, -signal.SIGXFSZ))
        kept = report.read_text() == "earlier"
        runner.table.note(kind, f"the existing report ({name})", 0, 0, None if kept else "was replaced by a half-written one")
        report.unlink()
    # Whatever a command replaces stays as it was.
    many = {f"x{number}": number for number in range(2_000)}
    written = {
        "a baseline": (["baseline", "write", "a.json"], "voxlint-baseline.json", '{ "schema": 1, "findings": [] }\n'),
        "fixes": (["check", "--fix", "a.json"], "a.json", json.dumps({"version_number": 3, "kb_max_chunks": "3", **many})),
        "a configuration": (["init", "--force"], "voxlint.toml", "root = true\n"),
        "a plan": (["plan", "a.json", "--out", "plan"], "plan", None),
    }
    for what, (arguments, name, before) in written.items():
        inner = folder / "written"
        inner.mkdir()
        (inner / "a.json").write_text(json.dumps({"version_number": 3, **many}))
        if before is not None:
            (inner / name).write_text(before)
        runner.run(kind, f"a disk that is full during {what}", arguments, cwd=inner, limits=[(resource.RLIMIT_FSIZE, 8)], allowed=(2, -signal.SIGXFSZ))
        target = inner / name
        kept = target.read_text() == before if before is not None else not target.exists() or not any(target.iterdir())
        runner.table.note(kind, f"what was there before {what}", 0, 0, None if kept else "was replaced by something half-written")
        left = sorted(path.name for path in inner.iterdir() if path.name not in ("a.json", name))
        runner.table.note(kind, f"temporary files of {what}", 0, 0, f"are left: {left}" if left else None)
        shutil.rmtree(inner)
    gone = runner.folder / "gone"
    gone.mkdir()
    before = os.getcwd()
    os.chdir(gone)
    gone.rmdir()
    child = subprocess.run([runner.binary, "check"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    os.chdir(before)
    runner.table.note(kind, "a deleted working directory", 0, 0, None if child.returncode == 2 else f"exit code {child.returncode}")
    shutil.rmtree(folder)


def interruptions(runner, _full):
    kind = "interruptions"
    folder = runner.folder / "interrupted"
    count = 400
    fixed = '{ "version_number": 3, "kb_max_chunks": 3 }'
    fixable = '{ "version_number": 3, "kb_max_chunks": "3" }'

    def is_json(path):
        try:
            json.loads(path.read_text())
        except ValueError:
            return False
        return True

    # Each command, the file that it replaces with what is there before, and whether what it leaves is whole.
    report, baseline = folder / "report.sarif", folder / "voxlint-baseline.json"
    configuration, plan = folder / "voxlint.toml", folder / "plan"
    commands = {
        "fixes and a report": (["check", "--fix", "--output", f"sarif={report}", folder], report, "earlier", lambda: is_json(report)),
        "a baseline": (["baseline", "write", folder], baseline, '{ "schema": 1, "findings": [] }\n', lambda: is_json(baseline)),
        "a configuration": (["init", "--force"], configuration, "root = true\n", lambda: configuration.read_text() == "root = true\n" or configuration.read_text().endswith(" without the extension.\n")),
        "a plan": (["plan", folder, "--out", plan], None, None, lambda: not plan.exists() or all(map(is_json, plan.glob("*.json")))),
    }
    source = random.Random(2)
    interrupted = dict.fromkeys(commands, 0)
    for number in range(16 if QUICK else 80):
        name = list(commands)[number % len(commands)]
        arguments, target, before, is_whole = commands[name]
        folder.mkdir()
        for document in range(count):
            (folder / f"{document}.json").write_text(fixable)
        if target:
            target.write_text(before)
        what = source.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
        # The first ones come at once, when every command still runs.
        pause = 0.004 if number < len(commands) else source.random() * 0.08
        child = subprocess.Popen([runner.binary, *map(str, arguments)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(pause)
        child.send_signal(what)
        status = child.wait()
        interrupted[name] += status in (-what, 128 + what)
        failure = None
        if status not in (0, 1, 2, -what, 128 + what):
            failure = f"exit code {status}"
        for document in range(count):
            if (folder / f"{document}.json").read_text() not in (fixed, fixable):
                failure = f"{document}.json is half-written"
        if not (target and target.read_text() == before) and not is_whole():
            failure = f"{name}: half-written"
        runner.table.note(kind, f"{name}, {what.name} {number}", 0, 0, failure)
        shutil.rmtree(folder)
    # A few attempts may all come too late.
    for name, times in interrupted.items():
        if times == 0 and not QUICK:
            runner.table.failures.append(f"{kind}, {name}: no run was ended by a signal")
    # A reader of the output that stops early.
    folder.mkdir()
    for name in range(2_000):
        (folder / f"{name}.json").write_text(BAD)
    for output in ["full", "concise", "json", "sarif", "ndjson", "github"]:
        child = subprocess.Popen([runner.binary, "check", "--format", output, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        child.stdout.readline()
        child.stdout.close()
        said = child.stderr.read().decode()
        status = child.wait()
        runner.table.note(kind, f"a reader that stops early ({output})", 0, 0, None if status == 1 and "panicked" not in said else f"exit code {status}: {said[-200:]}")
    shutil.rmtree(folder)


CLASSES = [nesting, repetition, bombs, large, numbers, encodings, folders, paths, configurations, costs, commands, server, surroundings, interruptions]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--only", choices=[it.__name__ for it in CLASSES])
    arguments = parser.parse_args()
    global QUICK
    QUICK = arguments.quick
    binary = pathlib.Path(os.environ.get("VOXLINT_BINARY", ROOT / "target/release/voxlint")).resolve()
    table = Table()
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="voxlint-hostile-") as folder:
        runner = Runner(binary, pathlib.Path(folder), table)
        for run in CLASSES:
            if arguments.only in (None, run.__name__):
                begun = time.monotonic()
                run(runner, arguments.full)
                print(f"{run.__name__}: {time.monotonic() - begun:.1f} s", flush=True)
    print(table.markdown())
    count = sum(row["runs"] for row in table.rows.values())
    print(f"{count:,} inputs, {len(table.failures)} failed, {time.monotonic() - start:.0f} s")
    if arguments.update:
        start, end = "<!-- hostile -->", "<!-- end of hostile -->"
        text = PAGE.read_text()
        head, rest = text.split(start)
        PAGE.write_text(f"{head}{start}\n\n{table.markdown()}\n\n{end}{rest.split(end)[1]}")
    sys.exit(1 if table.failures else 0)


if __name__ == "__main__":
    main()
