import { expect, test } from "vitest";
import { manualClock } from "../../testing/manual-clock.ts";
import { idleMs, openSessions, sessionMs, tokenMs } from "./sessions.ts";

function begun() {
  const clock = manualClock();
  const sessions = openSessions(clock);
  const token = sessions.issueToken();
  const entry = sessions.enter(token);
  return { clock, sessions, token, secret: entry.type === "entered" ? entry.secret : "" };
}

test("a token works once, and its second use ends the session that it began", async () => {
  const { sessions, token, secret } = begun();
  expect(sessions.use(secret)).not.toBeNull();
  expect(sessions.enter(token)).toEqual({ type: "refused", why: "used" });
  expect(sessions.use(secret)).toBeNull();
  expect(sessions.enter("mettle_0")).toEqual({ type: "refused", why: "unknown" });
});

test("a token that nobody used expires", async () => {
  const { clock, sessions } = begun();
  const token = sessions.issueToken();
  await clock.advance(tokenMs + 1);
  expect(sessions.enter(token)).toEqual({ type: "refused", why: "expired" });
});

test("a session ends when nobody uses it, and after its whole time even if somebody does", async () => {
  const idle = begun();
  await idle.clock.advance(idleMs);
  expect(idle.sessions.use(idle.secret)).not.toBeNull();
  await idle.clock.advance(idleMs + 1);
  expect(idle.sessions.use(idle.secret)).toBeNull();

  const busy = begun();
  const session = busy.sessions.use(busy.secret);
  for (let passed = 0; passed + idleMs <= sessionMs; passed += idleMs) {
    await busy.clock.advance(idleMs);
    expect(busy.sessions.use(busy.secret)).not.toBeNull();
  }
  await busy.clock.advance(idleMs);
  expect([session?.isOpen(), busy.sessions.use(busy.secret)]).toEqual([false, null]);
});

test("a session ends when the clock goes back, since its age is unknown", async () => {
  const { clock, sessions, secret } = begun();
  await clock.advance(-30_000);
  expect(sessions.use(secret)).not.toBeNull();
  await clock.advance(-90_000);
  expect(sessions.use(secret)).toBeNull();
});

test("the number of sessions is limited, and the one that was unused longest makes room", async () => {
  const { clock, sessions, secret } = begun();
  const secrets: string[] = [];
  while (secrets.length < 32) {
    await clock.advance(1);
    const entry = sessions.enter(sessions.issueToken());
    secrets.push(entry.type === "entered" ? entry.secret : "");
  }
  expect(sessions.use(secret)).toBeNull();
  expect(secrets.every((one) => sessions.use(one) !== null)).toBe(true);
});
