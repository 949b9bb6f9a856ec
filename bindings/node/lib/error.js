"use strict";

/** An argument cannot be used, for example because an option does not have one of the allowed values. */
class UsageError extends Error {
  constructor(message, options) {
    super(message, options);
    this.code = "ERR_VOXLINT_USAGE";
  }
}
Object.defineProperty(UsageError.prototype, "name", { value: "UsageError", configurable: true, writable: true });

/** A bug of voxlint. Its cause is the error of the compiled module. */
class InternalError extends Error {
  constructor(cause) {
    const isSaid = cause.message.startsWith("internal error");
    super(isSaid ? cause.message : `internal error: this is a bug of voxlint (${cause.message}); please report it`, { cause });
    this.code = "ERR_VOXLINT_INTERNAL";
  }
}
Object.defineProperty(InternalError.prototype, "name", { value: "InternalError", configurable: true, writable: true });

module.exports = { InternalError, UsageError };
