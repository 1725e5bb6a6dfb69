// The controls of `proof` in mettle.yaml, each with the checks and findings by which it names a cheat.
const named = {
  null_stubs: ["tautology", "null_stub"],
  can_fail: ["can_fail", "may_not_fail"],
  canary: ["canary"],
  flip: ["flip"],
  surrounding: ["surrounding"],
  specialCase: ["hard_coded", "special_case"],
};

export const controls = Object.keys(named);

/** Whether this control named the cheat: every other one is judged the same without it. */
export function isFoundBy({ role, checks }, control) {
  return role === "cheat" && checks.some((name) => named[control].includes(name.split(".").at(-1)));
}

const order = ["caught", "reported", "late"];

/** Whether a cheat is found less without a control than with it; without a judgement with it, whether it is not found. */
export function isLowered({ outcome }, before) {
  const rank = (one) => (order.includes(one) ? order.indexOf(one) : order.length);
  return rank(outcome) > rank(before?.outcome ?? "reported");
}
