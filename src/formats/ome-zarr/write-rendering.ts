/**
 * Rendering metadata to write: `omero` for channels, `image-label` for label images. The reverse of
 * rendering.ts.
 */
import { checkNames, describe, itemAt, type NamesOf, type NumberType } from "../../extend.js";
import { InvalidArgumentError, type JsonObject } from "../../index.js";
import { rangeOf } from "./channels.js";
import type { WrittenAxis } from "./write-axes.js";

/** How a channel is shown. */
export interface ChannelOption {
  /** Name of the channel: "DAPI". */
  readonly label?: string | undefined;
  /** RGB as six hexadecimal digits: "00FF00". Default: white. */
  readonly color?: string | undefined;
  /**
   * Values from `start` (dark) to `end` (bright). Default: the range of integers of the data type, 0 to 1 for
   * floats.
   */
  readonly window?: { readonly start: number; readonly end: number } | undefined;
  /** Whether the channel is shown at first. Default: true. */
  readonly active?: boolean | undefined;
}

const CHANNEL: NamesOf<ChannelOption> = { label: true, color: true, window: true, active: true };

/** Red, green, blue and alpha, integers from 0 to 255. */
export type LabelColor = readonly [red: number, green: number, blue: number, alpha: number];

/**
 * The member `omero`.
 * @throws InvalidArgumentError for another number of channels than the image has, colours and windows that
 * the specification does not allow
 */
export function omeroOf(
  channels: readonly ChannelOption[],
  dtype: NumberType,
  axes: readonly WrittenAxis[],
  shape: readonly number[],
): JsonObject {
  const axis = axes.findIndex(({ type }) => type === "channel");
  const count = axis < 0 ? 1 : itemAt(shape, axis);
  if (!Array.isArray(channels) || channels.length !== count)
    throw new InvalidArgumentError(
      `channels: expected ${count}, as the image has, got ${describe(channels)}`,
    );
  const [min, max] = rangeOf(dtype);
  return {
    channels: channels.map((channel: ChannelOption, i) => {
      checkNames(channel, `channels[${i}]`, CHANNEL);
      const { label, color = "FFFFFF", window, active = true } = channel;
      const { start, end } = window ?? { start: min, end: max };
      if (!/^[0-9a-f]{6}$/i.test(color)) {
        throw new InvalidArgumentError(
          `channels[${i}].color: expected six hexadecimal digits, got ${describe(color)}`,
        );
      }
      if (!(Number.isFinite(start) && Number.isFinite(end) && start < end)) {
        throw new InvalidArgumentError(
          `channels[${i}].window: expected { start, end } with a start below the end, got ${describe(window)}`,
        );
      }
      const limits = { min: Math.min(min, start), max: Math.max(max, end) };
      const shown = { color: color.toUpperCase(), window: { ...limits, start, end }, active };
      return label === undefined ? shown : { label, ...shown };
    }),
  };
}

/**
 * The member `image-label`.
 * @throws InvalidArgumentError for colours that are not four integers from 0 to 255
 */
export function imageLabelJson(colors: Readonly<Record<number, LabelColor>>, version: string): JsonObject {
  return {
    version,
    source: { image: "../../" },
    colors: Object.entries(colors).map(([value, rgba]) => {
      const isByte = (each: number): boolean => Number.isInteger(each) && each >= 0 && each <= 255;
      if (!Number.isInteger(Number(value)) || rgba.length !== 4 || !rgba.every(isByte)) {
        throw new InvalidArgumentError(
          `colors: expected four integers from 0 to 255 by label value, got ${describe(rgba)} for ${value}`,
        );
      }
      return { "label-value": Number(value), rgba: [...rgba] };
    }),
  };
}
