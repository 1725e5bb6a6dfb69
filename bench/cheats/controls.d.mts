export const controls: readonly string[];
