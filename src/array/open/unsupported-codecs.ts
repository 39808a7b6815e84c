/** Which codecs the metadata of an array name, and which of them nobody has registered. */
import { registry } from "../../core/codecs/registry/registry.js";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../metadata/json.js";
import type { CodecMetadata } from "../../metadata/model.js";
import { checkArray } from "../nodes/check-arguments.js";
import type { ZarrArray } from "../nodes/nodes.js";

/**
 * The names of the codecs without which an array cannot be read: those that its metadata name and that
 * `registry` does not have. Empty if all are there. Loads nothing. Codecs inside others, as those of shards,
 * count; codecs that a reader may skip (`must_understand: false`) do not.
 */
export function unsupportedCodecs(array: ZarrArray<unknown>): string[] {
  checkArray(array);
  return codecNames(array.metadata.codecs).filter((name) => !registry.has(name));
}

/** The names of codecs and of those inside them, each once. */
export function codecNames(codecs: readonly CodecMetadata[]): string[] {
  const needed = codecs.filter(({ mustUnderstand }) => mustUnderstand !== false);
  return [...new Set(needed.flatMap(({ name, configuration }) => [name, ...namesInside(configuration)]))];
}

function namesInside(configuration: JsonObject): string[] {
  return Object.entries(configuration).flatMap(([member, value]) =>
    // `codecs` and `index_codecs` of shards, `data_codecs` and `mask_codecs` of zarrs' codecs.
    /(^|_)codecs$/.test(member) && isJsonArray(value) ? value.flatMap(namesOf) : [],
  );
}

function namesOf(codec: Json): string[] {
  if (typeof codec === "string") return [codec];
  if (!isJsonObject(codec) || typeof codec.name !== "string" || codec.must_understand === false) return [];
  return [codec.name, ...(isJsonObject(codec.configuration) ? namesInside(codec.configuration) : [])];
}
