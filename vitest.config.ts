import { defineConfig } from 'vitest/config';

// Not `module`: it names bundlers' builds, which Node does not run.
const conditions = ['source', 'node', 'development|production'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  // The global set-up is resolved in an environment of its own.
  environments: { __vitest__: { resolve: { conditions, externalConditions: conditions } } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'scripts/**/*.test.ts', 'e2e/src/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is waited for comes at once; a busy machine may need longer.
    expect: { poll: { timeout: 10_000 } },
    globalSetup: ['packages/testkit/src/vitest-redis.ts'],
    setupFiles: ['packages/testkit/src/vitest-seed.ts'],
    reporters: ['default', './packages/testkit/src/plain-line-reporter.ts'],
    execArgv: ['--conditions=source'],
    // These packages name a condition `source`, too; Node would take their TypeScript, which it does not run.
    server: { deps: { inline: [/\/node_modules\/(?:ai|@ai-sdk|eventsource-parser)\//] } },
  },
});
