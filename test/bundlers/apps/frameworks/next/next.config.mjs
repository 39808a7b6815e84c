// Where Next.js itself is.
export default { turbopack: { root: process.env.FRAMEWORKS } };
