"use strict";

/** Wrong use: an option that is not one of the allowed values, or an input that cannot be used. */
class UsageError extends Error {
  constructor(message, options) {
    super(message, options);
    this.code = "ERR_VOXLINT_USAGE";
  }
}
Object.defineProperty(UsageError.prototype, "name", { value: "UsageError", configurable: true, writable: true });

module.exports = { UsageError };
