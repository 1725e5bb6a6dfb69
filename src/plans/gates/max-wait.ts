/** An agent's shell command ends after ten minutes, so a call that waits for a person ends before. */
export const maxWaitMs = 540_000;
