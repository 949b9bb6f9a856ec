// Converts results of the module to frozen objects in the JSON format of the command line, and adds offsets in UTF-16 units, in which
// JavaScript counts, to positions.
"use strict";

/** Freezes an object and everything in it. Arrays are walked by index, which is much faster than by name. */
function freeze(value) {
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      if (typeof value[at] === "object" && value[at] !== null) freeze(value[at]);
    }
  } else {
    for (const name in value) {
      if (typeof value[name] === "object" && value[name] !== null) freeze(value[name]);
    }
  }
  return Object.freeze(value);
}

/** The positions in some findings, by the path of the text that they are in. `path` is the path of the document. */
class Places {
  constructor() {
    this.byPath = new Map();
  }

  add(path, place) {
    if (path === null || path === undefined) {
      place.utf16 = null;
      return;
    }
    const places = this.byPath.get(path);
    if (places) places.push(place);
    else this.byPath.set(path, [place]);
  }

  addFindings(path, findings) {
    for (const finding of findings) {
      this.add(finding.path, finding.span);
      for (const related of finding.related) this.add(related.path ?? path, related.span);
      for (const fix of finding.fixes) {
        for (const edit of fix.edits) this.add(fix.path ?? path, edit);
      }
    }
  }

  /** Adds `utf16` to every position. */
  count(outcome) {
    for (const [path, places] of this.byPath) {
      const bytes = new Float64Array(places.length * 2);
      places.forEach((place, index) => {
        bytes[2 * index] = place.start;
        bytes[2 * index + 1] = place.end;
      });
      const units = outcome.offsets(path, bytes);
      places.forEach((place, index) => {
        place.utf16 = units && { start: units[2 * index], end: units[2 * index + 1] };
      });
    }
  }
}

/** A result of the module. `find` passes its findings to the positions, and `finish` adds what is not in its JSON. */
function result(outcome, find, finish = () => {}) {
  if (typeof outcome === "string") {
    const value = JSON.parse(outcome);
    finish(value);
    return freeze(value);
  }
  const value = JSON.parse(outcome.takeJson());
  const places = new Places();
  find(value, places);
  places.count(outcome);
  outcome.close();
  finish(value);
  return freeze(value);
}

/** Adds a property that is not enumerable: logs must not show it, or the JSON format does not have it. */
const hidden = (value, name, content) => Object.defineProperty(value, name, { value: content, enumerable: false });

const report = (outcome) =>
  result(
    outcome,
    (value, places) => {
      for (const file of value.files) places.addFindings(file.path, file.diagnostics);
    },
    (value) => {
      const { errors, warnings, infos } = value.summary;
      const isOk = errors === 0 && value.failures.length === 0;
      hidden(value, "ok", isOk);
      hidden(value, "clean", isOk && warnings === 0 && infos === 0);
    },
  );

const prediction = (outcome) => result(outcome, (value, places) => places.addFindings(value.path, value.diagnostics));

const difference = (outcome) =>
  result(outcome, (value, places) => {
    const path = value.diagnostics.find((finding) => finding.in === "document")?.path;
    places.addFindings(path, value.diagnostics);
    // Neither is masked.
    hidden(value, "update", value.update && freeze(value.update));
    hidden(value, "body", outcome.takeBodies()[0]?.text ?? null);
  });

const plan = (outcome) =>
  result(outcome, (value, places) => {
    for (const agent of value.agents) places.addFindings(agent.name, agent.findings);
    const bodies = outcome.takeBodies().map(({ name, text }) => [name, text]);
    hidden(value, "bodies", Object.freeze(Object.fromEntries(bodies)));
  });

module.exports = { difference, plan, prediction, report };
