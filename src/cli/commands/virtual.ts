/** `wazarr virtual`: writes the references of files of other formats. */
import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { FileSystemStore } from "../../core/stores/files/file-system.js";
import { parseAddress } from "../../extend.js";
import { addressKind, openStore } from "../../stores/addresses/open-store.js";
import { ReferenceStore } from "../../stores/references/reference.js";
import { openVirtual, type VirtualSource, writeReferences } from "../../stores/virtual/index.js";
import { type Command, UsageError } from "../command.js";
import { print } from "../output.js";
import { reportProblem } from "../text/problems.js";
import { counted } from "../text/words.js";

export const virtual: Command = {
  name: "virtual",
  summary: "writes where the chunks of NetCDF, HDF5, GRIB and TIFF files lie",
  operands: ["FILE..."],
  description: [
    "Writes a reference document, as kerchunk does: the metadata of the files as Zarr, and for each chunk the byte range of the file that has it. Nothing of the data is copied. All other commands, and other libraries, read the document as they read Zarr, and need not read the metadata of the files again.",
    "Several files become one data set, joined along the dimension of --concat in the order in which they are given.",
    "With --append the files follow those of a document that this program wrote. The index of none of those is read again.",
  ],
  options: {
    out: {
      type: "string",
      short: "o",
      value: "FILE",
      help: "The document to write, a .json file; -o for short.",
    },
    overwrite: { type: "flag", help: "Replaces an existing file." },
    append: {
      type: "string",
      value: "DOCUMENT",
      help: "A document that the files are added to. Without --out it is replaced.",
    },
    concat: { type: "string", value: "DIMENSION", help: "The dimension along which files are joined." },
  },
  examples: [
    "wazarr virtual t2m.nc --out t2m.json",
    "wazarr virtual 2026-01.nc 2026-02.nc --concat time --out 2026.json",
    "wazarr virtual 2026-03.nc --concat time --append 2026.json",
  ],
  async run({ operands, text, flag }) {
    const append = text("append");
    const output = text("out") ?? append;
    if (output === undefined) throw new UsageError("--out: expected the file to write");
    const concat = text("concat");
    if ((operands.length > 1 || append !== undefined) && concat === undefined)
      throw new UsageError("--concat: expected the dimension along which the files are joined");
    const path = resolve(output);
    if (existsSync(path) && output !== append && !flag("overwrite"))
      throw new UsageError(`${output} exists already; --overwrite replaces it`);
    const files = [...(append === undefined ? [] : [await indexAt(append)]), ...operands.map(fileAt)];
    const [only = ""] = files;
    const isOne = files.length === 1 && concat === undefined;
    const store = isOne
      ? await openVirtual(only)
      : await openVirtual(files, { concat, onDifference: reportProblem });
    await writeReferences(store, { store: new FileSystemStore(dirname(path)), key: `/${basename(path)}` });
    await print(`${counted(operands.length, "file")}\n`);
  },
};

async function indexAt(address: string): Promise<VirtualSource> {
  if (parseAddress(address).form !== "references")
    throw new UsageError(`--append: expected a document of references, a .json file, got ${address}`);
  const store = await openStore(address);
  if (store instanceof ReferenceStore) return store;
  throw new UsageError(`--append: expected a document of references, got ${address}`);
}

/** Files of this machine are opened by the program's own store, other addresses as `openStore` does. */
function fileAt(address: string): VirtualSource {
  if (addressKind(address) !== "path") return address;
  const path = resolve(address);
  return { store: new FileSystemStore(dirname(path)), key: `/${basename(path)}`, address: path };
}
