/** Everything in the manifests of test/fixtures/draft-v3: every node, every value, every expectation. */
import { describe, expect, it } from "vitest";
import { setKernels } from "../../src/extend.js";
import {
  children,
  Group,
  get,
  isZarrError,
  members,
  type Node,
  open,
  root,
  type ZarrError,
} from "../../src/index.js";
import { verify } from "../../src/main/copy.js";
import { fixtureNames, mapOf, readFixture } from "../setup/draft-fixtures.js";
import { elementsOf, expectElements, typeOf, unknownCodecs } from "./draft-expect.js";

async function failure(action: () => Promise<unknown>): Promise<unknown> {
  return action().then(
    () => undefined,
    (error: unknown) => error,
  );
}

const openable = fixtureNames.filter((name) =>
  ["ok", "lenient", undefined].includes(readFixture(name).manifest.expect_open),
);

it("finds the fixtures", () => {
  expect(fixtureNames.length).toBeGreaterThanOrEqual(17);
  expect(openable.length).toBeGreaterThanOrEqual(13);
});

describe.each(openable)("%s", (name) => {
  const { manifest, store } = readFixture(name);

  it.each(Object.entries(manifest.nodes))("%s", async (path, expected) => {
    const location = root(store).resolve(path);
    if (expected.expect === "error") {
      const error = await failure(async () => {
        const node = await open.draft(location);
        if (node.kind === "array") await get(node);
      });
      expect(isZarrError(error, "InvalidMetadataError", "UnknownDataTypeError", "UnknownCodecError")).toBe(
        true,
      );
      return;
    }
    const node = await open.draft(location);
    expect(node.metadata.zarrFormat).toBe("draft");
    expect(typeOf(node)).toBe(expected.type);
    expect(node.attrs).toEqual(expected.attributes ?? {});
    if (node.kind !== "array") return;
    expect(node.shape).toEqual(expected.shape);
    // A length of 0 along a dimension of 0 is read as 1.
    expect(node.chunks).toEqual(expected.chunk_shape?.map((length) => Math.max(1, length)));
    const unknown = unknownCodecs(node);
    if (unknown.length > 0) {
      const error = await failure(() => elementsOf(node));
      expect(isZarrError(error, "UnknownCodecError") && error.codec).toBe(unknown[0]);
      return;
    }
    for (const kernels of ["wasm", "javascript"] as const) {
      setKernels(kernels);
      try {
        // Opened anew, as an array keeps the kernels it was prepared with; twice, as reading must not change
        // stored bytes.
        const array = await open.draft(location, { kind: "array" });
        await expectElements(array, expected);
        await expectElements(array, expected);
      } finally {
        setKernels("auto");
      }
    }
  });

  it("is recognised without being told", async () => {
    const node = await open(store);
    expect(node.metadata.zarrFormat).toBe("draft");
    const readable = Object.entries(manifest.nodes).filter(([, { expect }]) => expect !== "error");
    const [path = "/", expected] = readable.at(-1) ?? [];
    expect(typeOf(await open(root(store).resolve(path)))).toBe(expected?.type);
  });

  it("is listed completely, and group by group", async () => {
    // Metadata that has to be refused stops a listing: it cannot be passed over without a word.
    const map = await mapOf(name);
    for (const [path, node] of Object.entries(manifest.nodes)) {
      if (node.expect !== "error") continue;
      if (path !== "/codec/zstd" && path !== "/ext/unknown_codec") {
        const error = await failure(() =>
          children(root(store).resolve(path.slice(0, path.lastIndexOf("/")))),
        );
        expect(isZarrError(error, "InvalidMetadataError", "UnknownDataTypeError")).toBe(true);
      }
      for (const key of map.keys()) {
        if (key === `/meta/root${path}.array.json` || key === `/meta/root${path}.group.json`) map.delete(key);
      }
    }
    const keys = [...map.keys()];
    const expected = Object.entries(manifest.nodes)
      .filter(([path, { type, expect }]) =>
        type === "implicit_group"
          ? path === "/" || keys.some((key) => key.startsWith(`/meta/root${path}/`))
          : expect !== "error",
      )
      .map(([path, { type }]): [string, string] => [path, type]);

    const top = await open(map);
    const found: [string, string][] = [[top.path, typeOf(top)]];
    for await (const node of members(top)) found.push([node.path, typeOf(node)]);
    expect(new Map(found)).toEqual(new Map(expected));
    expect(found.length).toBe(expected.length);

    const byGroup: [string, string][] = [];
    const visit = async (node: Node): Promise<void> => {
      byGroup.push([node.path, typeOf(node)]);
      if (node instanceof Group) for (const child of await children(node)) await visit(child);
    };
    await visit(top);
    expect(byGroup).toEqual(found);
  });

  it("is verified: what has to be refused is a problem, nothing else is", async () => {
    const nodes = Object.entries(manifest.nodes);
    const refused = nodes.filter(([, node]) => node.expect === "error").map(([path]) => path);
    for (const [path, { type }] of nodes) {
      if (type !== "array" || refused.includes(path)) continue;
      const array = await open.draft(root(store).resolve(path), { kind: "array" });
      if (unknownCodecs(array).length > 0) refused.push(path);
    }
    const problems: ZarrError[] = [];
    const report = await verify(store, { onProblem: (problem) => problems.push(problem) });
    expect(problems.length).toBe(refused.length);
    expect(report.problems).toBe(refused.length);
  });
});

describe("entry points", () => {
  const others = fixtureNames.filter((name) => !openable.includes(name));

  it.each(others)("%s", async (name) => {
    const { manifest, store } = readFixture(name);
    const array = root(store).resolve("a");
    if (manifest.expect_open === "not-this-format") {
      expect((await open(store)).metadata.zarrFormat).toBe(3);
      for (const at of [root(store), array]) {
        expect(isZarrError(await failure(() => open.draft(at)), "NotFoundError")).toBe(true);
      }
      return;
    }
    expect(manifest.expect_open).toBe("error");
    for (const at of [root(store), array]) {
      for (const openNode of [open, open.draft]) {
        const error = await failure(() => openNode(at));
        expect(isZarrError(error, "InvalidMetadataError") && error.key).toBe("/zarr.json");
      }
    }
  });
});
