"""Test data that Python and TypeScript make alike, so that fixtures need not hold it: see test/core/codecs/recipes.ts."""

WORDS = b"chunk shard store array group codec zarr index fill value order shape stride block byte level".split()


def generator():
    state = 1
    while True:
        state = (state * 1103515245 + 12345) % 2**32
        yield state >> 16


def make(recipe: str, length: int) -> bytes:
    numbers = generator()
    if recipe == "zeros":
        return bytes(length)
    if recipe == "noise":
        return bytes(next(numbers) & 255 for _ in range(length))
    if recipe == "words":
        out = bytearray()
        while len(out) < length:
            out += WORDS[next(numbers) % len(WORDS)] + b" "
        return bytes(out[:length])
    if recipe == "field":
        # Little-endian int32 values that change slowly, with four bits of noise.
        out = bytearray()
        k = 0
        while len(out) < length:
            out += ((k * k >> 7) + (next(numbers) & 15)).to_bytes(4, "little")
            k = (k + 1) % 8192
        return bytes(out[:length])
    if recipe == "far":
        # The same noise again and again, 3 KiB apart from each other: long matches at long distances.
        noise = make("noise", 3072)
        return bytes(noise[i % 3072] ^ (1 if i % 1000 == 999 else 0) for i in range(length))
    raise ValueError(recipe)
