/** examples/forecast/read.mjs and the program of docs/grib.md, against the package as it was built. */
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { decode } from "fast-png";
import { expect, test } from "vitest";
import { serve } from "../core/stores/server.js";

test("a forecast in GRIB: the series of a place, and a map", () => {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-forecast-"));
  try {
    const picture = join(folder, "map.png");
    const said = execFileSync(process.execPath, ["examples/forecast/read.mjs", picture], {
      encoding: "utf8",
    });
    // As eccodes reads them.
    expect(said).toContain("47.5 N, 7.5 E: -5.5, -4.3, 0.7, 5.1, 4.5, -1.3, -7.9, -11.0 degrees C");
    const { width, height, data } = decode(readFileSync(picture));
    expect([width, height]).toEqual([720, 365]);
    const colourAt = (x: number, y: number) =>
      Array.from(data.slice(3 * (y * width + x), 3 * (y * width + x) + 3));
    // Cold at the south pole, warm at the equator.
    const [[coldRed = 0, , coldBlue = 0], [warmRed = 0, , warmBlue = 0]] = [
      colourAt(360, 360),
      colourAt(360, 180),
    ];
    expect(coldBlue - coldRed).toBeGreaterThan(200);
    expect(warmRed - warmBlue).toBeGreaterThan(100);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the program of docs/grib.md", async () => {
  const [, program = ""] = /^```js\n(.*?)^```$/ms.exec(readFileSync("docs/grib.md", "utf8")) ?? [];
  const files = ["forecast.json", "forecast.grib2"].map(
    (name) => [`/${name}`, readFileSync(join("examples/forecast", name))] as const,
  );
  const server = await serve(new Map(files));
  mkdirSync("build", { recursive: true });
  const folder = mkdtempSync("build/grib-page-");
  try {
    const file = join(folder, "page.mjs");
    writeFileSync(file, program.replace("https://example.com", server.url));
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    expect(stdout.trim()).toBe(/console\.log\(.*\); \/\/ (.*)$/m.exec(program)?.[1]);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
});
