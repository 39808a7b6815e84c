/** The program of a process that parts.ts starts: runs one part, and tells who started it. */
import { runPart } from "./parts.js";
import { growMemory } from "./race.js";

growMemory();
const result = await runPart(JSON.parse(process.argv[2] ?? "{}"));
process.send?.(result, () => process.exit(0));
