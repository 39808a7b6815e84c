/**
 * numcodecs' `fixedscaleoffset` (array -> array): stores round((x - offset) * scale), usually as a narrow integer.
 * https://numcodecs.readthedocs.io/en/stable/filter/fixedscaleoffset.html
 * `dtype` is the type of the array (the chunk's own unless given), `astype` the stored one (`dtype` unless given), as numpy spells them.
 * Also `numcodecs.fixedscaleoffset`. Rounded half to even, calculated as numpy does: floats in their own precision, integers as doubles;
 * on reading the stored type decides. Deviations: values that `astype` does not hold are refused on writing, fill values excepted
 * (numcodecs stores something or other), and values that an integer `dtype` does not hold on reading; 64-bit integers with an integral
 * scale and offset are scaled exactly.
 * `{"id": "fixedscaleoffset", "scale": 10, "offset": 1000, "dtype": "<f8", "astype": "|u1"}`
 */

import { describe, InvalidMetadataError } from "../errors.js";
import type { Kernels } from "../kernels/kernels.js";
import type { JsonObject } from "../metadata/json.js";
import type { ArrayToArrayCodec, ChunkSpec, CodecEntry } from "./codec.js";
import { readNumcodecs } from "./configuration.js";
import { refuse, refuseUnlessFill } from "./filters/convert.js";
import { encodedFill } from "./filters/encoded-fill.js";
import { loadFilters, runFilter } from "./filters/kernels.js";
import { aligned, type NumberType } from "./filters/number-type.js";
import { numbersOf, readDtype, typeOfChunk } from "./filters/numcodecs-configuration.js";
import { restate } from "./filters/restate.js";
import { roundScale, unscale } from "./filters/twins/round-scale.js";

const CODEC = "fixedscaleoffset";

const entry: CodecEntry = {
  kind: "array_to_array",
  async load(kernels) {
    await loadFilters(kernels);
  },
  fromConfig(configuration, spec): ArrayToArrayCodec {
    readNumcodecs(CODEC, configuration, ["offset", "scale", "dtype", "astype"]);
    const stated = readDtype(CODEC, configuration, "dtype", typeOfChunk(spec));
    const encodedAs = readDtype(CODEC, configuration, "astype", stated);
    const type = numbersOf(CODEC, stated.dataType, ["integer", "float"]);
    const encodedType = numbersOf(CODEC, encodedAs.dataType, ["integer", "float"]);
    const offset = readNumber(configuration, "offset");
    const scale = readNumber(configuration, "scale");
    if (Number(scale) === 0) {
      throw new InvalidMetadataError("expected a scale that can be divided by, got 0", {
        codec: CODEC,
        member: "configuration.scale",
      });
    }
    const { shape, fill, enter, leave } = restate(CODEC, spec, stated);
    const encodeFill = (target: Uint8Array, source: Uint8Array): void =>
      roundScale(target, encodedType, source, type, offset, scale, refuse(CODEC, encodedType));
    const encoded: ChunkSpec = {
      ...encodedAs,
      shape,
      fillValue: encodedFill(encodedAs.dataType, fill, encodeFill),
    };
    return {
      kind: "array_to_array",
      encoded,
      decode(elements, { kernels }) {
        const source = aligned(elements, encodedType.itemSize);
        const count = source.length / encodedType.itemSize;
        const target = kernels.allocate(count * type.itemSize);
        const name = unscaleKernel(encodedType, type);
        if (!runKernel(kernels, name, target, source, count, offset, scale)) {
          unscale(target, type, source, encodedType, Number(offset), Number(scale), refuse(CODEC, type));
        }
        return leave(target, kernels);
      },
      encode(elements, { kernels }) {
        const source = enter(elements, kernels);
        const count = source.length / type.itemSize;
        const target = kernels.allocate(count * encodedType.itemSize);
        const name = roundScaleKernel(type, encodedType);
        if (!runKernel(kernels, name, target, source, count, offset, scale)) {
          const misfit = refuseUnlessFill(CODEC, encodedType, source, fill);
          roundScale(target, encodedType, source, type, offset, scale, misfit);
        }
        return target;
      },
    };
  },
};
export default entry;

function readNumber(configuration: JsonObject, member: string): number | bigint {
  const json = configuration[member];
  if (typeof json === "bigint" || (typeof json === "number" && Number.isFinite(json))) return json;
  throw new InvalidMetadataError(
    `expected a number, got ${json === undefined ? "nothing" : describe(json)}`,
    {
      codec: CODEC,
      member: `configuration.${member}`,
    },
  );
}

/** True when a kernel did it; false when the twin has to, also for want of a kernel or because some value does not fit. */
function runKernel(
  kernels: Kernels,
  name: string | undefined,
  target: Uint8Array,
  source: Uint8Array,
  count: number,
  offset: number | bigint,
  scale: number | bigint,
): boolean {
  if (name === undefined) return false;
  return runFilter(kernels, name, target, source, count, Number(offset), Number(scale)) === 0;
}

/** As kernels are named: "I16", "U8", "F32". */
function letters(type: NumberType): string {
  return `${type.kind === "float" ? "F" : type.kind === "integer" && type.signed ? "I" : "U"}${type.bits}`;
}
const hasKernel = ({ bits }: NumberType): boolean => bits === 32 || bits === 64;

function roundScaleKernel(type: NumberType, encodedType: NumberType): string | undefined {
  if (type.kind !== "float" || !hasKernel(type)) return undefined;
  const same = type.name === encodedType.name;
  if (!same && (encodedType.kind !== "integer" || encodedType.bits > 32)) return undefined;
  return `roundScale${letters(type)}${letters(encodedType)}`;
}

function unscaleKernel(encodedType: NumberType, type: NumberType): string | undefined {
  if (type.kind !== "float" || !hasKernel(type)) return undefined;
  if (encodedType.name === type.name) return `unscale${letters(type)}`;
  if (encodedType.kind !== "integer" || encodedType.bits > 32) return undefined;
  return `unscale${letters(encodedType)}${letters(type)}`;
}
