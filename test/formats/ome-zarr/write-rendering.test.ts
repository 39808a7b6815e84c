/** `writeMultiscale` with channels and label images, read back. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import { OmeImage, openLabels, openOmeZarr, writeMultiscale } from "../../../src/formats/ome-zarr.js";
import { get } from "../../../src/index.js";
import { readOracles } from "../../setup/oracles.js";

const image = { data: Uint16Array.from({ length: 2 * 8 * 8 }, (_, i) => i), shape: [2, 8, 8] };
const cells = { data: Uint8Array.from({ length: 64 }, (_, i) => (i % 8 < 4 ? 1 : 2)), shape: [8, 8] };
const options = {
  axes: ["c", "y", "x"],
  scaleFactors: [2],
  chunkShape: [1, 4, 4],
  pixelSize: { y: 0.5, x: 0.5 },
  channels: [
    { label: "DAPI", color: "0000ff", window: { start: 0, end: 100 } },
    { label: "GFP", active: false },
  ],
  labels: { cells: { source: cells, colors: { 1: [255, 0, 0, 255], 2: [0, 255, 0, 128] } } },
} as const;

describe.each(["0.4", "0.5"] as const)("version %s", (version) => {
  test("channels and label images are read back", async () => {
    const group = await writeMultiscale(new Map(), image, { ...options, version });
    const opened = await openOmeZarr(group);
    if (!(opened instanceof OmeImage)) throw new Error("expected an image");
    expect(opened.warnings).toEqual([]);
    expect(opened.rendering?.channels).toMatchObject([
      { label: "DAPI", color: "0000FF", window: { min: 0, max: 65535, start: 0, end: 100 }, active: true },
      { label: "GFP", color: "FFFFFF", window: { start: 0, end: 65535 }, active: false },
    ]);
    expect((await opened.tile(0, 0, 0, { at: { c: "GFP" } })).shape.length).toBeGreaterThan(0);
    const labels = await openLabels(opened);
    expect(labels?.names).toEqual(["cells"]);
    const label = await labels?.image("cells");
    expect(label?.axes.map(({ name }) => name)).toEqual(["y", "x"]);
    expect(label?.levels.map(({ shape }) => shape)).toEqual([
      [8, 8],
      [4, 4],
    ]);
    expect(label?.levels[1]?.pixelSize).toEqual([1, 1]);
    const [, half] = label?.levels ?? [];
    expect(half && (await get(half.array)).data).toEqual(
      Uint8Array.from({ length: 16 }, (_, i) => (i % 4 < 2 ? 1 : 2)),
    );
    expect(label?.label?.colors.get(2)).toEqual([0, 255, 0, 128]);
  });

  test.each([
    ["channels: expected 2", { channels: [{}] }],
    ["channels[0].color", { channels: [{ color: "red" }, {}] }],
    ["channels[1].window: expected { start, end }", { channels: [{}, { window: { start: 1, end: 1 } }] }],
    ["of the shape [8, 8], got [2, 8, 8]", { labels: { a: { source: image } } }],
    ["name of a node", { labels: { "..": { source: cells } } }],
    ["expected integers", { labels: { a: { source: { data: new Float32Array(64), shape: [8, 8] } } } }],
    ["colors: expected four", { labels: { a: { source: cells, colors: { 1: [0, 0, 0, 256] as const } } } }],
  ])("%s: nothing is written", async (message, wrong) => {
    const store = new Map<string, Uint8Array>();
    await expect(writeMultiscale(store, image, { ...options, version, ...wrong })).rejects.toMatchObject({
      tag: "InvalidArgumentError",
      message: expect.stringContaining(message),
    });
    expect(store.size).toBe(0);
  });

  test.skipIf(!readOracles().ngff?.ome_zarr)("ome-zarr-py reads them", async () => {
    const folder = mkdtempSync(join(tmpdir(), "wazarr-labels-"));
    try {
      await writeMultiscale(new FileSystemStore(folder), image, { ...options, version });
      const script = `
import json, sys
from ome_zarr.io import parse_url
from ome_zarr.reader import Reader
nodes = list(Reader(parse_url(sys.argv[1]))())
print(json.dumps([[list(node.data[0].shape), node.metadata.get("channel_names"), sorted(node.metadata.get("color", {}))
  if isinstance(node.metadata.get("color"), dict) else None] for node in nodes if node.data]))`;
      const output = execFileSync(
        readOracles().ngff?.executable ?? "",
        ["-W", "ignore", "-c", script, folder],
        {
          encoding: "utf8",
        },
      );
      expect(JSON.parse(output)).toEqual([
        [[2, 8, 8], ["DAPI", "GFP"], null],
        [[8, 8], null, [1, 2]],
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
