/** SHA-256 of a short text, for programs that start often: loading `node:crypto` is a third of a whole start. */

/** 64 hex digits; the same as `sha256` of hash.ts after its prefix. */
export function smallSha256(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const blocks = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  for (const [index, byte] of bytes.entries()) blocks.setUint8(index, byte);
  blocks.setUint8(bytes.length, 0x80);
  blocks.setUint32(blocks.byteLength - 4, bytes.length * 8);
  const state = roots(2).slice(0, 8);
  const constants = roots(3);
  for (let start = 0; start < blocks.byteLength; start += 64) mix(state, constants, blocks, start);
  return [...state].map((word) => word.toString(16).padStart(8, "0")).join("");
}

function mix(state: Uint32Array, constants: Uint32Array, blocks: DataView, start: number): void {
  const words = new Uint32Array(64);
  for (let i = 0; i < 16; i++) words[i] = blocks.getUint32(start + i * 4);
  for (let i = 16; i < 64; i++) {
    const [early, late] = [at(words, i - 15), at(words, i - 2)];
    const low = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const high = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[i] = at(words, i - 16) + low + at(words, i - 7) + high;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const first = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + at(constants, i) + at(words, i);
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [a, b, c, d, e, f, g, h] = [(first + second) >>> 0, a, b, c, (d + first) >>> 0, e, f, g];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = at(state, i) + word;
}

/** The first 32 bits after the point of the square or cube roots of the first 64 primes, as the standard defines them. */
function roots(degree: 2 | 3): Uint32Array {
  const found = new Uint32Array(64);
  let count = 0;
  for (let n = 2; count < 64; n++) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= n; divisor++) if (n % divisor === 0) isPrime = false;
    if (isPrime) found[count++] = ((degree === 2 ? Math.sqrt(n) : Math.cbrt(n)) % 1) * 2 ** 32;
  }
  return found;
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}
