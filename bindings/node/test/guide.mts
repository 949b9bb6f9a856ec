import { check, type Diagnostic, type Report } from "voxlint";

const report: Report = check({ version_number: 3, kb_max_chunks: 12 });
const findings: Diagnostic[] = report.files.flatMap((file) => file.diagnostics);
const marked: string[] = findings.map(({ field, message }) => `${field}: ${message}`);

export { marked };
