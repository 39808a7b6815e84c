/**
 * GRIB of both editions: the messages of a file as the chunks of variables, named as cfgrib names them. Only their
 * headers are read: where the messages are says each of them, or an index beside the file (sidecar.ts).
 */
import { StoreError } from "../../errors.js";
import { forEach } from "../../engine/concurrency.js";
import type { JsonObject } from "../../metadata/json.js";
import type { VirtualFormat } from "../port.js";
import { readFirstEditionField } from "./edition-1.js";
import { readFields } from "./edition-2.js";
import type { GribField } from "./field.js";
import { GribBytes, type GribMessage, readMessage, scanMessages } from "./messages.js";
import { variablesOf } from "./variables.js";

export const grib: VirtualFormat = {
  async open(file) {
    const bytes = new GribBytes(file);
    const fields: GribField[] = [];
    for await (const message of scanMessages(bytes)) fields.push(...(await fieldsOf(bytes, message)));
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

async function fieldsOf(bytes: GribBytes, message: GribMessage): Promise<GribField[]> {
  if (message.edition === 1) return [await readFirstEditionField(bytes, message)];
  const fields: GribField[] = [];
  for await (const field of readFields(bytes, message)) fields.push(field);
  return fields;
}
