/** Options of zarrita's functions, which the functions of the same names take. */

export interface ZarritaSignal {
  /** @deprecated As in zarrita: give `signal` itself. */
  readonly opts?: { readonly signal?: AbortSignal | undefined } | undefined;
}

/** Accepted and ignored: wazarr has `concurrency`. */
export interface ZarritaQueue {
  readonly createQueue?: unknown;
}
