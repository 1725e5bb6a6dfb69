/**
 * Glob matching for project patterns: `*` and `?` match within a segment, `**` across segments, `{a,b}` alternatives,
 * `[a-z]` and `[!a]` characters. It simulates an automaton and uses no regular expression, so matching is linear.
 */

type Part =
  | { readonly type: "one" | "many"; readonly takes: (char: string) => boolean }
  | { readonly type: "either"; readonly options: readonly (readonly Part[])[] };

type State =
  | { readonly takes: (char: string) => boolean; readonly next: number }
  | { readonly jumps: readonly number[] };

/** A set of automaton states, with a cache of transitions. */
interface GlobState {
  readonly states: readonly number[];
  readonly isEnd: boolean;
  readonly after: Map<string, GlobState>;
}

interface Automaton {
  readonly states: readonly State[];
  readonly start: GlobState;
  readonly places: Map<string, GlobState>;
}

const accepted = 0;
/** Limits the caches. */
const maxStates = 2000;
const automata = new Map<string, Automaton>();

/** Whether the path, or a folder that contains it, matches the pattern. */
export function matchesGlob(path: string, glob: string): boolean {
  const automaton = automata.get(glob) ?? automatonOf(glob);
  automata.set(glob, automaton);
  let place = automaton.start;
  for (const char of path) {
    if (char === "/" && place.isEnd) return true;
    place = place.after.get(char) ?? step(automaton, place, char);
    if (place.states.length === 0) return false;
  }
  return place.isEnd;
}

function automatonOf(glob: string): Automaton {
  const states = compile(glob);
  return { states, start: globState([states.length - 1], states), places: new Map() };
}

function step({ states, places }: Automaton, place: GlobState, char: string): GlobState {
  const next = globState(
    place.states.flatMap((index) => transitions(states[index], char)),
    states,
  );
  if (places.size >= maxStates) return next;
  const key = next.states.join();
  const same = places.get(key) ?? next;
  places.set(key, same);
  if (place.after.size < maxStates) place.after.set(char, same);
  return same;
}

function transitions(state: State | undefined, char: string): readonly number[] {
  return state !== undefined && "takes" in state && state.takes(char) ? [state.next] : [];
}

/** Adds the states that are reachable without a character. */
function globState(from: readonly number[], states: readonly State[]): GlobState {
  const found = new Set<number>();
  for (const waiting = [...from]; waiting.length > 0;) {
    const index = waiting.pop() ?? accepted;
    if (found.has(index)) continue;
    found.add(index);
    const state = states[index];
    if (state !== undefined && "jumps" in state) waiting.push(...state.jumps);
  }
  return {
    states: [...found].toSorted((one, other) => one - other),
    isEnd: found.has(accepted),
    after: new Map(),
  };
}

/** The last state is the start state. */
function compile(glob: string): readonly State[] {
  const states: State[] = [{ jumps: [] }];
  const add = (state: State) => states.push(state) - 1;
  const build = (parts: readonly Part[], next: number): number =>
    parts.reduceRight((after, part) => {
      switch (part.type) {
        case "one":
          return add({ takes: part.takes, next: after });
        case "many": {
          const loop = add({ takes: part.takes, next: states.length + 1 });
          return add({ jumps: [loop, after] });
        }
        case "either":
          return add({ jumps: part.options.map((option) => build(option, after)) });
      }
    }, next);
  add({ jumps: [build(parse([...glob]), accepted)] });
  return states;
}

/** An unclosed brace makes the whole pattern literal. */
function parse(chars: readonly string[]): readonly Part[] {
  let at = 0;
  let isWhole = true;
  const parts = sequence(0);
  return isWhole ? parts : chars.map(literal);

  function sequence(depth: number): readonly Part[] {
    const found: Part[] = [];
    for (; at < chars.length; at++) {
      const char = chars[at] ?? "";
      if (depth > 0 && (char === "," || char === "}")) return found;
      if (char === "{") found.push(choice(depth + 1));
      else if (char === "[" && chars.indexOf("]", at) > at) found.push(oneOf());
      else found.push(wildcard(char));
    }
    if (depth > 0) isWhole = false;
    return found;
  }

  function choice(depth: number): Part {
    const options: (readonly Part[])[] = [];
    do {
      at += 1;
      options.push(sequence(depth));
    } while (chars[at] === ",");
    return { type: "either", options };
  }

  function oneOf(): Part {
    const end = chars.indexOf("]", at);
    const inside = chars.slice(at + 1, end);
    at = end;
    const isNot = inside[0] === "!" || inside[0] === "^";
    const members = isNot ? inside.slice(1) : inside;
    return { type: "one", takes: (char) => isMember(char, members) !== isNot };
  }

  function wildcard(char: string): Part {
    if (char === "?") return { type: "one", takes: isInSegment };
    if (char !== "*") return literal(char);
    if (chars[at + 1] !== "*") return { type: "many", takes: isInSegment };
    at += 1;
    if (chars[at + 1] !== "/") return anything;
    at += 1;
    return { type: "either", options: [[anything, literal("/")], []] };
  }
}

const anything: Part = { type: "many", takes: () => true };

function literal(wanted: string): Part {
  return { type: "one", takes: (char) => char === wanted };
}

function isInSegment(char: string): boolean {
  return char !== "/";
}

function isMember(char: string, members: readonly string[]): boolean {
  for (let at = 0; at < members.length; at++) {
    const from = members[at] ?? "";
    const isRange = members[at + 1] === "-" && at + 2 < members.length;
    const to = isRange ? (members[at + 2] ?? "") : from;
    if (from <= char && char <= to) return true;
    if (isRange) at += 2;
  }
  return false;
}
