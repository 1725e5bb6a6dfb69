// The simulation of docs/scale.md: pure, and the same for the same inputs and seed. What a transaction costs is measured (scale-inputs.mjs);
// when transactions arrive, which core is free and how repositories differ is simulated here.

/** A worker does as many commands at once (the usual limit of a queue of `mettle worker`). */
const commandsOfWorker = 4;
/** A database is full at this share of its processors. */
const full = 0.7;
const simulatedTransactions = 100_000;

/** Numbers from 0 to below 1. */
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What agents at work ask of a database, by kind: transactions a second, and the mean processor time of one. */
function demandOf({ worker, agent, dispatch }, { agents, turnSeconds }) {
  const kind = (perSecond, { transactions, cpuMs }) => ({
    perSecond: perSecond * transactions,
    cpuMs: cpuMs / transactions,
  });
  return [
    kind(agents / turnSeconds, dispatch),
    kind(agents, agent),
    kind(Math.ceil(agents / commandsOfWorker), worker),
  ];
}

/** Processors that the agents keep busy. */
export function coresOf(inputs, load) {
  return demandOf(inputs, load).reduce((sum, { perSecond, cpuMs }) => sum + (perSecond * cpuMs) / 1000, 0);
}

/** The most agents that a database of so many processors serves before it is full. */
export function maxAgents(inputs, { cores, turnSeconds }) {
  let [fits, over] = [0, 1_000_000];
  while (over - fits > 1) {
    const agents = Math.floor((fits + over) / 2);
    if (coresOf(inputs, { agents, turnSeconds }) <= full * cores) fits = agents;
    else over = agents;
  }
  return fits;
}

/**
 * Transactions that arrive at random and wait for the first free processor of a database.
 * @returns milliseconds that one waits: the median, and what 99 of 100 stay below; null if the database does not keep up
 */
export function waitsOf(inputs, { agents, turnSeconds, cores, seed }) {
  const kinds = demandOf(inputs, { agents, turnSeconds });
  const perSecond = kinds.reduce((sum, kind) => sum + kind.perSecond, 0);
  if (coresOf(inputs, { agents, turnSeconds }) >= cores) return null;
  const random = randomOf(seed);
  const exponential = (mean) => -mean * Math.log(1 - random());
  const free = Array.from({ length: cores }, () => 0);
  const waits = [];
  let now = 0;
  for (let n = 0; n < simulatedTransactions; n++) {
    now += exponential(1000 / perSecond);
    let pick = random() * perSecond;
    const kind = kinds.find((one) => (pick -= one.perSecond) < 0) ?? kinds[0];
    const core = free.indexOf(Math.min(...free));
    const start = Math.max(now, free[core]);
    free[core] = start + exponential(kind.cpuMs);
    waits.push(start - now);
  }
  waits.sort((a, b) => a - b);
  return { median: waits[Math.floor(waits.length / 2)], most: waits[Math.floor(0.99 * waits.length)] };
}

/**
 * Agents of many repositories, of which few are large (the n-th has 1/n of the largest), over databases: each repository is in one of them.
 * @returns the agents of the fullest database, and of the largest repository
 */
export function partition({ agents, repositories, databases, seed }) {
  const random = randomOf(seed);
  const weights = Array.from({ length: repositories }, (_, n) => (0.5 + random()) / (n + 1));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const sizes = weights.map((weight) => (agents * weight) / sum).sort((a, b) => b - a);
  const loads = Array.from({ length: databases }, () => 0);
  for (const size of sizes) loads[loads.indexOf(Math.min(...loads))] += size;
  return { fullest: Math.round(Math.max(...loads)), largest: Math.round(sizes[0]) };
}

const seed = 1;
const turnSeconds = 120;

/** All tables but that of trees, as head and rows. */
export function tablesOf(inputs) {
  return [shareTable(inputs), ...loadTables(inputs), partitionTable(inputs), costTable(inputs)];
}

function shareTable(inputs) {
  const kinds = demandOf(inputs, { agents: 1000, turnSeconds });
  const names = [
    "what a run writes and reads for its dispatches",
    "runs that wait for their agents",
    "workers, also idle ones",
  ];
  const rows = kinds.map(({ perSecond, cpuMs }, index) => [
    names[index],
    whole(Math.round(perSecond)),
    cpuMs.toFixed(2),
    ((perSecond * cpuMs) / 1000).toFixed(1),
  ]);
  return { head: ["1,000 agents at work", "Transactions a second", "ms of each", "Processors"], rows };
}

