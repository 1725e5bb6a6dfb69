/**
 * Whether to test all variants: the same behaviour in many variants, and whole runs that repeat it for another protocol. By
 * default the suite proves each behaviour once; METTLE_WIDE (set by `npm run promises`) or METTLE_DEEP proves all variants.
 */
export const wide = process.env["METTLE_WIDE"] !== undefined || process.env["METTLE_DEEP"] !== undefined;

/** All variants if `wide`, else the first of each kind. */
export function samples<Variant>(
  variants: readonly Variant[],
  kindOf: (variant: Variant) => unknown = () => null,
): readonly Variant[] {
  const kinds = variants.map(kindOf);
  return wide ? variants : variants.filter((_variant, at) => kinds.indexOf(kinds[at]) === at);
}
