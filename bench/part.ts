/** Program of the processes that parts.ts starts: runs one part and sends the result to the parent. Processes of libraries run it too. */
import { type FirstCallsRole, runFirstCalls } from "./first-calls.js";
import { type LibraryRole, serve } from "./library-process.js";
import { type Part, runPart } from "./parts.js";
import { growMemory } from "./race.js";

const task: Part | LibraryRole | FirstCallsRole = JSON.parse(process.argv[2] ?? "{}");
if ("library" in task) {
  serve(task);
} else if ("firstCalls" in task) {
  process.send?.(await runFirstCalls(task), () => process.exit(0));
} else {
  growMemory();
  const result = await runPart(task);
  process.send?.(result, () => process.exit(0));
}
