// Compiles every kernel module of assembly/ with asc and writes two files per module:
// build/wasm/NAME.TARGET.wasm for tests and tools, and src/kernels/modules/NAME.generated.ts with a base64
// string, which every bundler, worker and runtime can load without configuration. The string holds deflated
// bytes: base64 hides the patterns that a server's gzip would find, so base64 of the plain module would make
// the package a third larger. Modules that are up to date are skipped.
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";
import asc from "assemblyscript/asc";
import { staticDataEnd } from "./static-data.mjs";

/** ARENA_BASE in src/kernels/memory.ts. */
const ARENA_BASE = 320 * 1024;

/**
 * The kernel modules. All modules share ONE memory per thread, so each has its own region for static data,
 * from `memoryBase` to the next module's region or to the arena. Some modules keep tables at fixed addresses
 * of their region: there, constants (`memory.data`) must end before the tables, and `constants` is the number
 * of bytes that they may take.
 */
const MODULES = [
  { name: "core", memoryBase: 1024 },
  { name: "transposition", memoryBase: 8192 },
  { name: "filled", memoryBase: 10240 },
  { name: "elements", memoryBase: 16384 },
  { name: "filters", memoryBase: 20480 },
  { name: "filters-encode", memoryBase: 22528 },
  { name: "packed", memoryBase: 24064 },
  { name: "downsample", memoryBase: 24320 },
  { name: "grib", memoryBase: 24448 },
  { name: "pcodec", memoryBase: 24512 },
  { name: "zfp", memoryBase: 24544 },
  { name: "tiff", memoryBase: 24560 },
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

const SCRIPT = "scripts/build-wasm.mjs";
const CONFIGURATION = "asconfig.json";

const targets = process.argv.includes("--debug") ? ["release", "debug"] : ["release"];
/** Modules to build: `npm run build:wasm -- zstd inflate` builds only these two. Default: all. */
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
await mkdir("build/wasm", { recursive: true });
await mkdir("src/kernels/modules", { recursive: true });

/** The lengths of the modules that were built. */
const built = [];
for (const [index, module] of MODULES.entries()) {
  if (wanted.length > 0 && !wanted.includes(module.name)) continue;
  const changed = await changeOf(module.name);
  const end = module.constants === undefined ? undefined : module.memoryBase + module.constants;
  const limit = end ?? MODULES[index + 1]?.memoryBase ?? ARENA_BASE;
  for (const target of targets) {
    if ((await modified(outputOf(module.name, target))) > changed) continue;
    try {
      await build(module, target, limit);
    } catch (error) {
      // The other modules are built all the same.
      process.stderr.write(`${error.message}\n`);
      process.exitCode = 1;
    }
  }
}

if (built.length > 0) {
  const total = built.reduce((sum, length) => sum + length, 0);
  process.stdout.write(`${built.length} kernel modules of ${MODULES.length} built, ${total} bytes\n`);
}

function outputOf(name, target) {
  return `build/wasm/${name}.${target}.wasm`;
}

function generatedOf(name) {
  return `src/kernels/modules/${name}.generated.ts`;
}

/**
 * When a module's sources, or the way it is built, were changed last; infinity if its generated file is
 * missing.
 */
async function changeOf(name) {
  const sources = new Set([SCRIPT, CONFIGURATION]);
  await collectSources(`assembly/${name}.ts`, sources);
  const changes = await Promise.all([...sources].map(modified));
  // The date of the generated file says nothing: it is written only when its text changes.
  return (await modified(generatedOf(name))) === 0 ? Number.POSITIVE_INFINITY : Math.max(...changes);
}

/** Adds a source file and all that it imports. */
async function collectSources(file, sources) {
  if (sources.has(file)) return;
  sources.add(file);
  for (const [, imported] of (await readFile(file, "utf8")).matchAll(/from "(\.[^"]+)"/g)) {
    await collectSources(`${join(dirname(file), imported)}.ts`, sources);
  }
}

/** Milliseconds since the epoch; 0 for a file that does not exist. */
async function modified(file) {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

/** @param limit where the static data of the module must end */
async function build({ name, memoryBase }, target, limit) {
  const outFile = outputOf(name, target);
  const { error, stderr } = await asc.main([
    `assembly/${name}.ts`,
    "--config",
    CONFIGURATION,
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
  const end = staticDataEnd(bytes, memoryBase);
  if (end > limit) {
    // Otherwise the file could pass for an up-to-date build.
    await rm(outFile);
    throw new Error(
      `${outFile}: expected static data to end at ${limit} or before, got ${end}: they would be overwritten. Move what follows`,
    );
  }
  if (target !== "release") return;
  const base64 = deflateSync(bytes, { level: 9 }).toString("base64");
  const text = `// Generated from assembly/${name}.ts by ${SCRIPT}.\nexport default "${base64}";\n`;
  const file = generatedOf(name);
  // Write only changes, so that watchers and incremental builds do not run for nothing.
  if ((await readFile(file, "utf8").catch(() => "")) !== text) await writeFile(file, text);
  built.push(bytes.length);
}
