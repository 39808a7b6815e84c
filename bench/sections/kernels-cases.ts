/** The cases of kernels.ts: the shapes of copies that reading and writing chunks uses. */
import { isFilledWith } from "../../src/kernels/filled.js";
import type { CopyRequest, Kernels, SwapUnit } from "../../src/kernels/kernels.js";

export interface KernelCase {
  readonly name: string;
  /** Result bytes per call. */
  readonly payload: number;
  readonly source: number;
  readonly target: number;
  /** The copy to run if there is no `run`. */
  readonly request: CopyRequest;
  readonly run?: (kernels: Kernels, target: Uint8Array, source: Uint8Array) => unknown;
}

export function kernelCases(byteLength: number): KernelCase[] {
  return [
    ...[2, 4, 8, 16].map((unit) =>
      swapCase(byteLength, unit === 2 ? 2 : unit === 4 ? 4 : unit === 8 ? 8 : 16),
    ),
    ...[12, 16, 24, 48, 64, 256, 1024, 4096].map((row) => rows(byteLength, row, 1)),
    rows(byteLength, 64, 4),
    ...[2, 3, 4, 16, -1, -2].map((step) => gather(byteLength, 4, step, 1)),
    gather(byteLength, 4, 2, 4),
    gather(byteLength, 4, 3, 4),
    ...[1, 2, 8, 16].flatMap((width) => [gather(byteLength, width, 2, 1), gather(byteLength, width, 3, 1)]),
    ...[1, 2, 4, 8, 16].map((width) => scatter(byteLength, width, 2)),
    general(byteLength, 4),
    ...[1, 2, 4, 8, 16].map((width) => reversedOrder(byteLength, width, 1)),
    reversedOrder(byteLength, 4, 4),
    ...[1, 2, 4, 8, 16].map((width) => matrix(byteLength, width)),
    oddMatrix(byteLength, 4),
    interleave(byteLength, 1, 3),
    deinterleave(byteLength, 1, 3),
    interleave(byteLength, 4, 3),
    cycle(byteLength, 4),
    steppedCube(byteLength, 4),
    ...[1, 2, 4].map((width) => thinCube(byteLength, width)),
    ...[1, 4, 8].map((width) => steppedReversedOrder(byteLength, width)),
    {
      ...plain("fill with 4 bytes", byteLength),
      run: (kernels, target) => kernels.fill(target, FILL_PATTERN),
    },
    {
      ...plain("is filled with 4 bytes", byteLength),
      run: (kernels, target) =>
        isFilledWith(kernels, target, target.subarray(0, 4)) || kernels.fill(target, FILL_PATTERN),
    },
  ];
}

const FILL_PATTERN = new Uint8Array([0, 0, 192, 127]);

function plain(name: string, byteLength: number): KernelCase {
  const request: CopyRequest = {
    shape: [byteLength],
    targetStrides: [1],
    sourceStrides: [1],
    width: 1,
    swapUnit: 1,
  };
  return { name, payload: byteLength, source: byteLength, target: byteLength, request };
}

function swapCase(byteLength: number, unit: SwapUnit): KernelCase {
  return {
    ...plain(`byte swap ${unit}`, byteLength),
    run: (kernels, target, source) => kernels.swap(target, source, unit),
  };
}

function copyCase(name: string, request: CopyRequest): KernelCase {
  const { shape, targetStrides, sourceStrides, width } = request;
  const span = (strides: readonly number[]) =>
    shape.reduce((sum, extent, i) => sum + (extent - 1) * Math.abs(strides[i] ?? 0), width);
  const payload = shape.reduce((product, extent) => product * extent, width);
  return { name, payload, source: span(sourceStrides), target: span(targetStrides), request };
}

function rows(byteLength: number, row: number, swapUnit: SwapUnit): KernelCase {
  return copyCase(`rows of ${row} B${swapUnit > 1 ? ` + swap ${swapUnit}` : ""}`, {
    shape: [Math.floor(byteLength / row), row / 4],
    targetStrides: [row, 4],
    sourceStrides: [row * 2, 4],
    width: 4,
    swapUnit,
  });
}

function gather(byteLength: number, width: number, step: number, swapUnit: SwapUnit): KernelCase {
  return copyCase(`gather ${width} B, step ${step}${swapUnit > 1 ? ` + swap ${swapUnit}` : ""}`, {
    shape: [byteLength / width],
    targetStrides: [width],
    sourceStrides: [width * step],
    width,
    swapUnit,
  });
}

