/**
 * The order in which a block has its coefficients: by frequency. Of each, where in the block it belongs: its
 * index along the fastest dimension, plus 4 times that along the next, and so on.
 */
import { at } from "../../../core/for-codecs.js";

/** By dimensions, in hexadecimal digits. zfp's own: ties have no rule. */
const ORDERS = [
  "00010203",
  "0001040502080609030c0a070d0b0e0f",
  "0001041014110502082015061218092124030c3016192528220a07131c0d313429261a171d350b232c0e32382a1b272d" +
    "1e36393c330f2b2e3a3d371f3e3b2f3f",
  "00010410400550114441140208208054514515061242184809602124818490030c30c055524616491958256461949185" +
    "0aa0228882280713431c4c0d703134c1c4d056596595a189298626a41a989268624a5347174d1d5c357471d4d1c50b23" +
    "832c8c0eb03238c2c8e05aa566999669a8a28a2a575d75d51b4b632787936c2d8d9c1e4eb1b436727839c6d2d8c9e1e4" +
    "0ff033ccc33ca9a69a6a5b67976d9d5eb57679d6d9e5a38b2b8e2eac3ab8b2e8e2caf1cd3dc737f41fdcd37c734faaa7" +
    "9b6b9e6ead7ab9b6e9e6da5ff577ddd77df2ce3ecb3bf82fece3bcb38fabaebaeaf6de7edb7bf96fede7bdb79ffcf3cf" +
    "3faffabbeeebbefdf7df7ffefbefbfff",
];

/** @param dimensions 1 to 4 */
export const orderOf = (dimensions: number): Uint8Array =>
  Uint8Array.from(at(ORDERS, dimensions - 1).match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
