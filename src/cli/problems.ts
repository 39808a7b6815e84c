/** Problems on standard error: one line each. */
export function reportProblem(problem: unknown): void {
  const message = problem instanceof Error ? problem.message : String(problem);
  process.stderr.write(`wazarr: ${message.replace(/\s*\n\s*/g, " ")}\n`);
}
