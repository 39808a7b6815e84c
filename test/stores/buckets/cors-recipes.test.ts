/**
 * The recipes of docs/cors.md: valid JSON, and the servers that are here take them and answer as pages need.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import { runHere } from "../../setup/command-line.js";
import { readOracles, warnLoudly } from "../../setup/oracles.js";
import { azureSas, serveAzure } from "./bucket-servers.js";
import { serveS3, sign } from "./s3.js";

const { versitygw, azurite } = readOracles();
if (!versitygw || !azurite) warnLoudly("No versitygw or Azurite: tests of their CORS rules are SKIPPED.");

/** The blocks of a language below a heading. */
function recipes(heading: string, language: string): readonly string[] {
  const page = readFileSync("docs/cors.md", "utf8");
  const section = page.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? "";
  return Array.from(
    section.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms")),
    ([, text = ""]) => text,
  );
}

const PREFLIGHT = {
  origin: "https://page.example",
  "access-control-request-method": "GET",
  "access-control-request-headers": "range",
};

/** Expects that a page may send suffix ranges, and that it sees version and range. */
async function expectPage(url: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const preflight = await fetch(url, { method: "OPTIONS", headers: PREFLIGHT });
  expect([200, 204]).toContain(preflight.status);
  expect(["*", PREFLIGHT.origin]).toContain(preflight.headers.get("access-control-allow-origin"));
  expect(preflight.headers.get("access-control-allow-headers")?.toLowerCase()).toContain("range");
  expect(preflight.headers.get("access-control-max-age")).toBe("86400");
  const answer = await fetch(url, { headers: { ...headers, origin: PREFLIGHT.origin, range: "bytes=0-1" } });
  expect(["*", PREFLIGHT.origin]).toContain(answer.headers.get("access-control-allow-origin"));
  const shown = answer.headers.get("access-control-expose-headers")?.toLowerCase();
  for (const name of ["etag", "content-range"]) expect(shown).toContain(name);
}

test("are JSON with the headers that pages need", () => {
  const all = ["Amazon S3", "Google Cloud Storage", "Cloudflare R2"].map((name) => recipes(name, "json"));
  expect(all.map(({ length }) => length)).toEqual([2, 1, 1]);
  for (const [rule = ""] of all) {
    expect(() => JSON.parse(rule)).not.toThrow();
    for (const name of ["Range", "ETag", "Content-Range", "GET", "HEAD", "86400"])
      expect(rule).toContain(name);
  }
  expect(JSON.parse(all[0]?.[1] ?? "").Statement).toHaveLength(2);
});

test.skipIf(!versitygw)(
  "S3: the Versity S3 Gateway takes the rule and answers by it",
  async () => {
    const server = await serveS3(versitygw?.executable ?? "");
    try {
      await server.put("/bucket", "");
      await server.put("/bucket/value", "0123456789");
      const [json = ""] = recipes("Amazon S3", "json");
      const lists: Readonly<Record<string, string>> = {
        AllowedOrigins: "AllowedOrigin",
        AllowedMethods: "AllowedMethod",
        AllowedHeaders: "AllowedHeader",
        ExposeHeaders: "ExposeHeader",
        MaxAgeSeconds: "MaxAgeSeconds",
      };
      const rules: readonly Record<string, string | readonly string[]>[] = JSON.parse(json).CORSRules;
      // As the command of AWS sends it.
      const inner = rules.map((rule) => {
        const members = Object.entries(rule).flatMap(([name, values]) =>
          [values].flat().map((value) => `<${lists[name]}>${value}</${lists[name]}>`),
        );
        return `<CORSRule>${members.join("")}</CORSRule>`;
      });
      const body = new TextEncoder().encode(
        `<CORSConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inner.join("")}</CORSConfiguration>`,
      );
      const url = new URL("/bucket?cors=", server.url);
      const md5 = createHash("md5").update(body).digest("base64");
      const headers = sign(server.root, {
        url,
        method: "PUT",
        body,
        headers: new Headers({ "content-md5": md5 }),
      });
      const answer = await fetch(url, { method: "PUT", headers, body });
      expect([answer.status, await answer.text()]).toEqual([200, ""]);
      const value = new URL("/bucket/value", server.url);
      const signed = sign(server.root, { url: value, method: "GET" });
      await expectPage(value.href, Object.fromEntries(signed));
    } finally {
      await server.close();
    }
  },
  30_000,
);

