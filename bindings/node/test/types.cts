// The types for `require`.
import voxlint = require("voxlint");

export const report: voxlint.Report = voxlint.check("{}");
export const context: voxlint.Context = new voxlint.Context({ stored: "{}" });
