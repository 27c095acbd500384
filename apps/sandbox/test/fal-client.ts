import { registerHooks } from 'node:module';

// The client's event parser uses the condition `source`, like the packages here (see vitest.config.ts). With it, Node
// would load the parser's TypeScript, which it does not run.
registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== 'eventsource-parser') return next(specifier, context);
    return next(specifier, { ...context, conditions: context.conditions.filter((name) => name !== 'source') });
  },
});

/** fal's own client, unmodified. */
export const { createFalClient } = await import('@fal-ai/client');
