import { registerHooks } from 'node:module';

// The client's parser of events names a condition `source`, as the packages here do (see vitest.config.ts); Node would
// take its TypeScript, which it does not run.
registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== 'eventsource-parser') return next(specifier, context);
    return next(specifier, { ...context, conditions: context.conditions.filter((name) => name !== 'source') });
  },
});

/** fal's own client, unmodified. */
export const { createFalClient } = await import('@fal-ai/client');
