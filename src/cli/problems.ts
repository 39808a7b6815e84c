/** Problems on standard error: one line each, with the options of the library called as they are on the command line. */
export function reportProblem(problem: unknown): void {
  const message = problem instanceof Error ? problem.message : String(problem);
  const line = message
    .replace(/\s*\n\s*/g, " ")
    .replace(/\boverwrite: true\b/, "--overwrite")
    .replace(/^chunkShape:/, "--chunks:");
  process.stderr.write(`wazarr: ${line}\n`);
}
