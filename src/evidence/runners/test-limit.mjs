/** How long a single test may run. Plain JavaScript, because runners load it. */

/**
 * A busy machine takes longer than the project expects, but tests that wait for ever must leave time for the others.
 * @param own the project's limit in milliseconds; 0: none
 * @param longest half of the whole run's time
 */
export function limitFor(own, longest) {
  const milliseconds = Number(own);
  return milliseconds > 0 ? Math.min(longest, Math.max(longest / 5, 10 * milliseconds)) : longest;
}

const variable = "METTLE_LONGEST_TEST";

/** The longest time from the environment, where Mettle set it; null otherwise. Hidden from the tests afterwards. */
export function takeLongest() {
  const longest = Number(process.env[variable]);
  delete process.env[variable];
  return longest > 0 ? longest : null;
}
