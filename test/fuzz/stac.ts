/**
 * Mutations of documents of STAC: values of their JSON are exchanged for others. Whatever such a document says,
 * it is read or refused with an error of wazarr, and what it names is an address or an error, too.
 */
import { readdirSync, readFileSync } from "node:fs";
import { isZarrError } from "../../src/index.js";
import { parseAddress } from "../../src/stores/addresses/addresses.js";
import { chooseAsset, namedAsset } from "../../src/stores/stac/choose.js";
import { isStac, parseStac } from "../../src/stores/stac/document.js";
import { type Random, random } from "./mutate.js";

const FOLDER = "test/fixtures/stac";
const DOCUMENTS: readonly unknown[] = readdirSync(FOLDER)
  .filter((name) => name !== "expected.json")
  .map((name) => JSON.parse(readFileSync(`${FOLDER}/${name}`, "utf8")));

const JUNK: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    "",
    "data",
    "s3",
    [],
    {},
    [[]],
    [null, 1],
    { href: 1 },
    [["data"]],
  ],
  ...["x".repeat(5000), "__proto__", "constructor", "a|b", "|", "%", "../..", "//", "a\0b", "\ud800"],
  ...[
    "s3://",
    "s3://b",
    "http://[",
    "https://h/a|zip:|x:",
    "zip::s3://b/a",
    "abfs://c@",
    "c:\\x",
    "file:///etc",
  ],
  ...[
    "application/vnd+zarr",
    "image/tiff; a=b",
    "kerchunk",
    "2.0.0",
    "1.1.0",
    "FeatureCollection",
    "Feature",
  ],
  { __proto__: null, account_name: "evil.com/#", region: "x@localhost/", endpoint_url: "file:///etc" },
];
/** Characters of an error: what a document says does not fill a screen. */
const LONGEST_MESSAGE = 12_000;

/** @throws Error with the document at the first one that fails with another error than wazarr's */
export function fuzzStac(inputs: number, seed: number): { inputs: number; accepted: number } {
  const next = random(seed);
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  let accepted = 0;
  for (let i = 0; i < inputs; i++) {
    const document = structuredClone(DOCUMENTS[next(DOCUMENTS.length)]);
    for (let changes = next(6); changes > 0; changes--) change(document, next);
    try {
      if (readDocument(document)) accepted++;
    } catch (cause) {
      throw new Error(`seed ${seed}, input ${i}: ${JSON.stringify(document)}`, { cause });
    }
  }
  Error.stackTraceLimit = stackTraceLimit;
  return { inputs, accepted };
}

/** @returns whether some asset can be opened */
function readDocument(json: unknown): boolean {
  isStac(json);
  const document = typed(() => parseStac(json, "s3://bucket/folder/item.json"));
  if (document === undefined) return false;
  typed(() => chooseAsset(document, "", "item.json"));
  for (const { key, address, alternates } of document.assets) {
    typed(() => namedAsset(document, key, "item.json"));
    for (const each of [address, ...alternates.map((other) => other.address)])
      if (each !== undefined) typed(() => parseAddress(each));
  }
  return document.assets.some(({ address }) => address !== undefined);
}

function typed<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch (error) {
    if (!isZarrError(error)) throw error;
    if (error.message.length > LONGEST_MESSAGE) throw new Error("a long message", { cause: error });
    return undefined;
  }
}

/** Walks down to a value and exchanges it. */
function change(value: unknown, next: Random): void {
  let place = value;
  while (typeof place === "object" && place !== null) {
    const keys = Object.keys(place);
    if (keys.length === 0) return;
    const key = keys[next(keys.length)] ?? "";
    const below: unknown = Reflect.get(place, key);
    if (typeof below === "object" && below !== null && next(5) > 0) {
      place = below;
      continue;
    }
    if (next(8) === 0) Reflect.deleteProperty(place, key);
    else
      Reflect.set(
        place,
        next(12) === 0 ? JSON.stringify(JUNK[next(JUNK.length)]) : key,
        JUNK[next(JUNK.length)],
      );
    return;
  }
}
