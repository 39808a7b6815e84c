// Counts numbers. NaN is no number.

/**
 * Adds n floats to statistics: three doubles, which are how many of them are numbers, the least and the
 * greatest.
 */
@inline
function statistics<T>(out: usize, src: usize, n: usize): void {
  const step: usize = 16 / sizeof<T>();
  let least = v128.splat<T>(<T>Infinity), most = v128.splat<T>(<T>(-Infinity)), counts = i32x4.splat(0);
  const end = n - (n % step);
  let i: usize = 0;
  for (; i < end; i += step) {
    const v = v128.load(src + i * sizeof<T>());
    counts = i32x4.sub(counts, v128.eq<T>(v, v));
    // One instruction each, which keeps the first operand unless the second is less (greater): NaN is not.
    least = v128.pmin<T>(least, v);
    most = v128.pmax<T>(most, v);
  }
  let count = i32x4.extract_lane(counts, 0) + i32x4.extract_lane(counts, 2);
  let low: T, high: T;
  if (sizeof<T>() == 4) {
    count += i32x4.extract_lane(counts, 1) + i32x4.extract_lane(counts, 3);
    low = <T>min<f32>(
      min<f32>(f32x4.extract_lane(least, 0), f32x4.extract_lane(least, 1)),
      min<f32>(f32x4.extract_lane(least, 2), f32x4.extract_lane(least, 3)),
    );
    high = <T>max<f32>(
      max<f32>(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1)),
      max<f32>(f32x4.extract_lane(most, 2), f32x4.extract_lane(most, 3)),
    );
  } else {
    low = <T>min<f64>(f64x2.extract_lane(least, 0), f64x2.extract_lane(least, 1));
    high = <T>max<f64>(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1));
  }
  for (; i < n; i++) {
    const value = load<T>(src + i * sizeof<T>());
    if (value != value) continue;
    count++;
    low = min<T>(low, value);
    high = max<T>(high, value);
  }
  store<f64>(out, load<f64>(out) + <f64>count);
  // Adding +0 makes -0 +0, whichever of them came first.
  store<f64>(out, min<f64>(load<f64>(out, 8), <f64>low) + 0.0, 8);
  store<f64>(out, max<f64>(load<f64>(out, 16), <f64>high) + 0.0, 16);
}
export function statisticsF32(out: usize, src: usize, n: usize): void { statistics<f32>(out, src, n); }
export function statisticsF64(out: usize, src: usize, n: usize): void { statistics<f64>(out, src, n); }

/** Counts n floats in `bins` bins of equal width, u32 each, from `low` to `high`, which the last one has. */
@inline
function histogram<T>(counts: usize, bins: i32, src: usize, n: usize, low: f64, high: f64): void {
  const perUnit = <f64>bins / (high - low);
  for (let i: usize = 0; i < n; i++) {
    const value = <f64>load<T>(src + i * sizeof<T>());
    if (!(value >= low && value <= high)) continue;
    const bin = counts + (<usize>min<i32>(<i32>((value - low) * perUnit), bins - 1) << 2);
    store<u32>(bin, load<u32>(bin) + 1);
  }
}
export function histogramF32(counts: usize, bins: i32, src: usize, n: usize, low: f64, high: f64): void { histogram<f32>(counts, bins, src, n, low, high); }
export function histogramF64(counts: usize, bins: i32, src: usize, n: usize, low: f64, high: f64): void { histogram<f64>(counts, bins, src, n, low, high); }
