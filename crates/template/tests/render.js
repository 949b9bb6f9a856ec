'use strict';
// node render.js FOLDER < cases.ndjson: what npm handlebars, installed in FOLDER, makes of each case.
//
// A case is {"template", "context"}. Its result has "text", or "error" and "type", the name of the error's class.
const { createRequire } = require('module');
const { createInterface } = require('readline');

const Handlebars = createRequire(`${process.argv[2]}/package.json`)('handlebars');
Handlebars.log = () => {};
Handlebars.logger.log = () => {};

const result = ({ template, context }) => {
  try {
    return { text: Handlebars.compile(template)(context).toWellFormed() };
  } catch (error) {
    return { error: error.message.toWellFormed(), type: error.constructor.name };
  }
};

const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on('line', (line) => process.stdout.write(`${JSON.stringify(result(JSON.parse(line)))}\n`));
