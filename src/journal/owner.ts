export interface Owner {
  readonly pid: number;
  /** Start time of the process in clock ticks, to detect a reused pid. */
  readonly started: string;
}
