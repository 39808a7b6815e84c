/**
 * The doors: code that is loaded on demand, ONE file of the package per door. The first pattern that matches
 * a module's path decides. Modules of a single entry match no pattern. The comments say when each
 * door opens. The core imports no other door statically (test/bundlers/doors.test.ts).
 */
export const DOORS = [
  // Loaded if WebAssembly is unavailable or out of memory.
  [
    "javascript",
    /\/(kernels\/javascript\/(kernels|copy-rows)|codecs\/(blosc\/javascript\/decoders|zstd\/javascript\/(?!xxh64)|gzip\/inflate-javascript|(archives\/(grib|tiff)|numbers\/(pcodec|zfp))\/javascript\/))/,
  ],
  // Kernel for arrays whose dimensions are not stored in C order.
  ["transposition", /\/(codecs\/transpose\.|transposition\.generated)/],
  ["fflate", /\/(node_modules\/fflate\/|src\/base\/fflate\.ts)/],
  // Loaded by the first write, and by the first write with a codec.
  ["writing-zstd", /\/(codecs\/zstd\/encode\/|zstd-encode\.generated)/],
  ["writing-blosc", /\/(codecs\/blosc\/encode\/|blosc-encode\.generated)/],
  ["writing", /\/(codecs\/gzip\/encode\.|core\/line\/write\/(?!variable)|array\/write\/write\.)/],
  // Compressors.
  ["zstd", /\/(codecs\/zstd\/(?!workspace|javascript\/xxh64)|zstd\.generated)/],
  // With the filters of HDF5 that are made of the same kernels: esbuild would make two files of a door that
  // another one imports.
  [
    "blosc",
    /\/(codecs\/blosc\/(?!formats|javascript)|codecs\/archives\/hdf5\/(bitshuffle|block-stream|lz4)\.|(blosc|lz4-pair)\.generated)/,
  ],
  // Uses tables of the JavaScript kernels to decode.
  ["gdeflate", /\/codecs\/compressors\/gdeflate/],
  ["gzip", /\/(codecs\/gzip\/|inflate(-pair)?\.generated)/],
  ["bz2-lzma", /\/(codecs\/compressors\/bz2-lzma\/|node_modules\/@noble\/hashes\/)/],
  ["images", /\/codecs\/images\/(?!entries)/],
  ["pcodec", /\/(codecs\/numbers\/pcodec\/|pcodec\.generated)/],
  ["tiff", /\/(codecs\/archives\/tiff\/|tiff\.generated)/],
  // Filters of HDF5 that no codec of Zarr is.
  ["zfp", /\/(codecs\/numbers\/zfp\/|zfp\.generated)/],
  ["grib", /\/(codecs\/archives\/(grib\/|hdf5\/szip)|grib\.generated)/],
  ["hdf5-filters", /\/codecs\/archives\/hdf5\//],
  // Data types without a typed array, elements of variable length, and codecs that change values.
  [
    "data-types",
    /\/(codecs\/columns|data-types\/extra\/|kernels\/(javascript\/)?elements|elements\.generated)/,
  ],
  // Whole shards, for codecs that contain other codecs (zarrs' vlen, zarrita's interface), and for shards
  // behind a codec that changes values.
  [
    "variable-length",
    /\/(codecs\/(all-asynchronous|sharding\/(?:whole-shards|inner-elements|shard-bytes))|zarrita\/(?:codec-chunks|codecs|standalone-codecs)|codecs\/variable-length\/|core\/line\/placing\/(read-variable|sinks|few-elements|places|chosen-elements)|core\/line\/write\/variable|array\/read\/variable-length|kernels\/(javascript\/)?strings|strings\.generated)/,
  ],
  ["filters", /\/(codecs\/filters\/|filters(-encode)?\.generated)/],
  // Shards, and ranges of values over HTTP, which mostly shards need; redirects, which only Node sees. No other door imports it statically:
  // esbuild would make two files of it.
  [
    "shards",
    /\/(codecs\/sharding\/layout|core\/line\/(shards|shard-index)|stores\/http\/(ranges|redirects))\./,
  ],
  // Rarer formats.
  ["draft", /\/(formats\/draft\/(?!extensions)|array\/open\/scalar-keys)/],
  ["chunk-keys", /\/metadata\/chunk-keys\//],
  ["rectilinear", /\/(metadata\/rectilinear|core\/line\/rectilinear\/(?!blocks|by-shape))/],
  // In a file of its own, which is not minified: esbuild drops the comments that mark its calls as pure.
  ["nodes", /\/src\/main\/nodes\./],
  // Functions that applications import by name besides open, get and set. Imported statically, so that
  // bundlers drop unused ones.
  [
    "tools",
    /\/(core\/line\/picked\/(?!read-picked)|core\/line\/placing\/picked\.|grid\/(coordinates|orthogonal|index-lists|boxes|box-planning)|array\/\w+\/(aligned-boxes|append(-claim)?\.|chunk-cache|common-boxes|compare|copy-chunks|convert|layout\.|stored-(chunks|shape)|read-runs|codec-(chain|options|text)|consolidate|create|extensions|fancy-indexing|grouped-reads|hierarchy|prefetch|read-slabs|replace-document|resize|rewrite-documents|unsupported-codecs|update-attributes)|work\/(?!jobs)[^/]*$|codecs\/sharding\/codec-lists|stores\/(layers\/|(byte-caching|in-front|listeners|lru-cache|memory|requests\/shared-answers)\.)|zarrita\/names|data-types\/conversion|metadata\/(register-chunk-key-encoding|missing-value))/,
  ],
  // Shared by several doors above; reads of plain data do not need it.
  [
    "support",
    /\/(array\/\w+\/(chunk-like|decoded-chunks|erase|replace-document|set-options)\.|codecs\/(registry\/(absent-codecs|unusable)\.|passes\.|blosc\/javascript\/shared|zstd\/javascript\/xxh64)|grid\/parse-chunk-key|core\/line\/rectilinear\/(blocks|by-shape)|core\/line\/(placement|elsewhere|part-chunks|picked\/read-picked|shared\/bands)\.|stores\/key-locks\.|core\/line\/placing\/copy-picked\.|stores\/(capabilities|watchers)\.|data-types\/(array-view|arrow-vector|bool|column|float-formats|numbers|small-float|time-units|unicode-array)\.|grid\/run-projection\.|metadata\/(write|json-text)\.|array\/create\/write-documents|kernels\/(filled|javascript\/lookup3)|filled\.generated)/,
  ],
  // Shared by the entries of stores whose values are byte ranges of files.
  ["file-ranges", /\/stores\/file-ranges\//],
  // Files of other formats: what is shared, and a door for each format, loaded when such a file is opened.
  ["hdf5", /\/stores\/virtual\/hdf5\//],
  ["netcdf3", /\/stores\/virtual\/netcdf3\//],
  ["tiff-files", /\/stores\/virtual\/tiff\//],
  ["grib-files", /\/stores\/virtual\/grib\//],
  ["virtual", /\/stores\/virtual\/(?!index\.)/],
  // Loaded by the first document of STAC; `wazarr/stac` is the same.
  ["stac-documents", /\/stores\/stac\/(?!index\.)/],
  // Loaded by the first folder of references in Parquet.
  ["parquet", /\/stores\/references\/parquet\//],
  // Shared by the entries of stores over buckets.
  ["buckets", /\/stores\/buckets\/(?!azure|gcs|s3|within-buckets|bucket-environment)/],
  // Numbers that a read converts; `wazarr/xarray` unpacks with the same code.
  [
    "drawing",
    /\/((array\/read|data-types)\/drawn\.|core\/line\/placing\/(drawn|statistics)\.|kernels\/(number-kinds|(javascript\/)?packed)|packed\.generated)/,
  ],
  // Shared by `wazarr/xarray`, `wazarr/jobs` and the command line.
  ["data-sets", /\/src\/(formats\/xarray\/|formats\/elements\/unpack|array\/write\/append-together)/],
  [
    "core",
    /\/src\/((base|core|array|grid|metadata|kernels|data-types)\/(?!stores\/files\/|modules\/downsample)|formats\/draft\/extensions|main\/(open|catalogue)|codecs\/list)/,
  ],
];

/** The door of a module by path. */
export const doorOf = (path) => DOORS.find(([, pattern]) => pattern.test(path))?.[0];
