export * from "./index.js";
import * as voxlint from "./index.js";
export default voxlint;
