import type { TextOperation } from '@sluice/canonical';
import type { ModelCapability } from '@sluice/config';
import type { AttemptTrace, RequestTrace } from '@sluice/telemetry';
import type { AttemptTarget } from './with-fallback.ts';

const TEXT_OPERATIONS: Readonly<Record<TextOperation, string>> = {
  generate: 'chat',
  complete: 'text_completion',
  'count-tokens': 'count_tokens',
  compact: 'compact',
};

const DIRECT_OPERATIONS: Readonly<Partial<Record<ModelCapability, string>>> = { embedding: 'embeddings' };

/** Returns a function that starts the span of an attempt. The GenAI conventions name the operations. */
export function attemptStarter(
  trace: RequestTrace,
  capability: ModelCapability,
  operation: TextOperation = 'generate',
): (target: AttemptTarget) => AttemptTrace {
  return ({ upstream, model, protocol }) =>
    trace.startAttempt({ operation: operationOf(capability, operation, protocol), upstream, model });
}

function operationOf(capability: ModelCapability, operation: TextOperation, protocol: string | undefined): string {
  if (capability !== 'text') return DIRECT_OPERATIONS[capability] ?? capability;
  if (protocol === 'generative-content' && operation === 'generate') return 'generate_content';
  return TEXT_OPERATIONS[operation];
}
