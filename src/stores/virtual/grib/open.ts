/**
 * GRIB of both editions: the messages of a file as the chunks of variables, named as cfgrib names them. Only
 * their headers are read. Each message says where the next one is, or an index says it of all (sidecar.ts).
 */
import { StoreError } from "../../../core/for-stores.js";
import type { VirtualFormat } from "../port.js";
import { readFirstEditionField } from "./edition-1.js";
import { readFields } from "./edition-2.js";
import type { GribField } from "./field.js";
import { GribBytes, type GribMessage, readMessage, scanMessages } from "./messages.js";
import { readOffsets } from "./sidecar.js";
import { variablesOf } from "./variables.js";

/** Headers that are read at the same time. */
const AT_ONCE = 64;

export const grib: VirtualFormat = {
  async open(file, { index, signal } = {}) {
    const bytes = new GribBytes(file);
    const fields =
      index === undefined
        ? await scan(bytes, signal)
        : await readListed(bytes, readOffsets(index, file.name), signal);
    const [first] = fields;
    if (first === undefined) throw new StoreError(`${file.name}: expected GRIB messages, got none`);
    const variables = variablesOf(fields);
    const attributes = { GRIB_edition: first.edition, GRIB_centre: first.centre, Conventions: "CF-1.7" };
    return {
      kind: "group",
      document: async () => ({ zarr_format: 3, node_type: "group", attributes }),
      names: async () => [...variables.keys()],
      child: async (name) => variables.get(name),
    };
  },
};

async function scan(bytes: GribBytes, signal: AbortSignal | undefined): Promise<GribField[]> {
  const fields: GribField[] = [];
  for await (const message of scanMessages(bytes)) {
    signal?.throwIfAborted();
    fields.push(...(await fieldsOf(bytes, message)));
  }
  return fields;
}

async function readListed(
  bytes: GribBytes,
  offsets: readonly number[],
  signal: AbortSignal | undefined,
): Promise<GribField[]> {
  const fields: GribField[] = [];
  for (let start = 0; start < offsets.length; start += AT_ONCE) {
    signal?.throwIfAborted();
    const batch = offsets.slice(start, start + AT_ONCE);
    const read = batch.map(async (offset) => fieldsOf(bytes, await readMessage(bytes, offset)));
    fields.push(...(await Promise.all(read)).flat());
  }
  return fields;
}

async function fieldsOf(bytes: GribBytes, message: GribMessage): Promise<GribField[]> {
  if (message.edition === 1) return [await readFirstEditionField(bytes, message)];
  const fields: GribField[] = [];
  for await (const field of readFields(bytes, message)) fields.push(field);
  return fields;
}
