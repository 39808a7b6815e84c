/** The programs of the READMEs of layers, as somebody copies them: each is a map with a slider of time. */
import { readFileSync } from "node:fs";
import { colorScale } from "@wazarr/colors";
import { decode } from "fast-png";
import { expect, test } from "vitest";
import { create, root, set } from "wazarr";
import { chromiumLaunchOptions } from "../setup/chromium.js";
import { bundled, openDrawnPage } from "../setup/drawn-page.js";

const [STEPS, ROWS, COLUMNS] = [5, 90, 180];
const FIRST = 2;
const temperatureAt = (step: number): number => 12 * step - 30;

/** The data of the READMEs: temperatures of five days, of which the third is the 5th of March. */
async function era5(): Promise<Map<string, Uint8Array>> {
  const store = new Map<string, Uint8Array>();
  const group = root(store);
  await create(group);
  const t2m = await create(group.resolve("t2m"), {
    shape: [STEPS, ROWS, COLUMNS],
    chunkShape: [1, ROWS, COLUMNS],
    dtype: "float32",
    dimensionNames: ["time", "latitude", "longitude"],
    attributes: { units: "degC" },
  });
  for (let step = 0; step < STEPS; step++) await set(t2m, [step, null, null], temperatureAt(step));
  const axes = [["latitude", ROWS, 89, -2] as const, ["longitude", COLUMNS, -179, 2] as const];
  for (const [name, length, first, step] of axes) {
    const axis = await create(group.resolve(name), {
      shape: [length],
      dtype: "float64",
      dimensionNames: [name],
    });
    const data = Float64Array.from({ length }, (_, i) => first + i * step);
    await set(axis, null, { data, shape: [length] });
  }
  const time = await create(group.resolve("time"), {
    shape: [STEPS],
    dtype: "int32",
    dimensionNames: ["time"],
    attributes: { units: "days since 2026-03-03" },
  });
  await set(time, null, { data: Int32Array.from({ length: STEPS }, (_, i) => i), shape: [STEPS] });
  return store;
}

function blockOf(readme: string, language: string): string {
  const [, block] = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(readme) ?? [];
  if (block === undefined) throw new Error(`expected a block of ${language}`);
  return block;
}

const SKIP = chromiumLaunchOptions() === undefined;

test.skipIf(SKIP).each([
  ["maplibre", FIRST],
  ["openlayers", FIRST],
  ["deckgl", 0],
] as const)("of %s", { timeout: 300_000 }, async (library, first) => {
  const readme = readFileSync(`packages/${library}/README.md`, "utf8");
  const [page, program] = [blockOf(readme, "html"), blockOf(readme, "js")];
  const lines = [page, program].flatMap((text) => text.split("\n")).filter((line) => line.trim() !== "");
  const own = lines.filter((line) => !line.startsWith("import "));
  expect(own.length).toBeLessThan(15);

  const address = '"https://example.org/era5.zarr"';
  expect(program).toContain(address);
  const contents = program.replace(address, 'new URL("store", location.href)');
  const scripts = await bundled({ contents, resolveDir: `packages/${library}` });
  const styles = new TextDecoder().decode(scripts.get("/main.css"));
  const html = `<!doctype html><style>${styles} body { margin: 0 }</style>${page}`;
  const drawn = await openDrawnPage({ scripts, page: html, store: await era5() }, [600, 400]);
  try {
    await drawn.page.route("https://demotiles.maplibre.org/**", (route) =>
      route.fulfill({ json: { version: 8, sources: {}, layers: [] } }),
    );
    await drawn.page.goto(drawn.server.url);
    const scale = await colorScale("thermal", { range: [-38, 34] });
    const middle = async () => {
      const { data, width, channels } = decode(await drawn.page.screenshot());
      const start = (180 * width + 300) * channels;
      return Array.from(data.slice(start, start + 3), Number);
    };
    const colorOf = (step: number) => [...scale.colorAt(temperatureAt(step))].slice(0, 3);
    await expect.poll(middle, { timeout: 120_000 }).toEqual(colorOf(first));
    const slider = drawn.page.locator("#slider");
    await expect.poll(() => slider.getAttribute("max")).toBe(`${STEPS - 1}`);
    await slider.fill("4");
    await expect.poll(middle, { timeout: 120_000 }).toEqual(colorOf(4));
    expect(drawn.errors).toEqual([]);
  } finally {
    await drawn.close();
  }
});
