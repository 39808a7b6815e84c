/** Problems on standard error, in the words of the command line. */
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

/** Advice of the library, which names functions, and what the command line has in their place. */
const ADVICE: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/\boverwrite: true\b/g, "--overwrite"],
  [/\bresume: true\b/g, "--resume"],
  [/open with decode: false to read what is stored/g, "--raw prints what is stored"],
  [/\bnearest\(\.\.\.\) finds the closest label/g, "--nearest finds the closest label"],
  [/select with at\(\.\.\.\), or by index/g, "leave --nearest and --wrap out, or select by index"],
  [/ registry\.set\("[^"]*", loader\) adds it, or convert/g, " convert"],
  [/; a bundled application also needs import \w+ from .*?registry\.set\(.*?\)(?= \(|$)/g, ""],
  [/run consolidateMetadata(?:, or `wazarr consolidate`,)? to update/g, "run wazarr consolidate to update"],
  [/\bconsolidateMetadata writes them/g, "wazarr consolidate writes them"],
  [
    /open arrays by their path, or pass the store to withConsolidatedMetadata first/g,
    "name an array: STORE|zarr:PATH",
  ],
  [/\bopenStore opens\b/g, "wazarr opens"],
  [/^openStore: /, ""],
];

/** A message of the library in the words of the command line: its options, and its commands. */
export function inWordsOfCommands(message: string): string {
  return ADVICE.reduce((text, [pattern, words]) => text.replace(pattern, words), message)
    .replace(
      /\b(?:maxMemory|chunkShape|zarrFormat|shards|codecs)(?= \(.* there, )/g,
      (name) => OPTIONS[name] ?? name,
    )
    .replace(/^(?:maxMemory|chunkShape|fillValue|shards|codecs)(?=:)/, (name) => OPTIONS[name] ?? name)
    .replace(/\bzarrFormat: (?=\d)/, "--zarr-format ");
}

/** Prints a problem on one line of standard error. */
export function reportProblem(problem: unknown): void {
  const message = problem instanceof Error ? problem.message : String(problem);
  // Not a pattern of spaces around the end of a line, which would look for that from each of many spaces.
  const lines = message.split("\n").map((each) => each.trim());
  const line = inWordsOfCommands(lines.filter((each) => each !== "").join(" "));
  process.stderr.write(`${paintFor(process.stderr)("red", "wazarr:")} ${printable(line)}\n`);
}
