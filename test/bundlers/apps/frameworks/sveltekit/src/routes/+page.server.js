import { read } from "../../read.js";

export const load = async () => ({ row: await read(process.env.DATA) });
