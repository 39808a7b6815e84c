/** Nodes of v2 and of the 2020 draft, and what is said of none: loaded where there is no `zarr.json` of v3. */
import { NotFoundError } from "../errors.js";
import { keyBelow } from "../metadata/path.js";
import { describeStore } from "./describe-store.js";
import type { Location } from "./location.js";
import type { Node } from "./nodes.js";
import type { OpenOptions } from "./open.js";
import { readV2 } from "./v2.js";
import { toNode } from "./zarr-json.js";

/** How nodes of a format are found, and under which keys for error messages. */
interface Format {
  read(location: Location, options: OpenOptions): Promise<Node | undefined>;
  keys(location: Location): readonly string[];
}

const DRAFT: Format = {
  async read(location, options) {
    const { openIfDraft } = await import("./draft/open.js");
    return openIfDraft(location, options);
  },
  keys: () => ["/zarr.json of the 2020 draft"],
};

const FORMATS = {
  v2: {
    async read(location, options) {
      const metadata = await readV2(location, options.kind, options.attrs ?? true, options);
      return metadata && toNode(location, metadata, options);
    },
    keys: ({ path }) => [".zarray", ".zgroup"].map((name) => keyBelow(path, name)),
  },
  draft: DRAFT,
  /** Nodes of the draft that nothing is known about; at the root, its entry point was looked for as `zarr.json` of v3. */
  draftBelowRoot: {
    read: async (location, options) => (location.path === "/" ? undefined : DRAFT.read(location, options)),
    keys: (location) => (location.path === "/" ? [] : DRAFT.keys(location)),
  },
} as const satisfies Record<string, Format>;
export type FormatName = keyof typeof FORMATS;

/**
 * The node, in the first of the formats that has it.
 * @param sought keys that were looked for before
 * @throws NotFoundError naming the keys
 */
export async function openFirst(
  location: Location,
  options: OpenOptions,
  names: readonly FormatName[],
  sought: readonly string[],
): Promise<Node> {
  const formats: readonly Format[] = names.map((name) => FORMATS[name]);
  for (const format of formats) {
    const node = await format.read(location, options);
    if (node !== undefined) return node;
  }
  const keys = [...sought, ...formats.flatMap((format) => format.keys(location))];
  throw new NotFoundError(
    `no Zarr ${options.kind ?? "array or group"} in ${describeStore(location.store)}: looked for ${keys.join(", ")}`,
    { path: location.path },
  );
}
