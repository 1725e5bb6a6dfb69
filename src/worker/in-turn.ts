/** Work under one name, one after the other within this process. */
const tails = new Map<string, Promise<unknown>>();

export async function inTurn<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
  const before = tails.get(name) ?? Promise.resolve();
  const mine = before.then(work, work);
  tails.set(name, mine);
  try {
    return await mine;
  } finally {
    if (tails.get(name) === mine) tails.delete(name);
  }
}
