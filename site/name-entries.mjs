// A plugin of typedoc: modules have the names by which applications import them, and members whose names are
// symbols of the package's own are not shown.
import { Converter, ReflectionKind } from "typedoc";
import { entries } from "./typedoc.config.mjs";

export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    // The module of tiles/index.ts is "tiles".
    for (const module of project.children ?? [])
      module.name = entries.get(module.name) ?? entries.get(`${module.name}/index`) ?? module.name;
    for (const member of project.getReflectionsByKind(ReflectionKind.ClassMember))
      if (/^\[(?!iterator\b)/.test(member.name)) project.removeReflection(member);
  });
}
