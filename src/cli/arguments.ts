/** The command line, checked. */
import { parseArgs } from "node:util";
import { didYouMean } from "../errors.js";
import { UsageError } from "./usage.js";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

const LAYOUT = {
  quiet: flag,
  "zarr-format": text,
  chunks: text,
  shards: text,
  codecs: text,
  "fill-value": text,
  order: text,
  endian: text,
  "dimension-names": text,
  attributes: text,
  overwrite: flag,
  concurrency: text,
} as const;

const COPY = { workers: text, resume: flag, "max-memory": text, "dry-run": flag } as const;

/** What a command takes: its positional arguments by name, those in brackets optional, and its options. */
const COMMANDS = {
  info: { operands: ["STORE", "[PATH]"], options: { json: flag } },
  tree: { operands: ["STORE", "[PATH]"], options: { json: flag } },
  get: { operands: ["STORE", "[PATH]"], options: { select: text, out: text } },
  put: { operands: ["FILE.npy", "STORE", "[PATH]"], options: LAYOUT },
  copy: { operands: ["SRC[::PATH]", "DST[::PATH]"], options: { ...LAYOUT, ...COPY } },
  verify: { operands: ["STORE", "[PATH]"], options: { against: text, clean: flag } },
  serve: { operands: ["STORE[::PATH]"], options: { port: text, host: text, open: flag } },
} as const;

export type CommandName = keyof typeof COMMANDS;

export interface CommandLine {
  readonly command: CommandName;
  readonly operands: readonly string[];
  /** Options that were given: text, or true for a flag. */
  readonly options: ReadonlyMap<string, string | true>;
}

/** @throws UsageError */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const [command, ...rest] = args;
  if (!isCommand(command)) {
    const got = command === undefined ? "nothing" : JSON.stringify(command);
    const names = Object.keys(COMMANDS);
    const nearest = didYouMean(command, names);
    throw new UsageError(`expected one of the commands ${names.join(", ")}, got ${got}${nearest}`);
  }
  const { operands: names, options: known } = COMMANDS[command];
  const { values, positionals } = parse(rest, known);
  const required = names.filter((name) => !name.startsWith("["));
  if (positionals.length < required.length || positionals.length > names.length) {
    throw new UsageError(`expected ${command} ${names.join(" ")}, got ${positionals.length} arguments`);
  }
  return { command, operands: positionals, options: values };
}

function isCommand(name: string | undefined): name is CommandName {
  return name !== undefined && Object.hasOwn(COMMANDS, name);
}

function parse(
  args: readonly string[],
  known: Readonly<Record<string, { readonly type: "string" | "boolean" }>>,
): { values: Map<string, string | true>; positionals: string[] } {
  const values = new Map<string, string | true>();
  try {
    const parsed = parseArgs({ args: attachNegatives(args, known), options: known, allowPositionals: true });
    for (const [name, value] of Object.entries(parsed.values)) {
      if (typeof value === "string" || value === true) values.set(name, value);
    }
    return { values, positionals: parsed.positionals };
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error));
  }
}

/** `--select -5:` as `--select=-5:`: parseArgs would take a value with a dash for an option of its own. */
function attachNegatives(
  args: readonly string[],
  known: Readonly<Record<string, { readonly type: "string" | "boolean" }>>,
): string[] {
  const attached: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    const next = args[i + 1];
    const takesText = arg.startsWith("--") && known[arg.slice(2)]?.type === "string";
    if (takesText && next !== undefined && /^-($|\d)/.test(next)) {
      attached.push(`${arg}=${next}`);
      i++;
    } else attached.push(arg);
  }
  return attached;
}
