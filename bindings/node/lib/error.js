"use strict";

/** Wrong use: an option that is not one of the allowed values, or an input that cannot be used. */
class VoxlintError extends Error {
  constructor(message, options) {
    super(message, options);
    this.code = "ERR_VOXLINT";
  }
}
Object.defineProperty(VoxlintError.prototype, "name", { value: "VoxlintError", configurable: true, writable: true });

module.exports = { VoxlintError };
