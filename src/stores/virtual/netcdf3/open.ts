/** NetCDF-3 as virtual Zarr: one group, whose variables lie one after the other, or record by record. */
import { at, gridCoordinates, product, StoreError } from "../../../core/for-stores.js";
import { contiguousChunk, gridOf, splitShape } from "../contiguous.js";
import { arrayDocument, bytesCodec, groupDocument } from "../documents.js";
import type { FileBytes } from "../file-bytes.js";
import type { VirtualArray, VirtualFormat } from "../port.js";
import {
  bytesOfVariable,
  isRecord,
  type NetcdfHeader,
  type NetcdfVariable,
  readHeader,
  recordSize,
  SIZES,
} from "./header.js";

export const netcdf3: VirtualFormat = {
  async open(file) {
    const header = await readHeader(file);
    const arrays = new Map(
      header.variables.map((variable) => [variable.name, variableArray(file, header, variable)]),
    );
    return {
      kind: "group",
      document: async () => groupDocument(header.attributes),
      names: async () => [...arrays.keys()],
      child: async (name) => arrays.get(name),
    };
  },
};

function variableArray(file: FileBytes, header: NetcdfHeader, variable: NetcdfVariable): VirtualArray {
  const { name, dimensions, type, attributes, offset } = variable;
  const itemSize = SIZES[type];
  const shape = dimensions.map(({ length = header.records }) => length);
  const isOfRecords = isRecord(variable);
  const stride = recordSize(header.variables);
  const ofOne = bytesOfVariable(variable);
  // Records lie one after the other if the variable is the only one of them; otherwise each is a chunk, or a
  // part of one: the split of an array that has only this record.
  const isContiguous = !isOfRecords || stride === ofOne;
  const record = isContiguous ? shape : [1, ...shape.slice(1)];
  const chunk = splitShape(record, itemSize);
  const grid = gridOf(shape, chunk);
  const last = isContiguous ? product(shape, itemSize) : (header.records - 1) * stride + ofOne;
  if (!shape.includes(0) && offset + last > file.byteLength)
    throw new StoreError(
      `${file.name}: NetCDF-3: variable ${JSON.stringify(name)} ends at byte ${offset + last}, and the file at ${file.byteLength}: it is truncated`,
    );
  return {
    kind: "array",
    document: async () =>
      arrayDocument({
        shape,
        chunk,
        dataType:
          type === "char" ? { name: "null_terminated_bytes", configuration: { length_bytes: 1 } } : type,
        // Every element is stored.
        fillValue: type === "char" ? "AA==" : 0,
        codecs: [bytesCodec(itemSize > 1 ? "big" : undefined)],
        dimensionNames: shape.length === 0 ? undefined : dimensions.map((dimension) => dimension.name),
        attributes,
      }),
    async chunk(coordinates) {
      if (coordinates.length !== grid.length || coordinates.some((each, d) => each >= at(grid, d)))
        return undefined;
      if (isContiguous) return contiguousChunk(shape, chunk, itemSize, offset, coordinates);
      const [number = 0, ...inner] = coordinates;
      return contiguousChunk(record, chunk, itemSize, offset + number * stride, [0, ...inner]);
    },
    async *chunks() {
      yield* gridCoordinates(grid);
    },
  };
}
