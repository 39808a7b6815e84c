/** Entry point of the command line program. */

import { createRequire } from "node:module";
import { isZarrError } from "../errors.js";
import { type CommandLine, type CommandName, parseCommandLine, USAGE, UsageError } from "./arguments.js";
import { consolidate } from "./commands/consolidate.js";
import { info, tree } from "./commands/describe.js";
import { get } from "./commands/get.js";
import { put } from "./commands/put.js";
import { serve } from "./commands/serve.js";
import { verify } from "./commands/verify.js";
import { print, reportProblem } from "./output.js";

// After the other imports: rollup orders the core's modules by this file's imports, and the output compresses 150 bytes worse when the
// tasks of copies come first.

import { copy } from "./commands/copy.js";

/** A command resolves to false when it found bad data or did not finish: exit status 1. */
const commands: Readonly<Record<CommandName, (line: CommandLine) => Promise<unknown>>> = {
  info,
  tree,
  get,
  put,
  copy,
  verify,
  consolidate,
  serve,
};

const DONE = 0;
const BAD_DATA = 1;
const WRONG_USAGE = 2;

/** Runs one command. @returns the exit status */
export async function main(args: readonly string[]): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) {
    await print(USAGE);
    return DONE;
  }
  if (args.includes("--version") || args.includes("-V")) {
    await print(`${version()}\n`);
    return DONE;
  }
  let line: CommandLine | undefined;
  try {
    line = parseCommandLine(args);
    return (await commands[line.command](line)) === false ? BAD_DATA : DONE;
  } catch (error) {
    reportProblem(error);
    if (!isUsage(error, line)) return BAD_DATA;
    if (line === undefined) process.stderr.write("wazarr: see wazarr --help\n");
    return WRONG_USAGE;
  }
}

/** Whether an error is wrong usage. Arguments that do not fit the data, and unknown or invalid codecs in `--codecs`, count too. */
function isUsage(error: unknown, line: CommandLine | undefined): boolean {
  if (error instanceof UsageError || isZarrError(error, "InvalidArgumentError", "InvalidSelectionError"))
    return true;
  const isOfCodecs =
    isZarrError(error, "UnknownCodecError", "InvalidMetadataError") && error.key === undefined;
  return isOfCodecs && line?.options.has("codecs") === true;
}

/** The package's version. Importing by the package's own name finds package.json wherever in the package this file was bundled. */
export function version(): string {
  const manifest: unknown = createRequire(import.meta.url)("wazarr/package.json");
  if (typeof manifest === "object" && manifest !== null && "version" in manifest)
    return String(manifest.version);
  throw new Error("package.json of wazarr has no version");
}
