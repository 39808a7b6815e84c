/**
 * Repositories that icechunk wrote (test/fixtures/icechunk-more.json, scripts/oracles/icechunk_oracle.py).
 */

import type { AbsolutePath } from "../../src/core/stores/store.js";
import type { OpenedFile } from "../../src/stores/references/reference.js";
import fixtures from "../fixtures/icechunk-more.json" with { type: "json" };

export const CASES = fixtures.cases;

const isKey = (key: string): key is AbsolutePath => key.startsWith("/");
const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

/** The files of a repository. */
export function filesOf(name: keyof typeof CASES): Map<AbsolutePath, Uint8Array> {
  const files = new Map<AbsolutePath, Uint8Array>();
  for (const [key, base64] of Object.entries(CASES[name].values))
    if (isKey(key)) files.set(key, bytesOf(base64));
  return files;
}

/** Of the virtual files: chunk i, of two elements, is in file i % FILES. */
const FILES = 250;
const HEADER = "GRB";

/** The elements of an array of virtual chunks: zarr-python read these. */
export const virtualValues = (chunks: number): Uint16Array =>
  Uint16Array.from({ length: 2 * chunks }, (_, i) => (i * 7919) % 65521);

/** The option `open` for an array of virtual chunks, with their files in memory; notes the addresses. */
export function openVirtual(
  chunks: number,
  home: string,
  opened: string[] = [],
): (address: string) => OpenedFile {
  const values = virtualValues(chunks);
  return (address) => {
    opened.push(address);
    const [, member, step] = /member-(\d{3})\/surface\.f(\d{5})\.grib2$/.exec(address) ?? [];
    const file = Number(member);
    if (!address.startsWith(home) || file !== Number(step)) throw new Error(`no such file: ${address}`);
    const elements: number[] = [];
    for (let i = file; i < chunks; i += FILES) elements.push(values[2 * i] ?? 0, values[2 * i + 1] ?? 0);
    const bytes = new Uint8Array([
      ...new TextEncoder().encode(HEADER),
      ...new Uint8Array(Uint16Array.from(elements).buffer),
    ]);
    return { store: new Map([["/file", bytes]]), key: "/file" };
  };
}

export const HOME = fixtures.home;
