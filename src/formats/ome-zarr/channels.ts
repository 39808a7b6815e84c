/**
 * The channels of an image with everything that is needed to show them: what `omero` leaves out is assumed.
 */
import { type DataTypeName, NotFoundError, type Array as ZarrArray } from "../../index.js";
import type { Channel } from "./rendering.js";

/** A channel as it is shown: what `omero` does not state is the default. */
export interface ShownChannel extends Channel {
  /** "Channel 0" unless stated, by its index. */
  readonly label: string;
  /** White unless stated if it is the only channel; otherwise red, green, blue, magenta, cyan, yellow. */
  readonly color: string;
  /**
   * Unless stated, all integers of the data type, and 0 to 1 for other numbers: a range that no value is
   * outside of, not the range of the values.
   */
  readonly window: {
    readonly min: number;
    readonly max: number;
    readonly start: number;
    readonly end: number;
  };
}

const COLORS = ["FF0000", "00FF00", "0000FF", "FF00FF", "00FFFF", "FFFF00"] as const;

/**
 * @param count number of channels of the image; undefined if no array is open
 * @param array any of its levels, for its data type
 * @throws NotFoundError if a channel has no window and no array is open
 */
export function shownChannels(
  stated: readonly Channel[],
  count: number | undefined,
  array: ZarrArray<DataTypeName> | undefined,
): ShownChannel[] {
  const length = count ?? stated.length;
  return Array.from({ length }, (_, i) => {
    const channel = stated[i];
    const { min, max, start = min, end = max } = channel?.window ?? {};
    const isStated = min !== undefined && max !== undefined && start !== undefined && end !== undefined;
    if (!isStated && array === undefined) throw noLevel();
    const [least, most] = rangeOf(array?.dataType.name ?? "");
    return {
      active: true,
      inverted: false,
      coefficient: undefined,
      family: undefined,
      ...channel,
      label: channel?.label ?? `Channel ${i}`,
      color: channel?.color ?? (length === 1 ? "FFFFFF" : (COLORS[i % COLORS.length] ?? "FFFFFF")),
      window: {
        min: min ?? least,
        max: max ?? most,
        start: start ?? least,
        end: end ?? most,
      },
    };
  });
}

function noLevel(): NotFoundError {
  return new NotFoundError(
    "no level is open, so the range of a channel without a window is unknown; open a level, or use image.rendering",
  );
}

/** The integers of a data type; 0 to 1 for floats. */
export function rangeOf(dtype: string): readonly [number, number] {
  const [, unsigned, bits] = /^(u?)int(\d+)$/.exec(dtype) ?? [];
  if (bits === undefined) return [0, 1];
  return unsigned === "u"
    ? [0, 2 ** Number(bits) - 1]
    : [-(2 ** (Number(bits) - 1)), 2 ** (Number(bits) - 1) - 1];
}
