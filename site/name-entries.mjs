// A plugin of typedoc: modules have the names by which applications import them. Members whose names are
// symbols of the package's own are not shown, and what a class inherits is shown where it is declared, to
// which a link leads.
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
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    const inherited = project
      .getReflectionsByKind(ReflectionKind.Class)
      .flatMap(({ children = [] }) => children.filter((member) => member.inheritedFrom?.reflection));
    for (const member of inherited) project.removeReflection(member);
  });
}
