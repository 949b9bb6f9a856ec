// The same module for `import`, so that ESM and CommonJS share contexts and errors.
import voxlint from "./index.js";

export const {
  Context,
  InternalError,
  Project,
  UsageError,
  check,
  checkAsync,
  checkMany,
  checkManyAsync,
  diff,
  diffAsync,
  explain,
  explainAsync,
  plan,
  planAsync,
  predict,
  predictAsync,
  version,
} = voxlint;
export default voxlint;
