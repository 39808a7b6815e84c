/** Entry point of the command line program. */

import { createRequire } from "node:module";
import { isZarrError } from "../index.js";
import { type Command, type CommandLine, UsageError } from "./command.js";
import { commands } from "./commands.js";
import { helpOf, helpOfCommand } from "./help.js";
import { print } from "./output.js";
import { findCommand, parseArguments } from "./parse.js";
import type { Paint } from "./text/colours.js";
import { reportProblem } from "./text/problems.js";

const DONE = 0;
const BAD_DATA = 1;
const WRONG_USAGE = 2;

/** Runs one command. @returns the exit status */
export async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  let command: Command | undefined;
  let line: CommandLine | undefined;
  try {
    if (name === "--version" || name === "-v" || name === "-V") {
      await print(`${version()}\n`);
      return DONE;
    }
    if (name === "help" || isHelp(name)) {
      const about = rest.find((word) => !isHelp(word));
      await printHelp(about === undefined ? undefined : findCommand(about, commands));
      return DONE;
    }
    if (name === undefined) {
      process.stderr.write(helpOf(commands));
      return WRONG_USAGE;
    }
    command = findCommand(name, commands);
    if (rest.slice(0, firstOperandOnly(rest)).some(isHelp)) {
      await printHelp(command);
      return DONE;
    }
    line = parseArguments(rest, command);
    return (await command.run(line)) === false ? BAD_DATA : DONE;
  } catch (error) {
    reportProblem(error);
    if (!isUsage(error, line)) return BAD_DATA;
    if (line === undefined)
      process.stderr.write(`wazarr: see wazarr ${command === undefined ? "" : `${command.name} `}--help\n`);
    return WRONG_USAGE;
  }
}

const isHelp = (word: string | undefined): boolean => word === "--help" || word === "-h";

/** The number of words before "--", after which all words are operands. */
function firstOperandOnly(words: readonly string[]): number {
  const end = words.indexOf("--");
  return end < 0 ? words.length : end;
}

function printHelp(command: Command | undefined): Promise<void> {
  return print(command === undefined ? helpOf(commands) : helpOfCommand(command), headingsInColour);
}

function headingsInColour(text: string, paint: Paint): string {
  return text
    .replace(/^(?:Usage|Commands|Options|Examples)$/gm, (heading) => paint("bold", heading))
    .replace(/^ {2}(?:--)?[a-z][\w-]*/gm, (term) => paint("cyan", term));
}

/**
 * Whether an error is wrong usage. Arguments that do not fit the data, and unknown or invalid codecs in
 * `--codecs`, count too.
 */
function isUsage(error: unknown, line: CommandLine | undefined): boolean {
  if (error instanceof UsageError || isZarrError(error, "InvalidArgumentError", "InvalidSelectionError"))
    return true;
  const isOfCodecs =
    isZarrError(error, "UnknownCodecError", "InvalidMetadataError") && error.key === undefined;
  return isOfCodecs && line?.has("codecs") === true;
}

/**
 * The package's version. Importing by the package's own name finds package.json wherever in the package this
 * file was bundled.
 */
export function version(): string {
  const manifest: unknown = createRequire(import.meta.url)("wazarr/package.json");
  if (typeof manifest === "object" && manifest !== null && "version" in manifest)
    return String(manifest.version);
  throw new Error("package.json of wazarr has no version");
}
