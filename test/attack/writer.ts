/**
 * A process that writes until it is killed: `node writer.mjs OPERATION DIRECTORY [JSON]`. Prints a line
 * before it begins, and what is done.
 */
import { writeSync } from "node:fs";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { append, open, resize, root, set, slice } from "../../src/index.js";
import { copyNode } from "../../src/main/copy.js";
import { LmdbStore } from "../../src/stores/lmdb/lmdb.js";

const [operation = "", directory = "", parameters = "null"] = process.argv.slice(2);
const given = JSON.parse(parameters);

/** At once, so that it is out before the process is killed. */
const say = (text: string): void => void writeSync(1, `${text}\n`);

const openStore = () =>
  operation.endsWith("lmdb")
    ? new LmdbStore(directory)
    : new FileSystemStore(directory, { locks: given.locks === true });

const openArray = async () => open(root(openStore()).resolve("/a"), { kind: "array" });

const OPERATIONS: Readonly<Record<string, () => Promise<void>>> = {
  /** shape */
  async resize() {
    const array = await openArray();
    say("begin");
    await resize(array, given.shape);
  },
  /** box: start and end of each dimension; value */
  async set() {
    const array = await openArray();
    say("begin");
    const box = given.box.map(([start, end]: [number, number]) => slice(start, end));
    await set(array, box, given.value);
  },
  /** Rows of `rows` elements; in each the number of its first row, or `value` */
  async append() {
    let array = await openArray();
    say("begin");
    const [, columns = 1] = array.shape;
    for (;;) {
      const [length = 0] = array.shape;
      const data = new Int32Array(given.rows * columns).fill(given.value ?? length);
      array = await append(array, { data, shape: [given.rows, columns] });
      say("done");
    }
  },
  /** to: another path */
  async copy() {
    const store = openStore();
    const array = await openArray();
    say("begin");
    await copyNode(array, root(store).resolve(given.to), { overwrite: true, chunkShape: [24, 24] });
  },
  /** Every `writers`th element, from `own` on, is set to `from` + 1, `from` + 2, ... */
  async count() {
    const array = await openArray();
    say("begin");
    for (let value = given.from + 1; ; value++) {
      await set(array, [slice(given.own, null, given.writers)], value);
      say(String(value));
    }
  },
};

await OPERATIONS[operation.replace(/-lmdb$/, "")]?.();
