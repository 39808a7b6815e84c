import { expect } from "vitest";
import type { DataType, Endian, ZarrFormat } from "../../src/data-types/data-type.js";
import type { Json } from "../../src/metadata/json.js";

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
export function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

/** The element in memory order, as hexadecimal digits. */
export function written(type: DataType, scalar: unknown): string {
  const bytes = new Uint8Array(type.itemSize).fill(0xee);
  type.writeScalar(scalar, bytes);
  return toHex(bytes);
}

/** A fill value as the element it stands for, and as it is written again. */
export function roundTrip(
  type: DataType,
  json: Json,
  zarrFormat: ZarrFormat,
  endian?: Endian,
): [string, Json] {
  const scalar = type.scalarFromJson(json, zarrFormat, endian);
  return [written(type, scalar), type.scalarToJson(scalar, zarrFormat, endian)];
}

export const invalid = (message: string): unknown =>
  expect.objectContaining({ tag: "InvalidMetadataError", message: expect.stringContaining(message) });
export const unfit = (message: string): unknown =>
  expect.objectContaining({ tag: "InvalidArgumentError", message: expect.stringContaining(message) });