function loadTables(inputs) {
  const loads = [100, 300, 600, 900, 3000, 7000].map((agents) => {
    const cores = coresOf(inputs, { agents, turnSeconds });
    const cells = [8, 32, 64].map((count) => {
      const waits = waitsOf(inputs, { agents, turnSeconds, cores: count, seed });
      return waits === null ? "too much" : `${waits.median.toFixed(1)} / ${waits.most.toFixed(1)} ms`;
    });
    return [whole(agents), cores.toFixed(1), ...cells];
  });
  const limits = [8, 32, 64].map((cores) => [
    whole(cores),
    ...[30, 120, 600].map((turn) => whole(maxAgents(inputs, { cores, turnSeconds: turn }))),
  ]);
  return [
    {
      head: ["Agents at work", "Processors busy", "Wait with 8 processors", "Wait with 32", "Wait with 64"],
      rows: loads,
    },
    { head: ["Processors of the database", "Agents, turns of 30 s", "Of 120 s", "Of 600 s"], rows: limits },
  ];
}

function partitionTable(inputs) {
  const [agents, cores] = [10_000, 32];
  const rows = [1, 2, 4, 8, 16].map((databases) => {
    const { fullest, largest } = partition({ agents, repositories: 200, databases, seed });
    const busy = coresOf(inputs, { agents: fullest, turnSeconds }) / cores;
    const waits = waitsOf(inputs, { agents: fullest, turnSeconds, cores, seed });
    return [
      whole(databases),
      whole(fullest),
      whole(largest),
      `${Math.round(100 * busy)} %`,
      waits === null ? "too much" : `${waits.median.toFixed(1)} / ${waits.most.toFixed(1)} ms`,
    ];
  });
  return {
    head: [
      "Databases",
      "Agents of the fullest",
      "Agents of the largest repository",
      "Its processors busy",
      "Wait",
    ],
    rows,
  };
}

function costTable(inputs) {
  const agents = 1000;
  const { worker, agent, dispatch } = inputs;
  const workers = agents / commandsOfWorker;
  const rows = [30, 120, 600].map((turn) => {
    const perSecond = agents / turn;
    const transactions = demandOf(inputs, { agents, turnSeconds: turn }).reduce(
      (sum, kind) => sum + kind.perSecond,
      0,
    );
    const perDay = (bytes) => `${((perSecond * bytes * 86_400) / 1e9).toFixed(0)} GB`;
    return [
      `${turn} s`,
      coresOf(inputs, { agents, turnSeconds: turn }).toFixed(1),
      whole(Math.round(transactions)),
      whole(workers * worker.connections + agents * agent.connections),
      whole(Math.round(perSecond * dispatch.events)),
      perDay(dispatch.walBytes),
      perDay(dispatch.storedBytes),
    ];
  });
  return {
    head: [
      "A turn",
      "Processors",
      "Transactions a second",
      "Connections",
      "Events a second",
      "Log a day",
      "Growth a day",
    ],
    rows,
  };
}

/** Trees of nodes, by the real kernel and schedule. */
export const trees = [
  { nodes: 100, slots: 16 },
  { nodes: 1000, slots: 16 },
  { nodes: 1000, slots: 128 },
  { nodes: 10_000, slots: 128 },
  { nodes: 10_000, slots: 1000 },
];

/** @param code the sources `randomTree`, `simulate`, `dice`, `sha256` and the protocol `graph` */
export function simulateTree({ nodes, slots }, { randomTree, simulate, dice, sha256, protocol }) {
  const duration = (key) => 10 + dice(Number.parseInt(sha256(`${seed} ${key}`).slice(7, 15), 16)).below(90);
  const tree = randomTree(nodes, { dice: dice(seed), width: 8 });
  const { makespan, bound, dispatches, work } = simulate({ protocol, tree, slots, duration });
  return {
    nodes,
    slots,
    dispatches,
    makespan: Math.round(makespan),
    bound: Math.round(bound),
    work: Math.round(work),
  };
}

export function treeTable(found) {
  return {
    head: ["Nodes", "Agents at once", "Dispatches", "Makespan", "Against the bound", "Agents' time used"],
    rows: found.map(({ nodes, slots, dispatches, makespan, bound, work }) => [
      whole(nodes),
      whole(slots),
      whole(dispatches),
      whole(makespan),
      (makespan / bound).toFixed(2),
      `${Math.round((100 * work) / (makespan * slots))} %`,
    ]),
  };
}

function whole(number) {
  return number.toLocaleString("en");
}
