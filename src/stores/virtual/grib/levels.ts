/** Levels, as eccodes names their types. */
import { FIRST_LEVELS, SECOND_LEVELS } from "./parameter-table.js";

export interface Level {
  /** "isobaricInhPa", "heightAboveGround". */
  readonly type: string;
  /** In the unit of the type. */
  readonly value: number;
}

const tableOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(" ").map((entry) => {
      const at = entry.indexOf("=");
      return [entry.slice(0, at), entry.slice(at + 1)];
    }),
  );

const second = /* @__PURE__ */ tableOf(SECOND_LEVELS);
const first = /* @__PURE__ */ tableOf(FIRST_LEVELS);

const PRESSURE = 100;
const NONE = 255;

/**
 * The level of a field of edition 2.
 * @param value of the first surface; undefined if it has none
 */
export function levelOf(upper: number, value: number | undefined, lower: number): Level {
  const key = lower === NONE ? `${upper}` : `${upper}.${lower}`;
  const type = second.get(key) ?? second.get(`${upper}`) ?? "unknown";
  const stated = value ?? 0;
  if (upper !== PRESSURE) return { type, value: stated };
  // Below 1 hPa levels are in Pa.
  if (type === "isobaricInhPa" && stated > 0 && stated < 100) return { type: "isobaricInPa", value: stated };
  return { type, value: stated / 100 };
}

/** Types of edition 1 with two values of a byte each: layers. */
const LAYERS = [101, 104, 106, 108, 110, 112, 114, 116, 120, 121, 128, 141];

/** The level of a field of edition 1: two bytes, as a number or as the upper and the lower end of a layer. */
export function firstEditionLevel(kind: number, upper: number, lower: number): Level {
  const type = first.get(`${kind}`) ?? "unknown";
  return { type, value: LAYERS.includes(kind) ? upper : upper * 256 + lower };
}
