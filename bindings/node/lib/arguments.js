// Checks and converts arguments for the module. A wrong type is a TypeError that names the argument and describes its value.
"use strict";

const { fileURLToPath } = require("node:url");

/** Describes a value, for messages. */
function described(value) {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  const type = typeof value;
  if (type === "object") {
    const name = value.constructor?.name;
    return name && name !== "Object" ? `an instance of ${name}` : "an object";
  }
  return type === "undefined" ? "undefined" : `a ${type}`;
}

const wrong = (name, wanted, value) => new TypeError(`\`${name}\` must be ${wanted}, not ${described(value)}`);

/** A text: a string or bytes as they are, and any other object as JSON. */
function text(name, value) {
  if (typeof value === "string") return value;
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (value === null || typeof value !== "object" || value instanceof Promise || ArrayBuffer.isView(value)) {
    throw wrong(name, "a string, a Uint8Array or an object", value);
  }
  let json;
  try {
    json = JSON.stringify(value);
  } catch (error) {
    throw new TypeError(`\`${name}\` cannot be written as JSON: ${error.message.split("\n")[0]}`, { cause: error });
  }
  if (typeof json !== "string") throw wrong(name, "an object that can be written as JSON", value);
  return json;
}

/**
 * A document as a text, and how it is read. A value is JSON: its path only names it, and no other format can be stated for it.
 */
function document(name, value, how) {
  const given = text(name, value);
  if (typeof value === "string" || value instanceof Uint8Array || value instanceof ArrayBuffer) return [given, how];
  const format = how?.format ?? "json";
  if (format !== "json") {
    throw new TypeError(`\`${name}\` is a value, which is read as JSON, so \`format\` cannot be \`${format}\`: give a text in that format instead`);
  }
  if (how?.kind === "template") throw new TypeError(`\`${name}\` is a value, but a template is a text: give a string`);
  return [given, how?.path === undefined ? how : { ...how, format }];
}

const optionalText = (name, value) => (value === undefined || value === null ? undefined : text(name, value));

function string(name, value) {
  if (typeof value !== "string") throw wrong(name, "a string", value);
  return value;
}

const optionalString = (name, value) => (value === undefined || value === null ? undefined : string(name, value));

/** A path, or the URL of a file. */
const path = (name, value) => (value instanceof URL ? fileURLToPath(value) : string(name, value));

const optionalPath = (name, value) => (value === undefined || value === null ? undefined : path(name, value));

function boolean(name, value) {
  if (value === undefined || value === null) return false;
  if (typeof value !== "boolean") throw wrong(name, "a boolean", value);
  return value;
}

/** Options. Other names are rejected, because a misspelled one would be ignored silently. */
function options(value, allowed) {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "object" || Array.isArray(value)) throw wrong("options", "an object", value);
  for (const name in value) {
    if (!allowed.includes(name)) {
      throw new TypeError(`there is no option \`${name}\`; allowed: ${allowed.join(", ")}`);
    }
  }
  return value;
}

function threads(value, otherwise) {
  if (value === undefined || value === null) return otherwise;
  if (!Number.isInteger(value) || value < 1 || value > 1024) {
    const shown = typeof value === "number" ? value : described(value);
    throw new RangeError(`\`threads\` must be a whole number from 1 to 1024, not ${shown}`);
  }
  return value;
}

function paths(value) {
  if (value === undefined || value === null) return [];
  if (typeof value === "string") return [value];
  if (!Array.isArray(value)) throw wrong("paths", "a string or an array of strings", value);
  return value.map((path, index) => string(`paths[${index}]`, path));
}

module.exports = { boolean, document, optionalPath, optionalString, optionalText, options, path, paths, string, text, threads, wrong };
