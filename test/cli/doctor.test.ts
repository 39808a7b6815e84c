/** `wazarr doctor`, of servers that do one thing wrong each, and of data that do. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { httpFindings } from "../../src/cli/doctor/answers.js";
import { chunkFindings, codecFindings } from "../../src/cli/doctor/data.js";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { writeMultiscale } from "../../src/formats/ome-zarr.js";
import { consolidateMetadata, create, open, root, set } from "../../src/index.js";
import { packZip } from "../../src/stores/zip/zip.js";
import { runHere } from "../setup/command-line.js";
import { DATA } from "./use-command-line.js";

type Values = ReadonlyMap<string, Uint8Array>;
type Header = readonly [name: string, value: string];

/** What a server does; a good one unless a member says otherwise. */
interface Manners {
  /** Headers of every answer. */
  readonly headers?: readonly Header[];
  readonly answersRanges?: boolean;
  readonly missingStatus?: number;
  /** Answers a page of HTML for each path, or for those that are not there. */
  readonly pages?: "always" | "missing";
  /** Compresses documents, and chunks if "all". */
  readonly gzip?: "documents" | "all";
  readonly preflightStatus?: number;
}

const CORS: readonly Header[] = [
  ["access-control-allow-origin", "*"],
  ["access-control-allow-headers", "Range"],
  ["access-control-expose-headers", "ETag, Content-Range"],
];

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

function answer(values: Values, manners: Manners, request: IncomingMessage, response: ServerResponse): void {
  const { headers = CORS, answersRanges = true, missingStatus = 404, pages, gzip } = manners;
  for (const [name, value] of headers) response.setHeader(name, value);
  const key = new URL(request.url ?? "", "http://x").pathname;
  const value = values.get(key);
  if (request.method === "OPTIONS") response.writeHead(manners.preflightStatus ?? 204).end();
  else if (pages === "always" || (value === undefined && pages !== undefined))
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>");
  else if (value === undefined) response.writeHead(missingStatus).end();
  else {
    const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
    if (answersRanges && from + to !== "") {
      const start = from === "" ? value.length - Number(to) : Number(from);
      const end = from === "" ? value.length : Math.min(value.length, Number(to) + 1);
      response.writeHead(206, { "content-range": `bytes ${start}-${end - 1}/${value.length}` });
      response.end(value.subarray(start, end));
    } else if (gzip === "all" || (gzip === "documents" && /\.json$|\.z\w+$/.test(key)))
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(value));
    else response.end(value);
  }
}

