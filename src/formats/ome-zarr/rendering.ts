/**
 * Rendering metadata. `omero` describes channels; it is transitional and often incomplete, so missing members
 * are undefined. `image-label` describes the values of a label image.
 */
import { isJsonObject, type Member } from "../../extend.js";
import { isZarrError, type Json } from "../../index.js";
import { optionalList, optionalNumber, optionalString } from "./members.js";
import type { OmeMetadata } from "./metadata.js";

/**
 * Contrast window of a channel: values from `start` (dark) to `end` (bright). `min` and `max` limit the
 * possible values.
 */
export interface ChannelWindow {
  /** The least possible value. */
  readonly min: number | undefined;
  /** The greatest possible value. */
  readonly max: number | undefined;
  /** The value that is shown dark. */
  readonly start: number | undefined;
  /** The value that is shown bright. */
  readonly end: number | undefined;
}

/** How to show a channel. */
export interface Channel {
  /** Name of the channel: "DAPI". */
  readonly label: string | undefined;
  /** RGB as six hexadecimal digits in upper case: "00FF00". */
  readonly color: string | undefined;
  /** Undefined if the metadata have none: use the range of the values. */
  readonly window: ChannelWindow | undefined;
  /** Whether to show the channel initially. Default: true. */
  readonly active: boolean;
  /** Whether small values are bright. Default: false. */
  readonly inverted: boolean;
  /** Parameter of the family of intensity maps. */
  readonly coefficient: number | undefined;
  /** Family of the intensity map: "linear" and others. */
  readonly family: string | undefined;
}

/** Rendering settings of an image. */
export interface Rendering {
  /** The name of the image in `omero`, which viewers show as its title; undefined if there is none. */
  readonly name: string | undefined;
  /** Channels, in the order of the channel axis. */
  readonly channels: readonly Channel[];
  /** Initial index along t. */
  readonly defaultT: number | undefined;
  /** Initial index along z. */
  readonly defaultZ: number | undefined;
  /** "color" or "greyscale". */
  readonly model: string | undefined;
}

/** Parses `omero`. Invalid metadata become a warning, not an error: the image can be read without them. */
export function renderingOf({ member, warnings }: OmeMetadata): Rendering | undefined {
  const omero = member.get("omero");
  if (omero.isNull) return undefined;
  try {
    const settings = omero.get("rdefs");
    const rdefs = isJsonObject(settings.json) ? settings : settings.as({});
    return {
      name: optionalString(omero.get("name")),
      channels: optionalList(omero.get("channels")).map(channelOf),
      defaultT: optionalNumber(rdefs.get("defaultT")),
      defaultZ: optionalNumber(rdefs.get("defaultZ")),
      model: optionalString(rdefs.get("model")),
    };
  } catch (error) {
    if (!isZarrError(error, "InvalidMetadataError")) throw error;
    warnings.push(`${error.message}: rendering settings are ignored`);
    return undefined;
  }
}

function channelOf(channel: Member): Channel {
  const window = channel.get("window");
  const active = channel.get("active");
  return {
    label: optionalString(channel.get("label")),
    color: colorOf(channel.get("color")),
    window: window.isNull
      ? undefined
      : {
          min: optionalNumber(window.get("min")),
          max: optionalNumber(window.get("max")),
          start: optionalNumber(window.get("start")),
          end: optionalNumber(window.get("end")),
        },
    active: active.isNull || active.json === true,
    inverted: channel.get("inverted").json === true,
    coefficient: optionalNumber(channel.get("coefficient")),
    family: optionalString(channel.get("family")),
  };
}

/** Parses a colour. Some writers add a leading "#" or a trailing alpha, or use lower case. */
function colorOf(member: Member): string | undefined {
  if (member.isNull) return undefined;
  const [, digits] = /^#?([0-9a-f]{6})(?:[0-9a-f]{2})?$/i.exec(member.string()) ?? [];
  if (digits === undefined) throw member.invalid("six hexadecimal digits");
  return digits.toUpperCase();
}

/** Contents of `image-label`. */
export interface ImageLabel {
  /** [red, green, blue, alpha], each 0 to 255, by label value. */
  readonly colors: ReadonlyMap<number, readonly [number, number, number, number]>;
  /** Other members of `properties`, by label value. */
  readonly properties: ReadonlyMap<number, Readonly<Record<string, Json>>>;
  /** Path of the labelled image relative to the group of the label image. Default: "../../". */
  readonly source: string;
}

/** @throws InvalidMetadataError with the member */
export function imageLabelOf(member: Member): ImageLabel {
  const source = member.get("source");
  const colors = new Map<number, readonly [number, number, number, number]>();
  for (const item of optionalList(member.get("colors"))) {
    const rgba = item.get("rgba");
    const [r = 0, g = 0, b = 0, a = 255] = rgba.isNull ? [] : rgba.numbers(4);
    if ([r, g, b, a].some((value) => !Number.isInteger(value) || value < 0 || value > 255)) {
      throw rgba.invalid("four integers from 0 to 255");
    }
    if (!rgba.isNull) colors.set(item.get("label-value").number(), [r, g, b, a]);
  }
  const properties = new Map<number, Readonly<Record<string, Json>>>();
  for (const item of optionalList(member.get("properties"))) {
    properties.set(item.get("label-value").number(), item.others(["label-value"]));
  }
  const image = isJsonObject(source.json) ? optionalString(source.get("image")) : undefined;
  return { colors, properties, source: image ?? "../../" };
}
