/**
 * The doors: code that is loaded later, each ONE file of the package. The first pattern that matches a module's path decides; modules that
 * belong to one entry alone match none. docs/architecture.md says when each door opens. No door but the core is imported statically by
 * the core (test/bundlers/doors.test.ts).
 */
export const DOORS = [
  // Loaded where there is no WebAssembly, or its memory has no room.
  [
    "javascript",
    /\/(kernels\/javascript\/kernels|codecs\/(blosc\/javascript\/decoders|zstd\/javascript\/(?!xxh64)|gzip\/javascript\/))/,
  ],
  // Arrays whose dimensions are stored in another order than C: a kernel.
  ["transposition", /\/transposition\.generated/],
  ["fflate", /\/(node_modules\/fflate\/|src\/fflate\.ts)/],
  // What the first write loads, and what the first write of a codec loads.
  ["writing-zstd", /\/(codecs\/zstd\/encode\/|zstd-encode\.generated)/],
  ["writing-blosc", /\/(codecs\/blosc\/encode\/|blosc-encode\.generated)/],
  [
    "writing",
    /\/(codecs\/gzip\/encode\.|engine\/(write|chunk-writer|encoder|value-writer|shards\/(write|encode)|fancy-indexing\/write)\.|array\/write\.)/,
  ],
  // Compressors.
  ["zstd", /\/(codecs\/zstd\/(?!workspace|javascript\/xxh64)|zstd\.generated)/],
  ["blosc", /\/(codecs\/blosc\/(?!formats|javascript)|(blosc|lz4-pair)\.generated)/],
  // Decodes with tables of the JavaScript kernels.
  ["gdeflate", /\/codecs\/gzip\/gdeflate/],
  ["gzip", /\/(codecs\/gzip\/|inflate(-pair)?\.generated)/],
  ["bz2-lzma", /\/codecs\/bz2-lzma\//],
  // Data types without a typed array, elements of variable length, and codecs that change values.
  [
    "data-types",
    /\/(codecs\/variable-length\/columns|data-types\/extra\/|kernels\/(javascript\/)?elements|elements\.generated)/,
  ],
  // Whole shards, for the codecs that hold others (zarrs' vlen, those of zarrita's interface), and for shards behind a codec that changes values.
  [
    "variable-length",
    /\/(codecs\/(sharding\/whole-shards|zarrita-codecs)|codecs\/variable-length\/(?!columns)|engine\/variable\/|array\/variable-length|kernels\/(javascript\/)?strings|strings\.generated)/,
  ],
  ["filters", /\/(codecs\/(filters\/|conditional|checksums\/numcodecs)|filters(-encode)?\.generated)/],
  // Rarer formats.
  ["draft", /\/(metadata\/draft\/|array\/draft\/)/],
  ["rectilinear", /\/(metadata\/rectilinear|engine\/rectilinear\/(?!blocks))/],
  // What applications import by name beyond open, get and set: static, so that a bundler leaves out what is not imported.
  [
    "tools",
    /\/(engine\/fancy-indexing\/|grid\/(automatic|fancy-indexing)|array\/(chunk-cache|chunk-walk|codec-options|compare|consolidate|select|convert|copy|create|extensions|fancy-indexing|grouped-reads|hierarchy|read\.|resize|rewrite|verify)|stores\/(extensions|in-front|memory)\.|zarrita-names|data-types\/conversion)/,
  ],
  // What several of the doors above need, and no read of plain data does.
  [
    "support",
    /\/(array\/chunk-like|grid\/segments|codecs\/(blosc\/javascript\/shared|zstd\/javascript\/xxh64)|engine\/(ranges|rectilinear\/blocks|placement|locks)|stores\/capabilities\.|data-types\/small-float|metadata\/(write|json-text)\.|array\/write-documents|kernels\/filled|filled\.generated)/,
  ],
  // What the entries of stores share whose values are ranges of files.
  ["file-ranges", /\/stores\/file-ranges\./],
  // What `wazarr/xarray` shares with jobs and the command line.
  ["data-sets", /\/src\/xarray\//],
  [
    "core",
    /\/src\/(?!index\.|arrow\.|ndarray\.|ome-zarr|geozarr|jobs|cli|stores\/(file-system|files\/|lmdb|icechunk|reference|zip)|workers\/|npy\/|xarray)/,
  ],
];

/** The door of a module, by its path. */
export const doorOf = (path) => DOORS.find(([, pattern]) => pattern.test(path))?.[0];
