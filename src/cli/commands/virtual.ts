/** `wazarr virtual`: writes the references of files of other formats. */
import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { FileSystemStore } from "../../core/stores/files/file-system.js";
import { openVirtual, writeReferences } from "../../stores/virtual/index.js";
import { type Command, UsageError } from "../command.js";
import { print } from "../output.js";
import { counted } from "../words.js";

export const virtual: Command = {
  name: "virtual",
  summary: "writes where the chunks of NetCDF and HDF5 files lie",
  operands: ["FILE..."],
  description: [
    "Writes a reference document, as kerchunk does: the metadata of the files as Zarr, and for each chunk the byte range of the file that has it. Nothing of the data is copied. All other commands, and other libraries, read the document as they read Zarr, and need not read the metadata of the files again.",
    "Several files become one data set, joined along the dimension of --concat in the order in which they are given.",
  ],
  options: {
    out: { type: "string", value: "FILE", help: "The document to write, a .json file." },
    overwrite: { type: "flag", help: "Replaces an existing file." },
    concat: { type: "string", value: "DIMENSION", help: "The dimension along which files are joined." },
  },
  examples: [
    "wazarr virtual t2m.nc --out t2m.json",
    "wazarr virtual 2026-01.nc 2026-02.nc --concat time --out 2026.json",
  ],
  async run({ operands, text, flag }) {
    const output = text("out");
    if (output === undefined) throw new UsageError("--out: expected the file to write");
    const concat = text("concat");
    const [only = ""] = operands;
    if (operands.length > 1 && concat === undefined)
      throw new UsageError("--concat: expected the dimension along which the files are joined");
    const isOne = operands.length === 1 && concat === undefined;
    const store = isOne ? await openVirtual(only) : await openVirtual(operands, { concat });
    const path = resolve(output);
    if (existsSync(path) && !flag("overwrite"))
      throw new UsageError(`${output} exists already; --overwrite replaces it`);
    await writeReferences(store, { store: new FileSystemStore(dirname(path)), key: `/${basename(path)}` });
    await print(`${counted(operands.length, "file")}\n`);
  },
};
