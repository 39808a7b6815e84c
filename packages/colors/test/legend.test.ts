import { expect, test } from "vitest";
import { colorScale, legendSvg } from "../src/index.js";

const labelsOf = (svg: string): string[] =>
  Array.from(svg.matchAll(/middle">([^<]*)</g), ([, text = ""]) => text);
const format = String;

test("a legend has round values below the colours, and its title", async () => {
  const scale = await colorScale("thermal", { range: [-38, 34] });
  const svg = legendSvg(scale, { title: "Temperature <2 m>", unit: "°C", format });
  expect(labelsOf(svg)).toEqual(["-20", "0", "20"]);
  expect(svg).toContain(">Temperature &lt;2 m&gt; (°C)</text>");
  expect(svg.match(/<rect/g)).toHaveLength(64);
  const [red, green, blue] = scale.colorAt(-38 + 72 / 128);
  expect(svg).toContain(`fill="rgb(${red},${green},${blue})"`);
});

test("of a logarithmic scale, powers of ten", async () => {
  const scale = await colorScale("viridis", { range: [0.01, 100], log: true });
  expect(labelsOf(legendSvg(scale, { width: 300, format }))).toEqual(["0.01", "0.1", "1", "10", "100"]);
});

test("of classes, their bounds and one part for each", async () => {
  const svg = legendSvg(await colorScale("Blues", { classes: [0, 1, 5, 20] }), { format });
  expect(labelsOf(svg)).toEqual(["0", "1", "5", "20"]);
  expect(svg.match(/<rect/g)).toHaveLength(3);
});
