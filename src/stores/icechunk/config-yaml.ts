/**
 * The file "config.yaml" of format 1, which says what "repo" of format 2 says: mappings as Icechunk writes
 * them, a member a line, some with a tag. Lines of other forms are left out.
 */

import { type AbsolutePath, checkBytes, type Json, type Readable } from "../../core/for-stores.js";

const KEY: AbsolutePath = "/config.yaml";
const MOST_BYTES = 1 << 20;

/** Undefined without such a file. @throws StoreError for one of more than 1 MiB */
export async function readConfig(store: Readable): Promise<Json | undefined> {
  const bytes = checkBytes(await store.get(KEY, { maximumBytes: MOST_BYTES }), KEY);
  return bytes && parseConfig(new TextDecoder().decode(bytes));
}

/** `key: value`, either of them in quotes or not; before the value may be a tag. */
const LINE = /^( *)('[^']*'|"[^"]*"|[^\s'"#-].*?):(?: +(?:!(\w+))? *(.*))?$/;
/** Levels that are read: a container's settings are at the fourth. */
const DEEPEST = 8;

type Members = Record<string, Json>;
/** Without a prototype: "__proto__" is a name like others. */
const noMembers = (): Members => Object.create(null);

export function parseConfig(text: string): Json {
  const root = noMembers();
  /** The mappings that a line may be in, the outermost first. */
  const open = [{ indent: -1, members: root }];
  for (const line of text.split(/\r?\n/)) {
    const [, spaces, key = "", tag, value = ""] = LINE.exec(line) ?? [];
    if (spaces === undefined) continue;
    while (open.length > 1 && (open.at(-1)?.indent ?? -1) >= spaces.length) open.pop();
    const members = open.at(-1)?.members ?? root;
    const inner = value === "" || value === "{}" ? noMembers() : undefined;
    const item = inner ?? scalarOf(value);
    members[unquoted(key)] = tag === undefined ? item : Object.assign(noMembers(), { [tag]: item });
    if (inner !== undefined && open.length < DEEPEST) open.push({ indent: spaces.length, members: inner });
  }
  return root;
}

/** Numbers stay strings: no container has any that is used. */
const scalarOf = (value: string): Json => (value === "null" || value === "~" ? null : unquoted(value));

const unquoted = (text: string): string => /^(['"])(.*)\1$/.exec(text)?.[2] ?? text;
