/**
 * Turns results of `get` into vectors of Apache Arrow over the same memory, and arrays into a stream of
 * record batches.
 *
 * ```ts
 * import { get, HttpStore, open } from "wazarr";
 * import { arrowStream, toArrowVector } from "wazarr/arrow";
 *
 * const depth = await open(new HttpStore("https://example.com/floats.zarr/depth"), { kind: "array" });
 * const { data } = await get(depth);
 * const vector = toArrowVector(data);
 * for await (const bytes of arrowStream({ depth })) console.log(bytes.length);
 * ```
 *
 * It needs the optional package apache-arrow. `set` takes vectors without this entry.
 * @module
 */
export { type ArrowSource, type ArrowStreamOptions, arrowStream } from "./arrow/stream.js";
export { type ArrowElements, fromArrowVector, toArrowVector } from "./arrow/vectors.js";
