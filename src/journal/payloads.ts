/** Content-addressed texts and bytes next to the journal: `payloads/ab/<hex>`. */
export interface Payloads {
  /** Stores bytes once and returns their address `sha256:…`. */
  put(data: string | Uint8Array): Promise<string>;
  /** Reads and verifies; throws `payload_missing` or `payload_corrupt`, never returns unverified bytes (CORE-68). */
  get(address: string): Promise<Buffer>;
  text(address: string): Promise<string>;
  has(address: string): Promise<boolean>;
}
