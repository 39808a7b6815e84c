/** The parameters that HDF5 keeps with a filter: a list of unsigned integers. */

import {
  isIntegerIn,
  isJsonArray,
  type JsonObject,
  readConfiguration,
  wrongMember,
} from "../../../core/for-codecs.js";

/** @throws InvalidMetadataError for anything but a list of at least `least` integers */
export function readParameters(codec: string, configuration: JsonObject, least: number): readonly number[] {
  readConfiguration(codec, configuration, ["parameters"]);
  const { parameters } = configuration;
  const numbers = isJsonArray(parameters)
    ? parameters.filter((value): value is number => isIntegerIn(value, 0, 2 ** 32 - 1))
    : [];
  if (isJsonArray(parameters) && numbers.length === parameters.length && numbers.length >= least)
    return numbers;
  throw wrongMember(
    codec,
    "parameters",
    `a list of ${least} or more integers from 0 to 2^32 - 1`,
    parameters,
  );
}
