import { defineConfig } from 'vitest/config';

// Not `module`: that condition is for bundlers, and Node cannot run its builds.
const conditions = ['source', 'node', 'development|production'];

/** These tests change nothing of their process, so they share worker processes, which saves most of their time. */
const SHARED = '{packages/*,apps/{api,sandbox}}/src/**/*.test.ts';

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  // The global setup resolves in its own environment.
  environments: { __vitest__: { resolve: { conditions, externalConditions: conditions } } },
  test: {
    pool: 'forks',
    maxWorkers: 2,
    // Tests wait for conditions, which hold almost at once. A busy machine may need much longer.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    globalSetup: ['packages/testkit/src/vitest-redis.ts'],
    setupFiles: ['packages/testkit/src/vitest-seed.ts'],
    // Prints only failures.
    silent: 'passed-only',
    reporters: ['minimal', './packages/testkit/src/plain-line-reporter.ts'],
    execArgv: ['--conditions=source'],
    // These packages also have a `source` condition; Node would pick their TypeScript and fail.
    server: { deps: { inline: [/\/node_modules\/(?:ai|@ai-sdk|eventsource-parser)\//] } },
    projects: [
      { extends: true, test: { name: 'shared', include: [SHARED], isolate: false } },
      {
        extends: true,
        test: {
          name: 'isolated',
          include: ['{packages,apps}/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['**/node_modules/**', SHARED],
        },
      },
      // Tests of several processes, with the vendors' SDKs; `npm test` leaves them to `npm run test:all`.
      { extends: true, test: { name: 'system', include: ['e2e/src/**/*.test.ts'], testTimeout: 120_000 } },
    ],
  },
});
