/** Names of parameters, as eccodes has them. Numbers that it does not name are a name of their own. */
import { FIRST_EDITION, PARAMETERS, SECOND_EDITION } from "./parameter-table.js";

export interface Parameter {
  /** The `paramId` of ECMWF; 0 for a parameter without a name. */
  readonly id: number;
  readonly shortName: string;
  /** The name of the variable, as cfgrib has it. */
  readonly variable: string;
  readonly name: string;
  readonly units: string;
  /** The standard name of CF; "" if there is none. */
  readonly standardName: string;
}

/** A parameter, and others where a condition holds. */
interface Rule {
  readonly otherwise: number | undefined;
  readonly others: ReadonlyMap<string, number>;
}

let parameters: ReadonlyMap<number, Parameter> | undefined;
let second: ReadonlyMap<string, Rule> | undefined;
let first: ReadonlyMap<string, Rule> | undefined;

function readParameters(): ReadonlyMap<number, Parameter> {
  return new Map(
    PARAMETERS.split("\n").map((line) => {
      const [id = "", shortName = "", variable = "", name = "", units = "", standardName = ""] =
        line.split("|");
      const parameter = { shortName, variable: variable || shortName, name, units, standardName };
      return [Number(id), { id: Number(id), ...parameter }];
    }),
  );
}

function readRules(text: string): ReadonlyMap<string, Rule> {
  return new Map(
    text.split("\n").map((line) => {
      const [key = "", otherwise = "", ...more] = line.split(" ");
      const others = more.map((each): [string, number] => {
        const [condition = "", id = ""] = each.split("=");
        return [condition, Number(id)];
      });
      return [key, { otherwise: otherwise === "" ? undefined : Number(otherwise), others: new Map(others) }];
    }),
  );
}

function named(rule: Rule | undefined, conditions: readonly string[], numbers: string): Parameter {
  parameters ??= readParameters();
  const ids = conditions.map((condition) => rule?.others.get(condition));
  const id = ids.find((each) => each !== undefined) ?? rule?.otherwise;
  const found = id === undefined ? undefined : parameters.get(id);
  if (found !== undefined) return found;
  const name = `parameter_${numbers.replaceAll(".", "_")}`;
  return {
    id: 0,
    shortName: name,
    variable: name,
    name: `parameter ${numbers}`,
    units: "",
    standardName: "",
  };
}

/** Centres that have numbers of their own in the tables of WMO. */
const LOCAL = [7, 98];

function ruleOf(rules: ReadonlyMap<string, Rule>, numbers: string, centre: number): Rule | undefined {
  const local = LOCAL.includes(centre) ? rules.get(`${numbers}.${centre}`) : undefined;
  return local ?? rules.get(numbers);
}

/**
 * The parameter of a field of edition 2.
 * @param numbers discipline, category and number, with points
 * @param statistic its statistical processing; undefined: the field is of one moment
 */
export function parameterOf(
  numbers: string,
  centre: number,
  statistic: number | undefined,
  surface: number,
  value: number | undefined,
): Parameter {
  second ??= readRules(SECOND_EDITION);
  const rule = ruleOf(second, numbers, centre);
  const level = [`:${surface}:${value}`, `:${surface}:`];
  const processed = statistic === undefined ? [] : [...level, "::"].map((each) => `${statistic}${each}`);
  const conditions = [...processed, ...level];
  return named(rule, conditions, numbers);
}

/** The parameter of a field of edition 1. @param numbers its table and number, with a point */
export function firstEditionParameter(
  numbers: string,
  centre: number,
  surface: number,
  value: number,
): Parameter {
  first ??= readRules(FIRST_EDITION);
  const rule = ruleOf(first, numbers, centre);
  return named(rule, [`${surface}:${value}`, `${surface}:`], numbers);
}
