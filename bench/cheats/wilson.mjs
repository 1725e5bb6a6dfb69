/**
 * The 95 % confidence interval of a rate by Wilson's score: it also holds for few cases and for rates of 0 and 1.
 * @param {number} hits
 * @param {number} cases
 * @returns {[number, number] | null} null without cases
 */
export function wilson(hits, cases) {
  if (cases === 0) return null;
  const z = 1.959963984540054;
  const rate = hits / cases;
  const scale = 1 + z ** 2 / cases;
  const middle = (rate + z ** 2 / (2 * cases)) / scale;
  const half = (z / scale) * Math.sqrt((rate * (1 - rate)) / cases + z ** 2 / (4 * cases ** 2));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
