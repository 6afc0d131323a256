// Two projects: `unit` needs nothing but Node, `db` starts or reaches real database servers, each file its own.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Database tests wait as much as they compute.
    maxWorkers: availableParallelism() + 1,
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts', 'test/model/**/*.test.ts'], testTimeout: 120_000 } },
      { test: { name: 'db', include: ['test/db/**/*.test.ts'], globalSetup: ['test/db/build.ts', 'test/db/announce-servers.ts'], testTimeout: 300_000, hookTimeout: 120_000 } },
    ],
  },
});
