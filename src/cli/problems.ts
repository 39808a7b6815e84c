/** Problems on standard error. */
import { paintFor } from "./colours.js";
import { printable } from "./printable.js";

/** Options of the command line by their name in the library. */
const OPTIONS: Readonly<Record<string, string>> = {
  maxMemory: "--max-memory",
  chunkShape: "--chunks",
  fillValue: "--fill-value",
  zarrFormat: "--zarr-format",
  shards: "--shards",
  codecs: "--codecs",
};

/**
 * Prints a problem on one line of standard error, with the library's option names replaced by those of the
 * command line.
 */
export function reportProblem(problem: unknown): void {
  const message = problem instanceof Error ? problem.message : String(problem);
  // Not a pattern of spaces around the end of a line, which would look for that from each of many spaces.
  const lines = message.split("\n").map((each) => each.trim());
  const line = lines
    .filter((each) => each !== "")
    .join(" ")
    .replace(/\boverwrite: true\b/, "--overwrite")
    .replace(/\bresume: true\b/, "--resume")
    .replace("open with decode: false to read what is stored", "--raw prints what is stored")
    .replace(
      /\b(?:maxMemory|chunkShape|zarrFormat|shards|codecs)(?= \(.* there, )/g,
      (name) => OPTIONS[name] ?? name,
    )
    .replace(/^(?:maxMemory|chunkShape|fillValue|shards|codecs)(?=:)/, (name) => OPTIONS[name] ?? name)
    .replace(/\bzarrFormat: (?=\d)/, "--zarr-format ");
  process.stderr.write(`${paintFor(process.stderr)("red", "wazarr:")} ${printable(line)}\n`);
}