async function serve(values: Values, manners: Manners = {}): Promise<string> {
  const server = createServer((request, response) => answer(values, manners, request, response));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/data`;
}

/** A group with an array of 4 chunks; the values as a server has them, below /data. */
async function hierarchy({ isSharded = false, isStale = false } = {}): Promise<Values> {
  const values = new Map<string, Uint8Array>();
  await create(values);
  const layout = isSharded ? { chunkShape: [64, 64], shards: [128, 128] } : { chunkShape: [128, 128] };
  const a = await create(root(values).resolve("a"), {
    shape: [256, 256],
    dtype: "float64",
    codecs: [],
    ...layout,
  });
  await set(a, null, 5);
  await consolidateMetadata(values);
  if (isStale) {
    const now = JSON.parse(new TextDecoder().decode(values.get("/a/zarr.json")));
    values.set("/a/zarr.json", new TextEncoder().encode(JSON.stringify({ ...now, attributes: { new: 1 } })));
  }
  return new Map(Array.from(values, ([key, value]) => [`/data${key}`, value]));
}

/** What the doctor says, line by line, and its exit status. */
async function examined(...args: readonly string[]) {
  const { status, stdout, stderr } = await runHere("doctor", ...args);
  expect(stderr).toBe("");
  return { status, lines: stdout.trimEnd().split("\n") };
}

/** The lines that are not "ok". */
const wrong = (lines: readonly string[]): string[] => lines.filter((line) => !line.startsWith("ok "));

/** The one advice that every server of these tests gets: it has no certificate. */
const PLAIN = expect.stringMatching(/^advice {3}HTTP: not encrypted; serve https/);

describe("servers", () => {
  test("a good one: nothing is in the way, and every check says so", async () => {
    const { status, lines } = await examined(await serve(await hierarchy()));
    expect({ status, lines }).toEqual({
      status: 0,
      lines: [
        "ok       CORS: pages of https://example.com may read",
        "ok       preflight: the header Range is allowed",
        "ok       ranges: 206 with Content-Range",
        "ok       missing keys: 404",
        expect.stringMatching(/^ok {7}compression: none, for a document of \d/),
        PLAIN,
        "ok       format: group, Zarr v3",
        "ok       consolidated metadata: of 2 documents, all up to date",
        expect.stringMatching(/^ok {7}first tile: 4 requests, 128\.\d KiB for the first chunk of \/a$/),
      ],
    });
  });

  test.each<readonly [name: string, manners: Manners, status: number, finding: RegExp]>([
    ["no CORS", { headers: [] }, 1, /^problem {2}CORS: no Access-Control-Allow-Origin .*docs\/cors\.md/],
    [
      "CORS for another origin",
      { headers: [["access-control-allow-origin", "https://other.example"]] },
      1,
      /^problem {2}CORS: Access-Control-Allow-Origin is https:\/\/other\.example, not https:\/\/example\.com;/,
    ],
    [
      "headers that are hidden",
      { headers: CORS.slice(0, 2) },
      0,
      /^advice {3}CORS: .* not the headers ETag and Content-Range; add Access-Control-Expose-Headers/,
    ],
    [
      "a preflight without Range",
      { headers: [...CORS.slice(0, 1), ...CORS.slice(2)] },
      0,
      /^advice {3}preflight: .*Range/,
    ],
    ["a preflight that is refused", { preflightStatus: 405 }, 0, /^advice {3}preflight: OPTIONS .* 405;/],
    ["no ranges", { answersRanges: false }, 0, /^advice {3}ranges: Range is ignored, .*these data do not$/],
    ["403 for missing keys", { missingStatus: 403 }, 1, /^problem {2}missing keys: 403 .*s3:ListBucket/],
    ["500 for missing keys", { missingStatus: 500 }, 1, /^problem {2}missing keys: 500 /],
    ["HTML for missing keys", { pages: "missing" }, 1, /^problem {2}missing keys: 200 with an HTML page /],
    ["compressed chunks", { gzip: "all" }, 0, /^advice {3}compression: chunks are sent with .* gzip;/],
  ])("%s", async (_, manners, status, finding) => {
    const found = await examined(await serve(await hierarchy(), manners));
    expect(wrong(found.lines)).toContainEqual(expect.stringMatching(finding));
    expect(found.status).toBe(status);
  });

  test("a server that says why it refuses", async () => {
    const server = createServer((_, response) => response.writeHead(403).end("serve with --cors ORIGIN\n"));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const { status, lines } = await examined(`http://127.0.0.1:${address.port}/data`);
    expect(status).toBe(1);
    expect(wrong(lines)).toContainEqual(
      "problem  metadata: status 403; the server says: serve with --cors ORIGIN",
    );
  });

  test("HTML for everything", async () => {
    const { status, lines } = await examined(await serve(await hierarchy(), { pages: "always" }));
    expect(status).toBe(1);
    expect(lines).toContainEqual(expect.stringMatching(/^problem {2}HTML: .*check the address/));
    expect(lines).toContainEqual(
      expect.stringMatching(/^problem {2}open: .*; the server answered with an HTML page: check the URL/),
    );
  });

  test("ranges stand in the way of shards alone", async () => {
    const { status, lines } = await examined(
      await serve(await hierarchy({ isSharded: true }), { answersRanges: false }),
    );
    expect(status).toBe(1);
    expect(wrong(lines)).toContainEqual(expect.stringMatching(/^problem {2}ranges: Range is ignored/));
    const good = await examined(await serve(await hierarchy({ isSharded: true })));
    expect(good.status).toBe(0);
    expect(good.lines.at(-1)).toMatch(
      /^ok {7}first tile: 5 requests, 3\d\.\d KiB for the first chunk of \/a$/,
    );
  });

  test("documents that are compressed, and long ones that are not", async () => {
    const values = new Map(await hierarchy());
    const gzip = await examined(await serve(values, { gzip: "documents" }));
    expect(gzip.lines).toContain("ok       compression: documents are sent with gzip");
    expect(wrong(gzip.lines)).toEqual([PLAIN]);
    const long = JSON.parse(new TextDecoder().decode(values.get("/data/a/zarr.json")));
    long.attributes = { history: "x".repeat(20_000) };
    values.set("/data/a/zarr.json", new TextEncoder().encode(JSON.stringify(long)));
    const { lines } = await examined(await serve(values), "/a");
    expect(wrong(lines)).toEqual([
      expect.stringMatching(/^advice {3}compression: none, for a .* 19\.\d KiB;/),
      PLAIN,
    ]);
  });

  test("no answer, a missing node, and what is told of an address", async () => {
    const gone = await examined("http://user:secret@127.0.0.1:9/data?sig=secret");
    expect(gone.status).toBe(1);
    expect(gone.lines).toEqual([
      expect.stringMatching(/^problem {2}no answer from [^;]*; check the address and the network$/),
    ]);
    const archive = await examined("http://127.0.0.1:9/data|icechunk:");
    expect(archive.lines[1]).toMatch(/^problem {2}open: no answer [^;]*; check the address, [^;]*CORS[^;]*$/);
    const unnamed = await examined("az://container/data");
    expect(unnamed.lines[1]).toMatch(/^problem {2}open: az:\/\/container [^;]*; write abfs:\/\//);
    expect(gone.lines.join()).not.toContain("secret");
    const url = await serve(await hierarchy());
    const missing = await examined(`${url}?sig=secret`, "/b");
    expect(missing.status).toBe(1);
    expect(missing.lines).toContainEqual(expect.stringMatching(/^problem {2}metadata: status 404;/));
    expect(missing.lines.join()).not.toContain("secret");
  });

  test("an archive: the file itself is asked, which has to answer ranges", async () => {
    const store = new Map(
      Array.from(await hierarchy(), ([key, value]) => [key.slice("/data".length), value]),
    );
    const parts: Uint8Array[] = [];
    for await (const part of packZip(store)) parts.push(part);
    const values = new Map(["/data.zip", "/data.ozx"].map((key) => [key, Buffer.concat(parts)]));
    const good = await examined(`${await serve(values)}.zip`);
    expect({ ...good, wrong: wrong(good.lines) }).toMatchObject({ status: 0, wrong: [PLAIN] });
    expect(good.lines.at(-1)).toMatch(/^ok {7}first tile: \d+ reads, /);
    const { status, lines } = await examined(`${await serve(values, { answersRanges: false })}.ozx`);
    expect(status).toBe(1);
    expect(lines).toContainEqual(expect.stringMatching(/^problem {2}ranges: Range is ignored/));
  });

  test("another page", async () => {
    const url = await serve(await hierarchy(), {
      headers: [["access-control-allow-origin", "https://maps.example"], ...CORS.slice(1)],
    });
    const { lines } = await examined(url, "--origin", "https://maps.example/");
    expect(lines).toContain("ok       CORS: pages of https://maps.example may read");
    expect((await runHere("doctor", url, "--origin", "maps")).status).toBe(2);
  });

  test("versions of HTTP", () => {
    const url = new URL("https://example.com/data");
    const levels = (protocol: string | undefined, altSvc: string | null) =>
      httpFindings(url, protocol, altSvc).map(({ level, what }) => `${level} ${what}`);
    expect(levels("h2", null)).toEqual(["ok HTTP: version 2"]);
    expect(levels("h2", 'h3=":443"')).toEqual(["ok HTTP: version 2, and 3"]);
    expect(levels("http/1.1", null)).toEqual([
      "advice HTTP: version 1.1, on which a browser makes 6 connections",
    ]);
    expect(levels(undefined, null)).toEqual([]);
  });
});

