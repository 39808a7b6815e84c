/** Parses and checks the command line; has the text of `--help`. */
import { parseArgs } from "node:util";
import { didYouMean } from "../errors.js";

/** An error in the command line itself: exit status 2. */
export class UsageError extends Error {}

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
/** An option that may be repeated. */
const list = { type: "string", multiple: true } as const;

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

/** The commands with their positional arguments (optional ones in brackets) and options. */
const COMMANDS = {
  info: { operands: ["STORE", "[PATH]"], options: { json: flag, allow: list } },
  tree: { operands: ["STORE", "[PATH]"], options: { json: flag, allow: list } },
  get: { operands: ["STORE", "[PATH]"], options: { select: text, out: text, allow: list } },
  put: { operands: ["FILE.npy", "STORE", "[PATH]"], options: LAYOUT },
  copy: { operands: ["SRC[::PATH]", "DST[::PATH]"], options: { ...LAYOUT, ...COPY, allow: list } },
  verify: { operands: ["STORE", "[PATH]"], options: { against: text, clean: flag, allow: list } },
  consolidate: { operands: ["STORE"], options: {} },
  serve: {
    operands: ["STORE[::PATH]"],
    options: { port: text, host: text, open: flag, cors: list, allow: list },
  },
} as const;

export type CommandName = keyof typeof COMMANDS;

export interface CommandLine {
  readonly command: CommandName;
  readonly operands: readonly string[];
  /** The given options by name. */
  readonly options: ReadonlyMap<string, OptionValue>;
}

/** True for a flag; a list for an option that may be repeated. */
type OptionValue = string | true | readonly string[];

export function textOf({ options }: Pick<CommandLine, "options">, name: string): string | undefined {
  const value = options.get(name);
  return typeof value === "string" ? value : undefined;
}

/** The values of an option that may be repeated; empty unless it is given. */
export function listOf({ options }: Pick<CommandLine, "options">, name: string): readonly string[] {
  const value = options.get(name);
  return typeof value === "object" ? value : [];
}

/** @throws UsageError for an unknown command or option, and a wrong number of arguments */
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
  known: Readonly<Record<string, { readonly type: "string" | "boolean"; readonly multiple?: boolean }>>,
): { values: Map<string, OptionValue>; positionals: string[] } {
  const values = new Map<string, OptionValue>();
  try {
    const parsed = parseArgs({ args: attachNegatives(args, known), options: known, allowPositionals: true });
    for (const [name, value] of Object.entries(parsed.values)) {
      if (typeof value === "string" || value === true) values.set(name, value);
      else if (Array.isArray(value)) values.set(name, value.map(String));
    }
    return { values, positionals: parsed.positionals };
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error));
  }
}

/** Turns `--select -5:` into `--select=-5:`, because parseArgs would take a value that begins with a dash for an option. */
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

export const USAGE = `wazarr: Zarr v2, v3 and the 2020 draft on the command line

  wazarr info   STORE [PATH] [--json]            metadata of an array or a group; dimensions, coordinates and variables of a data set
  wazarr tree   STORE [PATH] [--json]            what is in a hierarchy
  wazarr get    STORE [PATH] [--select "0:10,::2,5"] --out FILE.npy | FILE.json | -
                                                 elements of an array; - prints JSON. --select also takes labels of named
                                                 dimensions: "time=2026-08-01,lat=40:60", both ends included
  wazarr put    FILE.npy STORE [PATH] [layout options]
                                                 an array from an npy file
  wazarr copy   SRC[::PATH] DST[::PATH] [layout options] [--resume] [--max-memory 500MB] [--dry-run]
                                                 an array or a whole hierarchy; converts format, chunks, codecs. --resume goes on
                                                 with a copy that was interrupted, --dry-run prints what is going to be done;
                                                 both are for targets that are directories
  wazarr verify STORE [PATH] [--against DST[::PATH]] [--clean]
                                                 decodes every chunk, checks every checksum, or compares every element
                                                 with another array or hierarchy; says how many chunks are stored; --clean removes what
                                                 writers that were killed left in a directory; nobody may be writing there
  wazarr consolidate STORE                       writes the consolidated metadata of a hierarchy, which stores without listing (HTTP)
                                                 need; again after nodes were created or deleted
  wazarr serve  STORE[::PATH] [--port N] [--host ADDRESS] [--cors ORIGIN] [--open]
                                                 serves the arrays and groups of a store to browsers, with a viewer; --open shows it.
                                                 Read only, at this machine's own address unless --host says otherwise. --cors lets
                                                 pages of another origin read, such as https://example.com, or * for all; it may be
                                                 repeated

  wazarr --help | --version

STORE is a directory, a .zip, a reference document of kerchunk (.json), an Icechunk repository (a directory, or icechunk:URL), or an
http(s) URL. PATH is the path of a node in it, "/" unless given.

  --allow PREFIX             of all but put: a directory, file or URL of this machine that a reference document, an Icechunk
                             repository or a link in it may name. Unless given, they name files below their own folder only.
                             It may be repeated

layout options
  --zarr-format 2|3|draft
  --chunks 64,64             chunk shape
  --shards 256,256           shard shape; --chunks are then the chunks inside
  --codecs zstd:5            names with commas between, with their level: shuffle,zstd:5; put: zstd unless given, [] for none
  --codecs JSON              as the format has it, with every setting. v3: the list of codecs; v2: {"filters": [...], "compressor": {...}};
                             draft: the compressor object
  --fill-value JSON          as the format has it: 0, "NaN", null
  --order C|F                memory layout of a chunk
  --endian little|big        byte order of stored elements
  --dimension-names y,x
  --attributes JSON
  --overwrite                replace what is there
  --concurrency N            chunks under way at once
  --workers N                of copy: decode and encode on N other cores
  --max-memory SIZE          of copy: what it may take beyond the program itself: bytes, or 500MB, 2GiB; 256MiB unless given
  --quiet                    no progress on the terminal, and no notes

Exit status: 0 done; 1 bad data, one line per problem on standard error; 2 wrong usage.
`;
