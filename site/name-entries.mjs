// A plugin of typedoc: modules have the names by which applications import them.
import { Converter } from "typedoc";
import { entries } from "./typedoc.config.mjs";

export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? []) module.name = entries.get(module.name) ?? module.name;
  });
}
