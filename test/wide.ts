/**
 * Width: one thing proved in many variants, and whole runs that say again for another protocol what one said already.
 * `npm test` proves each thing once; with METTLE_WIDE, as `npm run promises` has it, or METTLE_DEEP, it proves all of them.
 */
export const wide = process.env["METTLE_WIDE"] !== undefined || process.env["METTLE_DEEP"] !== undefined;

/** All of them, or the first of each kind as a sample of the others. */
export function samples<Variant>(
  variants: readonly Variant[],
  kindOf: (variant: Variant) => unknown = () => null,
): readonly Variant[] {
  const kinds = variants.map(kindOf);
  return wide ? variants : variants.filter((_variant, at) => kinds.indexOf(kinds[at]) === at);
}
