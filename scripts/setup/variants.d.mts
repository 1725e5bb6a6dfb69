/** The citations that prove a promise: the id itself, or one for each of its variants. */
export function citationsOf(id: string): readonly string[];
