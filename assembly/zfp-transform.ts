// Coefficients of a block of zfp, 4^d of them, to integers: out of the order of their frequencies, out of
// negabinary, and through the inverse of a transform along each dimension, from the slowest to the fastest.
// All is calculated modulo 2^32 or 2^64.

/** @param order where in the block each coefficient belongs, a byte each */
@inline
export function orderCoefficients<T>(block: usize, coefficients: usize, size: u32, order: usize): void {
  const mask = <T>0xaaaaaaaaaaaaaaaa;
  for (let i: usize = 0; i < size; i++) {
    const to = block + <usize>load<u8>(order + i) * sizeof<T>();
    store<T>(to, (load<T>(coefficients + i * sizeof<T>()) ^ mask) - mask);
  }
}

/** The inverse along a dimension of `stride` bytes, a multiple of a vector, at `at` and beside it. */
@inline
function liftVectors<T>(at: usize, stride: usize, isReversible: bool): void {
  let x = v128.load(at), y = v128.load(at + stride), z = v128.load(at + 2 * stride), w = v128.load(at + 3 * stride);
  if (isReversible) {
    w = v128.add<T>(w, z);
    z = v128.add<T>(z, y);
    w = v128.add<T>(w, z);
    y = v128.add<T>(y, x);
    z = v128.add<T>(z, y);
    w = v128.add<T>(w, z);
  } else {
    y = v128.add<T>(y, v128.shr<T>(w, 1));
    w = v128.sub<T>(w, v128.shr<T>(y, 1));
    y = v128.add<T>(y, w);
    w = v128.sub<T>(w, v128.sub<T>(y, w));
    z = v128.add<T>(z, x);
    x = v128.sub<T>(x, v128.sub<T>(z, x));
    y = v128.add<T>(y, z);
    z = v128.sub<T>(z, v128.sub<T>(y, z));
    w = v128.add<T>(w, x);
    x = v128.sub<T>(x, v128.sub<T>(w, x));
  }
  v128.store(at, x);
  v128.store(at + stride, y);
  v128.store(at + 2 * stride, z);
  v128.store(at + 3 * stride, w);
}

/** The same of four neighbours. */
@inline
function liftRow<T>(at: usize, isReversible: bool): void {
  let x = load<T>(at), y = load<T>(at, sizeof<T>()), z = load<T>(at, 2 * sizeof<T>()), w = load<T>(at, 3 * sizeof<T>());
  if (isReversible) {
    w += z;
    z += y;
    w += z;
    y += x;
    z += y;
    w += z;
  } else {
    y += w >> 1;
    w -= y >> 1;
    y += w;
    w -= y - w;
    z += x;
    x -= z - x;
    y += z;
    z -= y - z;
    w += x;
    x -= w - x;
  }
  store<T>(at, x);
  store<T>(at, y, sizeof<T>());
  store<T>(at, z, 2 * sizeof<T>());
  store<T>(at, w, 3 * sizeof<T>());
}

/** @param T a type with a sign, whose halves keep it */
@inline
export function invertTransform<T>(block: usize, size: u32, isReversible: bool): void {
  const end = block + <usize>size * sizeof<T>();
  for (let stride = (<usize>size >> 2) * sizeof<T>(); stride > sizeof<T>(); stride >>= 2) {
    for (let at = block; at < end; at += 4 * stride) {
      for (let i: usize = 0; i < stride; i += 16) liftVectors<T>(at + i, stride, isReversible);
    }
  }
  for (let at = block; at < end; at += 4 * sizeof<T>()) liftRow<T>(at, isReversible);
}
