/**
 * The tags of TIFF 6.0, its technical notes, GeoTIFF and GDAL that say where the samples lie and what they
 * are.
 */
export const TAG = {
  subfileType: 254,
  oldSubfileType: 255,
  width: 256,
  height: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  description: 270,
  stripOffsets: 273,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  stripByteCounts: 279,
  planarConfiguration: 284,
  predictor: 317,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileByteCounts: 325,
  subDirectories: 330,
  extraSamples: 338,
  sampleFormat: 339,
  jpegTables: 347,
  subsampling: 530,
  imageDepth: 32997,
  pixelScale: 33550,
  tiepoints: 33922,
  transformation: 34264,
  geoKeys: 34735,
  geoDoubles: 34736,
  geoText: 34737,
  gdalMetadata: 42112,
  gdalNodata: 42113,
  lercParameters: 50674,
} as const;

/** Bits of `subfileType`. */
export const REDUCED = 1;
export const MASK = 4;

export const CHUNKY = 1;
export const PLANAR = 2;
