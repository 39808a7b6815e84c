/** Reads elements of variable length: as JavaScript values, or as a column. */

import { InvalidArgumentError, UnsupportedError } from "../../../base/errors.js";
import { cOrderStrides, product } from "../../../base/shape.js";
import { Column, type ColumnElements } from "../../../data-types/column.js";
import type { VariableKind } from "../../../data-types/data-type.js";
import { decodeText, decodeTexts, type InvalidText } from "../../../data-types/extra/text.js";
import type { BasicSelection } from "../../../grid/selection.js";
import { loadStrings } from "../../../kernels/strings.js";
import type { Strings } from "../../../kernels/strings-kernels.js";
import { bytesOf, plain } from "../../codecs/columns.js";
import { readPicked } from "../picked/read-picked.js";
import { withOwnMemory } from "../prepare.js";
import type { Placing, PreparedArray } from "../prepared.js";
import { read } from "../read.js";
import { readInto as readSelectionInto } from "../select.js";
import type { ReadOptions } from "../shared/options.js";
import { partialOf, readFew } from "./few-elements.js";
import { type ColumnSink, columnSink, listSink, placeInSink, type Sink, type SinkContext } from "./sinks.js";

interface VariableReadOptions extends ReadOptions {
  readonly invalidText: InvalidText;
}

/** Reads the selected elements in C order into an array of JavaScript values: `out`, or a new array. */
export async function readValues(
  array: PreparedArray,
  selection: BasicSelection,
  out: unknown[] | undefined,
  options: VariableReadOptions,
): Promise<unknown[]> {
  const context = await contextOf(array, options);
  const count = product(selection.shape);
  const { dataType, fillValue = dataType.defaultScalar } = array.metadata;
  // The caller may change byte strings, so each one is a copy.
  const fill = (): unknown => (fillValue instanceof Uint8Array ? fillValue.slice() : fillValue);
  try {
    const result = out ?? new Array<unknown>(count);
    await readInto(array, selection, listSink(context, result, fill), options);
    return result;
  } catch (cause) {
    if (!(cause instanceof RangeError) || count < LONG_LIST) throw cause;
    throw new InvalidArgumentError(
      `cannot make a list of ${count} elements; read less at a time, with \`read\` or a smaller selection, or a column`,
      { cause },
    );
  }
}

/**
 * From this length on a RangeError is taken to mean that the list is too long: engines may notice only while
 * it is filled.
 */
const LONG_LIST = 2 ** 25;

/**
 * Reads the selected elements as one column. If they are one whole chunk whose codec stores the column's
 * layout, the column is a view of the chunk; without compression that is the store's own memory.
 */
export async function readColumn(
  array: PreparedArray,
  selection: BasicSelection,
  options: VariableReadOptions,
): Promise<Column> {
  const context = await contextOf(array, options);
  const { strings, kind } = context;
  if (kind === "object") {
    throw new UnsupportedError(
      'expected strings or bytes with as: "column", got an array of objects; read it as values',
    );
  }
  const { dataType, fillValue = dataType.defaultScalar } = array.metadata;
  const fill = fillValue instanceof Uint8Array ? fillValue : new TextEncoder().encode(String(fillValue));
  // The bytes of inner chunks lie in memory that is reused.
  const mayShare = array.pipeline.sharding === undefined;
  const sink: ColumnSink = columnSink(context, fill, mayShare);
  await readInto(array, selection, sink, options);
  const column = sink.finish(product(selection.shape));
  return new Column(column, elementsOf(strings, kind, options.invalidText));
}

async function contextOf(
  { kernels, metadata }: PreparedArray,
  { invalidText }: VariableReadOptions,
): Promise<SinkContext> {
  const kind = metadata.dataType.variable;
  if (kind === undefined) {
    throw new InvalidArgumentError(`expected a data type of variable length, got ${metadata.dataType.name}`);
  }
  return { kernels, strings: await loadStrings(kernels), kind, invalidText };
}

async function readInto(
  array: PreparedArray,
  selection: BasicSelection,
  sink: Sink,
  options: VariableReadOptions,
): Promise<void> {
  const counts = selection.dimensions.map(({ count }) => count);
  const target = { bytes: new Uint8Array(0), offset: 0, strides: cOrderStrides(counts, 1), isBlank: true };
  const { workers: _, ...own } = options;
  await (array.plan === undefined
    ? readSelectionInto(array, selection, target, own, inSink(sink))
    : readPicked(array, target, own, inSink(sink)));
}

/** Elements of variable length, collected by a sink. */
function inSink(sink: Sink): Placing {
  return {
    itemSize: 0,
    run({ line, plan, target, options, done }) {
      const array = withOwnMemory(line);
      const partial = partialOf(array, plan);
      if (partial === undefined) return read(array, plan, placeInSink(sink, array, target), options, done);
      return readFew(array, partial, plan, sink, target, options, done);
    },
  };
}

function elementsOf(strings: Strings, kind: VariableKind, invalidText: InvalidText): ColumnElements<unknown> {
  if (kind.endsWith("bytes")) {
    return {
      kind: "bytes",
      one: (bytes) => bytes,
      all: bytesOf,
    };
  }
  return {
    kind: "text",
    one: (bytes, index) => decodeText(bytes, index, invalidText),
    all(column) {
      return decodeTexts(strings, plain(strings, column), invalidText);
    },
  };
}