function scatter(byteLength: number, width: number, step: number): KernelCase {
  return copyCase(`scatter ${width} B, step ${step}`, {
    shape: [byteLength / width],
    targetStrides: [width * step],
    sourceStrides: [width],
    width,
    swapUnit: 1,
  });
}

function general(byteLength: number, width: number): KernelCase {
  return copyCase(`both strided ${width} B, step 2`, {
    shape: [byteLength / width],
    targetStrides: [width * 2],
    sourceStrides: [width * 2],
    width,
    swapUnit: 1,
  });
}

/** F order to C order of a cube. Sides that are powers of two are the worst case for caches. */
function reversedOrder(byteLength: number, width: number, swapUnit: SwapUnit): KernelCase {
  const side = 2 ** Math.floor(Math.log2(byteLength / width) / 3);
  return copyCase(`F to C, ${side}^3 x ${width} B${swapUnit > 1 ? ` + swap ${swapUnit}` : ""}`, {
    shape: [side, side, side],
    targetStrides: [side * side * width, side * width, width],
    sourceStrides: [width, side * width, side * side * width],
    width,
    swapUnit,
  });
}

function matrix(byteLength: number, width: number): KernelCase {
  const side = 2 ** Math.floor(Math.log2(byteLength / width) / 2);
  return copyCase(`transpose ${side}x${side} x ${width} B`, {
    shape: [side, side],
    targetStrides: [side * width, width],
    sourceStrides: [width, side * width],
    width,
    swapUnit: 1,
  });
}

function oddMatrix(byteLength: number, width: number): KernelCase {
  const side = Math.floor(Math.sqrt(byteLength / width)) - 3;
  return copyCase(`transpose ${side}x${side} x ${width} B`, {
    shape: [side, side],
    targetStrides: [side * width, width],
    sourceStrides: [width, side * width],
    width,
    swapUnit: 1,
  });
}

/** Planes to interleaved pixels. */
function interleave(byteLength: number, width: number, channels: number): KernelCase {
  const pixels = Math.floor(byteLength / width / channels);
  return copyCase(`interleave ${channels} x ${width} B`, {
    shape: [pixels, channels],
    targetStrides: [channels * width, width],
    sourceStrides: [width, pixels * width],
    width,
    swapUnit: 1,
  });
}

function deinterleave(byteLength: number, width: number, channels: number): KernelCase {
  const pixels = Math.floor(byteLength / width / channels);
  return copyCase(`deinterleave ${channels} x ${width} B`, {
    shape: [channels, pixels],
    targetStrides: [pixels * width, width],
    sourceStrides: [width, channels * width],
    width,
    swapUnit: 1,
  });
}

/** Transposition [2, 0, 1]: a permutation that is not its own inverse. */
function cycle(byteLength: number, width: number): KernelCase {
  const side = 2 ** Math.floor(Math.log2(byteLength / width) / 3);
  return copyCase(`order [2, 0, 1], ${side}^3 x ${width} B`, {
    shape: [side, side, side],
    targetStrides: [side * side * width, side * width, width],
    sourceStrides: [width, side * side * width, side * width],
    width,
    swapUnit: 1,
  });
}

/** `[::2, ::2, ::2]` of a chunk. */
function steppedCube(byteLength: number, width: number): KernelCase {
  const side = 2 ** Math.floor(Math.log2(byteLength / width) / 3);
  return copyCase(`[::2, ::2, ::2] of ${side * 2}^3 x ${width} B`, {
    shape: [side, side, side],
    targetStrides: [side * side * width, side * width, width],
    sourceStrides: [side * side * width * 8, side * width * 4, width * 2],
    width,
    swapUnit: 1,
  });
}

/** Two elements of each row. */
function thinCube(byteLength: number, width: number): KernelCase {
  const side = 2 ** Math.floor(Math.log2(byteLength / width / 2) / 2);
  return copyCase(`[::2, ::2, ::2] of ${side * 2}^2 x 4 x ${width} B`, {
    shape: [side, side, 2],
    targetStrides: [side * 2 * width, 2 * width, width],
    sourceStrides: [side * width * 16, width * 8, width * 2],
    width,
    swapUnit: 1,
  });
}

/** Two elements of each row of a cube in F order. */
function steppedReversedOrder(byteLength: number, width: number): KernelCase {
  const side = 2 ** Math.floor(Math.log2(byteLength / width) / 3);
  return copyCase(`[::2, ::2, ::2] of ${side * 2}^3 x ${width} B, F to C`, {
    shape: [side, side, side],
    targetStrides: [side * side * width, side * width, width],
    sourceStrides: [width * 2, side * width * 4, side * side * width * 8],
    width,
    swapUnit: 1,
  });
}
