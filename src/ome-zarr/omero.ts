/** `omero`: how an image's channels are shown. It is transitional and often incomplete, so what is missing stays undefined. */
import { isZarrError } from "../errors.js";
import { isJsonObject } from "../metadata/json.js";
import type { Member } from "../metadata/member.js";
import { optionalNumber, optionalString } from "./members.js";
import type { OmeMetadata } from "./version.js";

/** How values of a channel become brightness: from `start` (dark) to `end` (bright), within what is possible, `min` to `max`. */
export interface ChannelWindow {
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly start: number | undefined;
  readonly end: number | undefined;
}

export interface Channel {
  readonly label: string | undefined;
  /** Six hexadecimal digits, red green blue, in capitals: "00FF00". */
  readonly color: string | undefined;
  readonly window: ChannelWindow | undefined;
  /** Whether it is shown at first; true unless the file says otherwise. */
  readonly active: boolean;
  readonly inverted: boolean;
  readonly coefficient: number | undefined;
  /** "linear" and others. */
  readonly family: string | undefined;
}

/** Rendering settings of an image. */
export interface Rendering {
  readonly channels: readonly Channel[];
  /** The indices along t and z to show first. */
  readonly defaultT: number | undefined;
  readonly defaultZ: number | undefined;
  /** "color" or "greyscale". */
  readonly model: string | undefined;
}

/** What is wrong becomes a warning: an image can be read without it. */
export function renderingOf({ member, warnings }: OmeMetadata): Rendering | undefined {
  const omero = member.get("omero");
  if (omero.isNull) return undefined;
  try {
    const channels = omero.get("channels");
    const settings = omero.get("rdefs");
    const rdefs = isJsonObject(settings.json) ? settings : settings.as({});
    return {
      channels: channels.isNull ? [] : channels.list().map(channelOf),
      defaultT: optionalNumber(rdefs.get("defaultT")),
      defaultZ: optionalNumber(rdefs.get("defaultZ")),
      model: optionalString(rdefs.get("model")),
    };
  } catch (error) {
    if (!isZarrError(error, "InvalidMetadataError")) throw error;
    warnings.push(`${error.message}: rendering settings are left out`);
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

/** With "#" in front, in small letters, and with alpha behind are what writers make of it, too. */
function colorOf(member: Member): string | undefined {
  if (member.isNull) return undefined;
  const [, digits] = /^#?([0-9a-f]{6})(?:[0-9a-f]{2})?$/i.exec(member.string()) ?? [];
  if (digits === undefined) throw member.invalid("six hexadecimal digits");
  return digits.toUpperCase();
}
