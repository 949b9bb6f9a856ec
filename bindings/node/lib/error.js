"use strict";

/** An argument cannot be used, for example because an option does not have one of the allowed values. */
class UsageError extends Error {
  constructor(message, options) {
    super(message, options);
    this.code = "ERR_VOXLINT_USAGE";
  }
}
Object.defineProperty(UsageError.prototype, "name", { value: "UsageError", configurable: true, writable: true });

module.exports = { UsageError };
