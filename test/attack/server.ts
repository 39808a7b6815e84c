/** HTTP servers that answer anything: what is read is right, or it is an error of wazarr's, and it ends. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { HttpStore } from "../../src/core/stores/http/http.js";
import { create, get, isZarrError, open, set } from "../../src/index.js";
import type { Campaign, Row } from "./campaign.js";

interface Answer {
  readonly value: Buffer | undefined;
  readonly range: { readonly start: number; readonly end: number } | undefined;
}
type Attack = (
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  random: () => number,
) => void;

const PIECE = Buffer.alloc(64 << 10, 32);
/** Bytes that an endless body has in the end. */
const PATIENCE = 256 << 20;

function honest(response: ServerResponse, { value, range }: Answer): void {
  if (value === undefined) response.writeHead(404).end();
  else if (range === undefined) response.writeHead(200, { "content-length": value.length }).end(value);
  else {
    const part = value.subarray(range.start, range.end);
    const contentRange = `bytes ${range.start}-${range.end - 1}/${value.length}`;
    response.writeHead(206, { "content-range": contentRange, "content-length": part.length }).end(part);
  }
}

const pick = <T>(random: () => number, ...from: readonly T[]): T | undefined =>
  from[Math.floor(random() * from.length)];

const ATTACKS: Readonly<Record<string, Attack>> = {
  "endless bodies"(_request, response, { range }) {
    let sent = 0;
    response.writeHead(range ? 206 : 200, range ? { "content-range": `bytes 0-${PATIENCE}/*` } : {});
    const more = (): void => {
      while (!response.destroyed && sent < PATIENCE) {
        sent += PIECE.length;
        if (!response.write(PIECE)) {
          response.once("drain", more);
          return;
        }
      }
      response.end();
    };
    more();
  },
  "wrong lengths"(_request, response, { value = Buffer.alloc(9) }, random) {
    const length = Math.max(0, value.length + Math.floor(random() * 40) - 20);
    const body = value.subarray(0, Math.floor(random() * (value.length + 1)));
    response.writeHead(200, { "content-length": length });
    response.end(body);
    if (body.length < length) response.destroy();
  },
  "wrong ranges"(_request, response, { value = Buffer.alloc(9) }, random) {
    const numbers = Array.from({ length: 3 }, () =>
      pick(random, "0", "7", "-1", "x", "99999999999999999999", ""),
    );
    const [start, end, total] = numbers;
    response.writeHead(206, { "content-range": `bytes ${start}-${end}/${total}` });
    response.end(value.subarray(Math.floor(random() * value.length)));
  },
  resets(_request, response, answer, random) {
    if (random() < 0.5) response.destroy();
    else {
      response.writeHead(200, { "content-length": 1000 });
      response.write((answer.value ?? PIECE).subarray(0, 10));
      setTimeout(() => response.destroy(), 1);
    }
  },
  redirects(request, response, _answer, random) {
    const location = pick(
      random,
      request.url ?? "/",
      "/elsewhere",
      "file:///etc/passwd",
      "http://127.0.0.1:1/",
      "::",
    );
    response.writeHead(pick(random, 301, 302, 307, 308) ?? 302, { location }).end();
  },
  "wrong encodings"(_request, response, { value = Buffer.alloc(9) }, random) {
    response.writeHead(200, { "content-encoding": pick(random, "gzip", "br", "deflate", "x") });
    response.end(value);
  },
  statuses(_request, response, { value }, random) {
    response.writeHead(pick(random, 200, 204, 206, 304, 400, 403, 410, 416, 429, 500, 503) ?? 500).end(value);
  },
  slow(_request, response, answer, random) {
    if (random() < 0.3) return;
    setTimeout(() => honest(response, answer), random() * 20);
  },
};

const LENGTH = 64;
const EXPECTED = Int32Array.from({ length: LENGTH }, (_, i) => i + 1);
const LAYOUTS = [
  { chunkShape: [16], codecs: ["bytes", "crc32c"] },
  { chunkShape: [8], shards: [32], codecs: ["bytes", "crc32c"] },
] as const;

async function valuesOf(layout: (typeof LAYOUTS)[number]): Promise<ReadonlyMap<string, Uint8Array>> {
  const store = new Map<string, Uint8Array>();
  const array = await create(store, {
    ...layout,
    codecs: [...layout.codecs],
    shape: [LENGTH],
    dtype: "int32",
  });
  await set(array, null, EXPECTED);
  return store;
}

function rangeOf(header: string | undefined, length: number): Answer["range"] {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined) return undefined;
  if (first === "") return { start: Math.max(0, length - Number(last)), end: length };
  return { start: Number(first), end: Math.min(length, last === "" ? length : Number(last) + 1) };
}

async function attacked(name: string, attack: Attack, until: number, random: () => number): Promise<Row> {
  const stores = await Promise.all(LAYOUTS.map(valuesOf));
  let values = stores[0];
  let often = 0;
  const server = createServer((request, response) => {
    const value = values?.get(request.url ?? "");
    const body = value && Buffer.from(value);
    const answer = { value: body, range: body && rangeOf(request.headers.range, body.length) };
    if (random() < often) attack(request, response, answer, random);
    else honest(response, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const broken: string[] = [];
  let [rounds, read, milliseconds] = [0, 0, 0];
  do {
    values = stores[rounds % stores.length];
    often = random();
    const begin = performance.now();
    try {
      const store = new HttpStore(`http://127.0.0.1:${port}`, { timeout: 200 });
      const { data } = await get(await open(store, { kind: "array" }));
      // A server may say that nothing is there, or say so by another status: fill values.
      const isRight = EXPECTED.every((value, i) => {
        const found = [...data][i];
        return found === value || found === 0;
      });
      if (!isRight) broken.push(`${name}: other elements`);
      read++;
    } catch (error) {
      if (!isZarrError(error)) broken.push(`${name}: ${String(error)}`);
    }
    milliseconds = Math.max(milliseconds, performance.now() - begin);
    rounds++;
  } while (performance.now() < until && broken.length < 10);
  server.closeAllConnections();
  server.close();
  return { attack: name, rounds, broken, figures: { read, "ms at most": Math.ceil(milliseconds) } };
}

export const server: Campaign = {
  name: "server",
  holds: "whatever a server answers, elements are right or missing, or it is an error",
  async run(until, random) {
    const rows: Row[] = [];
    const attacks = Object.entries(ATTACKS);
    for (const [i, [name, attack]] of attacks.entries()) {
      const end = performance.now() + (until - performance.now()) / (attacks.length - i);
      rows.push(await attacked(name, attack, end, random));
    }
    return rows;
  },
};