test.skipIf(!azurite)(
  "Azure: Azurite takes the rule and answers by it",
  async () => {
    const server = await serveAzure(azurite?.executable ?? "");
    try {
      await server.createBucket("container");
      const [command = ""] = recipes("Azure Blob Storage", "sh");
      const option = (name: string) =>
        new RegExp(`--${name} '?([^'\\n\\\\]*?)'?(?: --| \\\\|\\n)`).exec(command)?.[1];
      const rule = {
        AllowedOrigins: option("origins"),
        AllowedMethods: option("methods")?.trim().replaceAll(" ", ","),
        AllowedHeaders: option("allowed-headers"),
        ExposedHeaders: option("exposed-headers"),
        MaxAgeInSeconds: option("max-age"),
      };
      expect(Object.values(rule)).not.toContain(undefined);
      const members = Object.entries(rule).map(([name, value]) => `<${name}>${value}</${name}>`);
      const body = `<StorageServiceProperties><Cors><CorsRule>${members.join("")}</CorsRule></Cors></StorageServiceProperties>`;
      const sas = azureSas("rwdlac", 3600);
      const version = { "x-ms-version": "2020-08-04" };
      const answer = await fetch(`${server.url}/?restype=service&comp=properties&${sas}`, {
        method: "PUT",
        headers: version,
        body,
      });
      expect([answer.status, await answer.text()]).toEqual([202, ""]);
      const value = `${server.url}/container/value?${sas}`;
      await fetch(value, {
        method: "PUT",
        headers: { ...version, "x-ms-blob-type": "BlockBlob" },
        body: "0123456789",
      });
      await expectPage(value, version);
    } finally {
      await server.close();
    }
  },
  30_000,
);

describe("nginx", () => {
  test("a server that answers by the recipe is one that wazarr doctor finds nothing wrong with", async () => {
    const [recipe = ""] = recipes("nginx", "nginx");
    // What the recipe adds to answers, and to those to OPTIONS.
    const headersOf = (text: string) =>
      Array.from(
        text.matchAll(/add_header ([\w-]+) "?([^";]+?)"?(?: always)?;/g),
        ([, name = "", value = ""]) => [name, value] as const,
      );
    const [before = "", rest = ""] = recipe.split("if ($request_method = OPTIONS) {");
    const [preflight = "", ...others] = rest.split("}");
    const after = others.join("}");
    expect(headersOf(before)).toHaveLength(2);
    expect(headersOf(preflight)).toHaveLength(4);
    expect(headersOf(after)).toEqual(headersOf(before));
    expect([recipe.split("{").length, recipe.includes("=404")]).toEqual([recipe.split("}").length, true]);
    const site = createServer((request, response) => {
      const isPreflight = request.method === "OPTIONS";
      for (const [name, value] of headersOf(isPreflight ? preflight : before))
        response.setHeader(name, value);
      if (isPreflight) return response.writeHead(204).end();
      let value: Buffer;
      try {
        value = readFileSync(`examples/data${new URL(request.url ?? "", "http://x").pathname}`);
      } catch {
        return response.writeHead(404).end();
      }
      const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
      const start = from === "" ? Math.max(0, value.length - Number(to)) : Number(from);
      const end = from === "" || to === "" ? value.length : Math.min(value.length, Number(to) + 1);
      response.setHeader("etag", `"${value.length}"`);
      if (from + to === "") return response.end(value);
      response.setHeader("content-range", `bytes ${start}-${end - 1}/${value.length}`);
      return response.writeHead(206).end(value.subarray(start, end));
    });
    await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening));
    try {
      const address = site.address();
      const port = typeof address === "object" ? address?.port : "";
      const { stdout } = await runHere("doctor", `http://127.0.0.1:${port}/jacksboro.zarr`, "elevation");
      expect(stdout.split("\n").filter((line) => /CORS|preflight|404|Range/i.test(line))).not.toEqual([]);
      expect(stdout.split("\n").filter((line) => /docs\/cors/.test(line))).toEqual([]);
    } finally {
      site.close();
      site.closeAllConnections();
    }
  });
});
