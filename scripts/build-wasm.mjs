// Compiles every kernel module of assembly/ with asc and writes it twice: as build/wasm/NAME.TARGET.wasm for tests
// and tools, and as a base64 string in src/kernels/modules/NAME.generated.ts, which every bundler, worker and
// runtime can load without configuration. The string holds deflated bytes: base64 breaks the patterns that a
// server's gzip would find, and costs a package a third more than this.
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { deflateSync } from "node:zlib";
import asc from "assemblyscript/asc";
import { staticDataEnd } from "./static-data.mjs";

/** ARENA_BASE in src/kernels/memory.ts. */
const ARENA_BASE = 320 * 1024;

/**
 * The kernel modules. All of them are instantiated on ONE memory per thread, so each has its own region for static data
 * (`memoryBase` up to the next one, or to the arena). Where a module keeps tables at fixed addresses of its region, constants (`memory.data`)
 * have to end before: `constants` are the bytes that its sources leave to them.
 */
const MODULES = [
  { name: "core", memoryBase: 1024 },
  { name: "transposition", memoryBase: 8192 },
  { name: "filled", memoryBase: 10240 },
  { name: "shards", memoryBase: 12288 },
  { name: "elements", memoryBase: 16384 },
  { name: "filters", memoryBase: 20480 },
  { name: "filters-encode", memoryBase: 22528 },
  { name: "packed", memoryBase: 24064 },
  { name: "downsample", memoryBase: 24320 },
  { name: "checksums", memoryBase: 24576 },
  { name: "blosc", memoryBase: 65536 },
  { name: "blosc-encode", memoryBase: 81920 },
  { name: "lz4-pair", memoryBase: 90112 },
  { name: "zstd", memoryBase: 98304, constants: 1024 },
  { name: "zstd-encode", memoryBase: 131072 },
  { name: "inflate", memoryBase: 163840, constants: 4096 },
  { name: "strings", memoryBase: 229376 },
  { name: "inflate-pair", memoryBase: 262144, constants: 4096 },
];

const targets = process.argv.includes("--debug") ? ["release", "debug"] : ["release"];
/** `npm run build:wasm -- zstd inflate` builds only those. */
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
await mkdir("build/wasm", { recursive: true });
await mkdir("src/kernels/modules", { recursive: true });

for (const [index, { name, memoryBase, constants }] of MODULES.entries()) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const target of targets) {
    const outFile = `build/wasm/${name}.${target}.wasm`;
    const { error, stderr } = await asc.main([
      `assembly/${name}.ts`,
      "--config",
      "asconfig.json",
      "--target",
      target,
      "--memoryBase",
      String(memoryBase),
      "--outFile",
      outFile,
    ]);
    if (error) {
      process.stderr.write(stderr.toString());
      throw error;
    }
    const bytes = await readFile(outFile);
    const limit =
      constants === undefined ? (MODULES[index + 1]?.memoryBase ?? ARENA_BASE) : memoryBase + constants;
    const end = staticDataEnd(bytes, memoryBase);
    if (end > limit) {
      // Not to be taken for a build that is up to date.
      await rm(outFile);
      throw new Error(
        `${outFile}: expected static data to end at ${limit} or before, got ${end}: they would be overwritten. Move what follows`,
      );
    }
    if (target !== "release") continue;
    const file = `src/kernels/modules/${name}.generated.ts`;
    const base64 = deflateSync(bytes, { level: 9 }).toString("base64");
    const text = `// Generated from assembly/${name}.ts by scripts/build-wasm.mjs.\nexport default "${base64}";\n`;
    // Left alone when nothing changed, so that watchers and incremental builds stay quiet.
    if ((await readFile(file, "utf8").catch(() => "")) !== text) await writeFile(file, text);
    process.stdout.write(`${name}: ${bytes.length} bytes\n`);
  }
}
