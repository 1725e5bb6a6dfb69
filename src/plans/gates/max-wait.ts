/** Agents end a shell command after ten minutes, so a call that waits for a person ends earlier. */
export const maxWaitMs = 540_000;
