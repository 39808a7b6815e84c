/**
 * Apache Arrow: turns results of `get` into vectors over the same memory, and arrays into a stream of record
 * batches. A separate entry (`wazarr/arrow`), because apache-arrow is an optional package. `set` takes
 * vectors without this entry.
 *
 *     const { data } = await get(array, null, { as: "column" });
 *     const vector = toArrowVector(data);
 *     await set(array, null, vector);
 *     for await (const bytes of arrowStream({ longitude, latitude, depth })) send(bytes);
 * @module
 */
export { type ArrowSource, type ArrowStreamOptions, arrowStream } from "./arrow/stream.js";
export { type ArrowElements, fromArrowVector, toArrowVector } from "./arrow/vectors.js";
