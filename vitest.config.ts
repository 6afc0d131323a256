// Two projects: `unit` needs nothing but Node, `db` starts or reaches real database servers, each file its own.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

/**
 * Guards against a hang and nothing else: no machine is so slow that a test meets them, and what takes long by its size
 * asks the time itself (test/budget.ts). Servers start in hooks, and findings are made there.
 */
const NO_HANG = { testTimeout: 30 * 60_000, hookTimeout: 30 * 60_000, teardownTimeout: 60_000 };

/**
 * A worker keeps the modules that it has loaded: loading them anew for each file takes a sixth of the time. What a test puts
 * in the place of something is taken away before the next one.
 */
const SHARED = { isolate: false, restoreMocks: true };

export default defineConfig({
  test: {
    // A worker with a database test uses 0.4 of a processor: the rest is waiting.
    maxWorkers: availableParallelism() + 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts', 'test/model/**/*.test.ts'], ...NO_HANG, ...SHARED } },
      {
        test: {
          name: 'db',
          include: ['test/db/**/*.test.ts'],
          globalSetup: ['test/db/build.ts', 'test/db/announce-servers.ts'],
          ...NO_HANG,
          ...SHARED,
        },
      },
    ],
  },
});
