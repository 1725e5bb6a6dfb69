/** What stands above each receipt. */
export const heading = "Corner shop";