interface Layout {
  readonly shape: readonly number[];
  readonly dtype: "uint8" | "float32" | "string";
  readonly chunkShape: readonly number[];
  readonly shards?: readonly number[];
}

describe("data", () => {
  test("the example, in its folder and behind a server", async () => {
    const folder = await examined(DATA);
    expect(folder.status).toBe(0);
    expect(folder.lines[0]).toBe("ok       format: group, Zarr v3");
    expect(folder.lines).toContainEqual(
      expect.stringMatching(/^ok {7}first tile: \d+ reads?, .* \/elevation$/),
    );
    const { status, lines } = await examined(await serve(example()), "/elevation");
    expect(status).toBe(0);
    expect(lines).toContainEqual(expect.stringMatching(/^ok {7}first tile: \d+ requests?, .* \/elevation$/));
  });

  test("for programs", async () => {
    const { status, stdout } = await runHere("doctor", await serve(example(), { headers: [] }), "--json");
    expect(status).toBe(1);
    const { findings, path } = JSON.parse(stdout);
    expect(path).toBe("/");
    expect(findings).toContainEqual({ level: "ok", what: "missing keys: 404", advice: null });
  });

  test("consolidated metadata that are not true", async () => {
    const { status, lines } = await examined(await serve(await hierarchy({ isStale: true })));
    expect(status).toBe(1);
    expect(wrong(lines)).toContainEqual(
      "problem  consolidated metadata: of 2 documents, 1 out of date: /a/zarr.json; run wazarr consolidate to update them",
    );
  });

  test("none, of a group that cannot be listed: an array can be named", async () => {
    const values = new Map(await hierarchy());
    values.set("/data/zarr.json", new TextEncoder().encode('{"zarr_format":3,"node_type":"group"}'));
    const url = await serve(values);
    const group = await examined(url);
    expect(wrong(group.lines)).toEqual([
      PLAIN,
      expect.stringMatching(/^advice {3}consolidated metadata: none; run wazarr consolidate/),
      expect.stringMatching(/^advice {3}first tile: not checked, .*wazarr doctor STORE PATH$/),
    ]);
    expect(group.status).toBe(0);
    expect(wrong((await examined(url, "/a")).lines)).toEqual([PLAIN]);
  });

  test("the smallest level of an image", async () => {
    const folder = mkdtempSync(join(tmpdir(), "wazarr-doctor-"));
    try {
      const data = await create(new Map(), { shape: [64, 64], dtype: "uint8" });
      await writeMultiscale(new FileSystemStore(folder), data, { axes: ["y", "x"] });
      const { status, lines } = await examined(folder);
      expect({ status, wrong: wrong(lines) }).toEqual({
        status: 0,
        wrong: [expect.stringMatching(/^advice {3}consolidated metadata: none/)],
      });
      expect(lines.at(-1)).toMatch(/^ok {7}first tile: \d+ reads, .* \/2, which is not stored/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("codecs that nobody reads, also inside shards, and whose names have line ends", async () => {
    const values = new Map(await hierarchy({ isSharded: true }));
    const document = JSON.parse(new TextDecoder().decode(values.get("/data/a/zarr.json")));
    document.codecs[0].configuration.codecs.push({ name: "odd\n\u001b[2Jok       fine", configuration: {} });
    values.set("/data/a/zarr.json", new TextEncoder().encode(JSON.stringify(document)));
    const { status, lines } = await examined(await serve(values), "/a");
    expect(status).toBe(1);
    expect(wrong(lines)).toContainEqual(
      expect.stringMatching(
        /^problem {2}codecs: \/a uses odd \\u001b\[2Jok fine, which wazarr does not read; /,
      ),
    );
    expect(lines.filter((line) => !/^(ok|advice|problem) /.test(line))).toEqual([]);
  });

  test.each<readonly [layout: Layout, encoded: number | undefined, findings: readonly RegExp[]]>([
    [{ shape: [512, 512], dtype: "uint8", chunkShape: [256, 256] }, undefined, []],
    [{ shape: [512, 512], dtype: "uint8", chunkShape: [256, 256] }, 9000, [/ 8\.8 KiB encoded: .*--shards/]],
    [
      { shape: [512, 512], dtype: "uint8", chunkShape: [64, 64] },
      undefined,
      [/ 4\.0 KiB decoded: .*--shards/],
    ],
    // A single small chunk is no fault.
    [{ shape: [64, 64], dtype: "uint8", chunkShape: [64, 64] }, 100, []],
    [
      { shape: [9000, 9000], dtype: "float32", chunkShape: [3000, 3000] },
      undefined,
      [/ 34\.3 MiB decoded, /],
    ],
    [
      { shape: [32768, 32768], dtype: "uint8", chunkShape: [128, 128], shards: [32768, 32768] },
      20_000,
      [/ 65536 inner chunks in a shard: an index of 1\.0 MiB /],
    ],
    // Of variable length: nobody knows.
    [{ shape: [10, 10], dtype: "string", chunkShape: [5, 5] }, undefined, []],
  ])("sizes %j, %j encoded", async (layout, encoded, findings) => {
    const array = await create(new Map(), layout);
    expect(chunkFindings(array, encoded).map(({ what, advice }) => `${what}; ${advice}`)).toEqual(
      findings.map((finding) => expect.stringMatching(finding)),
    );
  });

  test("codecs that are slow", async () => {
    const store = new Map([
      [
        "/.zarray",
        new TextEncoder().encode(
          '{"zarr_format":2,"shape":[4],"chunks":[4],"dtype":"|u1","fill_value":0,"order":"C","filters":null,"compressor":{"id":"bz2","level":1}}',
        ),
      ],
    ]);
    const [finding, ...others] = codecFindings(await open(root(store), { kind: "array" }));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ level: "advice", advice: expect.stringContaining("--codecs zstd") });
  });
});

/** The files of the example, as a server has them, below /data. */
function example(): Values {
  const names = readdirSync(DATA, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => statSync(join(DATA, name)).isFile());
  return new Map(files.map((name) => [`/data/${name.split(sep).join("/")}`, readFileSync(join(DATA, name))]));
}
