import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/fixtures/**"],
    setupFiles: ["test/support/trap-connect.mjs"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
    isolate: false,
    expect: { requireAssertions: true },
  },
});
