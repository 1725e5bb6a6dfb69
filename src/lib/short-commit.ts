/** A commit id as people see it: its first 12 digits. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 12);
}
