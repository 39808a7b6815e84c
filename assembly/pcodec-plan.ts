// The plan of a page: what stands before its first batch, and scratch memory.
// src/codecs/numbers/pcodec/plan.ts writes it, in words of 32 bits, and has the same places by name. Offsets
// count bytes from the start of the plan.

// The head.
export const MODE: usize = 0;
/**
 * Of 64 bits: the multiplier (as a latent), the bits of a quantum, or where in the source a dictionary
 * begins.
 */
export const ARGUMENT: usize = 4;
/** How many numbers a dictionary has. */
export const DICTIONARY_LENGTH: usize = 12;
/** Bits of a number, 8 to 64. */
export const WIDTH: usize = 16;
/** Of numbers: 0 without a sign, 1 with a sign, 2 floats. */
export const KIND: usize = 20;
export const DELTA: usize = 24;
/** Latents that a page states before its batches. */
export const STATE_LENGTH: usize = 28;
/** The farthest lookback, or the bits that a prediction is shifted by. */
export const REACH: usize = 32;
/** Latents that the window of a lookback has room for. */
export const CAPACITY: usize = 36;
/** Offset of a convolution's bias (64 bits) and weights (32 bits each). */
export const WEIGHTS: usize = 40;
/** Offset of scratch memory. */
export const SCRATCH: usize = 44;

export const INT_MULT: u32 = 1;
export const FLOAT_MULT: u32 = 2;
export const FLOAT_QUANT: u32 = 3;
export const DICT: u32 = 4;

export const CONSECUTIVE: u32 = 1;
export const LOOKBACK: u32 = 2;

// A variable: the deltas' lookbacks, primary, secondary. Its first word is its latents' width, 0 if it is
// absent.
const FIRST_VARIABLE: usize = 48;
const VARIABLE_LENGTH: usize = 48;
export const BIN_COUNT: usize = 4;
/**
 * Offset of the bins: of each its least latent, the mask and the width (32 bits) of offsets, in four latents'
 * room.
 */
export const BINS: usize = 8;
/**
 * Offset of the states of the entropy decoder: of each how many bits it reads (8 bits), their mask (16 bits
 * from byte 2 on), the next state if they are 0 (16 bits), its bin (16 bits).
 */
export const NODES: usize = 12;
/** The greatest width of offsets. */
export const WIDEST: usize = 16;
/** How many latents the page states, 0 for a variable without deltas; and their offset, 64 bits each. */
export const STORED: usize = 20;
export const STORED_AT: usize = 24;
/** Offset of the window of a lookback. */
export const WINDOW: usize = 28;
/** The four states. */
export const STATES: usize = 32;

// Scratch memory: bins of a batch, latents of the three variables, and of a convolution.
const BATCH_LENGTH: usize = 256;
const SYMBOLS_LENGTH: usize = 2 * BATCH_LENGTH;

@inline
export function head(plan: usize, field: usize): u32 {
  return load<u32>(plan + field);
}

@inline
export function variable(plan: usize, v: u32): usize {
  return plan + FIRST_VARIABLE + <usize>v * VARIABLE_LENGTH;
}

/** The address of what a field of a variable has the offset of. */
@inline
export function at(plan: usize, variable: usize, field: usize): usize {
  return plan + load<u32>(variable + field);
}

@inline
export function symbols(plan: usize): usize {
  return plan + head(plan, SCRATCH);
}

/** The latents of variable `v` in the current batch; of v = 3, those of a convolution, up to 32 more. */
@inline
export function batch<T>(plan: usize, v: u32): usize {
  return symbols(plan) + SYMBOLS_LENGTH + <usize>v * BATCH_LENGTH * sizeof<T>();
}
