/** The chunk key encodings of zarr-extensions that few arrays have. */
import type { ChunkKeyEncodingEntry } from "../chunk-key-encodings.js";
import { prefix, suffix } from "./affixes.js";
import { fanout } from "./fanout.js";
import { template } from "./template.js";

export const further: readonly ChunkKeyEncodingEntry[] = [suffix, prefix, fanout, template];
