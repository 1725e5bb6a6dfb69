export interface Owner {
  readonly pid: number;
  /** Start time of the process in clock ticks, so that a reused pid is not taken for the owner. */
  readonly started: string;
}
