import { registerHooks } from 'node:module';

// vitest.config.ts sets the export condition `source` for the packages of this repository. The client's event parser
// also has a `source` export, which would resolve to TypeScript files. Node does not run TypeScript in node_modules.
registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== 'eventsource-parser') return next(specifier, context);
    return next(specifier, { ...context, conditions: context.conditions.filter((name) => name !== 'source') });
  },
});

/** The original fal client, without changes. */
export const { createFalClient } = await import('@fal-ai/client');
