/** What a name in a group leads to. */
export type Link =
  | { readonly name: string; readonly kind: "hard"; readonly address: number }
  | { readonly name: string; readonly kind: "soft"; readonly to: string }
  /** Of another file, or of a kind that an application made up. */
  | { readonly name: string; readonly kind: "foreign"; readonly to: string };
