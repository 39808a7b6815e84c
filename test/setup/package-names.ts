/** Examples name the package, as applications do: the entries whose code is in src/main are their sources. */
const sources = `${import.meta.dirname}/../../src`;

export const resolve = {
  alias: [
    { find: /^wazarr$/, replacement: `${sources}/index.ts` },
    {
      find: /^wazarr\/(caches|codecs|copy|data-types|reading|stores)$/,
      replacement: `${sources}/main/$1.ts`,
    },
  ],
};
