// Writes and reads on other cores, and says what happened and how often the console was told something.
/**
 * @param {typeof import("wazarr")} api
 * @param {typeof import("wazarr/workers")} workers
 * @param {object} [options] of the pool
 */
export async function run({ create, get, set }, { WorkerPool }, options = {}) {
  let warned = 0;
  console.warn = () => warned++;
  const pool = new WorkerPool({ size: 2, ...options });
  const store = new Map();
  const array = await create(store, {
    shape: [512, 512],
    chunkShape: [128, 128],
    dtype: "float32",
    codecs: ["gzip"],
  });
  const data = Float32Array.from({ length: 512 * 512 }, (_, i) => (i * 7) % 1000);
  const isSame = (other) => other.length === data.length && other.every((value, i) => value === data[i]);
  await set(array, null, { data, shape: [512, 512] }, { workers: pool });
  const { data: read } = await get(array, null, { workers: pool });
  let shared;
  try {
    const { data } = await get(array, null, { workers: pool, shared: true });
    shared = data.buffer instanceof SharedArrayBuffer && isSame(data);
  } catch (error) {
    shared = error.tag;
  }
  const { running } = pool;
  await pool.close();
  return {
    isolated: crossOriginIsolated,
    chunks: store.size - 1,
    read: isSame(read),
    shared,
    running,
    warned,
  };
}
