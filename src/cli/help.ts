/** Help: the text of `wazarr --help`, and of one command. The commands themselves say what they are. */
import type { Command, Option } from "./command.js";

/** Columns of help. */
const WIDTH = 100;
/** Columns to the left of explanations. */
const MARGIN = 26;

const STORES =
  "STORE is a directory, a .zip or .ozx (by another name ADDRESS|zip:), a reference document of kerchunk (.json, or a directory of .parq files), an Icechunk repository (a directory, or ADDRESS|icechunk:, with //branch.NAME/ or //tag.NAME/), a STAC item (.json, or ADDRESS|stac:ASSET), an http(s) URL, or a bucket (s3://, gs://, az://). PATH is the path of a node in it, / unless given. 'STORE|zarr:PATH' names both in one argument, in quotes because of the shell.";

const STATUS = "Exit status: 0 done; 1 bad data, one line per problem on standard error; 2 wrong usage.";

export function helpOf(commands: readonly Command[]): string {
  return [
    "wazarr: Zarr v2, v3 and the 2020 draft on the command line\n",
    "Usage",
    "  wazarr COMMAND ARGUMENTS",
    "  wazarr COMMAND --help | wazarr help COMMAND",
    "  wazarr --help | --version\n",
    "Commands",
    ...commands.map(({ name, summary }) => aside(`  ${name}`, summary, 15)),
    "",
    wrapped(STORES, 0),
    "",
    wrapped(STATUS, 0),
    "",
  ].join("\n");
}

export function helpOfCommand({ name, summary, operands, description, options, examples }: Command): string {
  const named = Object.entries(options);
  const usage = [name, ...operands, ...(named.length > 0 ? ["[OPTIONS]"] : [])].join(" ");
  return [
    `wazarr ${name}: ${summary}\n`,
    "Usage",
    `  wazarr ${usage}\n`,
    ...description.map((paragraph) => `${wrapped(paragraph, 0)}\n`),
    ...(named.length > 0 ? ["Options"] : []),
    ...named.map(([option, each]) => aside(`  ${spelling(option, each)}`, each.help, MARGIN)),
    aside("  --help", "Prints this.", MARGIN),
    ...(examples.length > 0 ? ["\nExamples"] : []),
    ...examples.map((example) => `  ${example}`),
    "",
  ].join("\n");
}

/** An option with what stands for its value: "--chunks 64,64". */
export function spelling(name: string, { type, value, choices }: Option): string {
  return type === "flag" ? `--${name}` : `--${name} ${value ?? choices?.join("|") ?? "VALUE"}`;
}

/** A term with its explanation beside it, or below it if the term is long. */
function aside(term: string, text: string, margin: number): string {
  const body = wrapped(text, margin);
  return term.length < margin - 1 ? `${term.padEnd(margin)}${body.trimStart()}` : `${term}\n${body}`;
}

function wrapped(text: string, margin: number): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && margin + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each) => " ".repeat(margin) + each).join("\n");
}
