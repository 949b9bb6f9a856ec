// Compares checks from Node.js with the same checks in Rust, and prints the times of both. They run in alternating rounds, so that other load on
// the machine affects both equally. Each number is the median of the rounds.
//
//   CARGO_TARGET_DIR=target cargo build --release --manifest-path bindings/Cargo.toml --package voxlint-node --examples
//   scripts/try-node.sh                                    # installs the module into target/node/app
//   node bindings/node/benches/compare.mjs [ROUNDS]
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";

const root = join(import.meta.dirname, "../../..");
const { Context, check, checkAsync, checkMany, checkManyAsync } = createRequire(join(root, "target/node/app/package.json"))("voxlint");

const rounds = Number(process.argv[2] ?? 25);
const CHECKS = 200;

const rust = spawn(join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "release/examples/rust_time"), {
  stdio: ["pipe", "pipe", "inherit"],
});
const answers = createInterface({ input: rust.stdout })[Symbol.asyncIterator]();
async function inRust(what, file) {
  rust.stdin.write(`${what} ${CHECKS} ${file}\n`);
  return Number((await answers.next()).value);
}

async function here(work) {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e3 / CHECKS;
}

const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];

const several = (work) => () => {
  for (let at = 0; at < CHECKS; at++) work();
};

const documents = [
  ["12 KB, Hindi, clean", "agents/healthcare/AppointmentReminder.hi.json"],
  ["12 KB, Hindi, with findings", "agents/collections/early-stage.hi-IN.json"],
  ["10 KB, English, clean", "agents/support/en.json"],
];

const shown = (number) => number.toFixed(1).padStart(8);
console.log("microseconds per check                        Rust  + JSON    Node   1.5 × Rust + 20");
for (const [name, path] of documents) {
  const file = join(root, "fixtures", path);
  const bytes = readFileSync(file);
  const text = bytes.toString();
  const value = JSON.parse(text);
  const context = new Context();
  const ways = {
    "check(string)": several(() => check(text)),
    "check(Buffer)": several(() => check(bytes)),
    "check(object)": several(() => check(value)),
    "context.check(string)": several(() => context.check(text)),
    "checkAsync, one after the other": async () => {
      for (let at = 0; at < CHECKS; at++) await checkAsync(text);
    },
    "checkMany, 2 threads": () => {
      for (const _ of checkMany(Array(CHECKS).fill(text), { threads: 2 }));
    },
    "checkManyAsync, 2 threads": async () => {
      for await (const _ of checkManyAsync(Array(CHECKS).fill(text), { threads: 2 }));
    },
  };
  console.log(`${name} (${bytes.length} bytes)`);
  for (const [way, work] of Object.entries(ways)) {
    await work();
    const times = { check: [], report: [], node: [], limit: [] };
    for (let round = 0; round < rounds; round++) {
      const plain = await inRust("check", file);
      times.check.push(plain);
      times.node.push(await here(work));
      times.limit.push(1.5 * plain + 20);
      times.report.push(await inRust("report", file));
    }
    const [plain, report, node, limit] = ["check", "report", "node", "limit"].map((key) => median(times[key]));
    console.log(`  ${way.padEnd(40)}${shown(plain)}${shown(report)}${shown(node)}${shown(limit)}  ${node <= limit ? "within" : "over"}`);
  }
}
rust.stdin.end();
