/** What a manifest of test/fixtures/draft-v3 says of a node, held against what wazarr makes of it. */
import { expect } from "vitest";
import { type Chunk, get, getChunk, type Node, registry, type Array as ZarrArray } from "../../src/index.js";
import type { ExpectedNode } from "../setup/draft-fixtures.js";
import { hexFromBytes } from "./elements.js";

export function typeOf(node: Node): ExpectedNode["type"] {
  if (node.kind === "array") return "array";
  return node.metadata.isImplicit ? "implicit_group" : "explicit_group";
}

/** All elements in C order, of arrays without dimensions too. */
export function elementsOf(array: ZarrArray): Promise<Chunk> {
  return array.shape.length === 0 ? getChunk(array, []) : get(array);
}

function plain(scalar: unknown): unknown {
  if (typeof scalar === "bigint") return String(scalar);
  if (scalar instanceof Uint8Array) return new TextDecoder().decode(scalar);
  if (typeof scalar === "object" && scalar !== null) return Object.values(scalar);
  return scalar;
}

export async function expectElements(array: ZarrArray, { expected }: ExpectedNode): Promise<void> {
  const { data } = await elementsOf(array);
  if (expected?.at !== undefined) {
    expect(String(await get(array, [...expected.at.index]))).toBe(expected.at.value);
  } else if (expected?.le_hex !== undefined) {
    const bytes = array.dataType.bytesOf(data);
    if (bytes === undefined) throw new Error(`no bytes of ${array.dtype}`);
    expect(hexFromBytes(bytes)).toBe(expected.le_hex);
  } else if (expected?.flat !== undefined) {
    expect(Array.from(data, plain)).toEqual(expected.flat);
  }
}

/** Codecs that a writer used and no codec is registered for: reading has to say so. */
export function unknownCodecs({ metadata }: ZarrArray): readonly string[] {
  return metadata.codecs.map(({ name }) => name).filter((name) => !registry.has(name));
}
