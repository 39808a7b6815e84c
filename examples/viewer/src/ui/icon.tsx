/** Icons of Lucide, beside words or with a name of their own. */
import { h } from "preact";

type IconNode = readonly (readonly [tag: string, attributes: Readonly<Record<string, unknown>>])[];

export const Icon = ({ of }: { readonly of: IconNode }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    {of.map(([tag, attributes]) => h(tag, { ...attributes }))}
  </svg>
);
