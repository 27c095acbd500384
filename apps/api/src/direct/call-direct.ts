import {
  type ResponseOf,
  type DirectCapability,
  type DirectKind,
  GatewayError,
  type Loss,
  type Usage,
  UpstreamRefusalError,
  type ParamsOf,
} from '@sluice/canonical';
import { AttemptError, classifyRefusal } from '../routing/attempt-error.ts';
import { type AttemptResult, withFallback } from '../routing/with-fallback.ts';
import { traced } from '../routing/failure-trace.ts';
import { recordServed } from '../routing/record-served.ts';
import { failedAttempt } from '../routing/upstream-failure.ts';
import type { DirectClientCall, DirectDeps } from './direct-services.ts';
import type { DirectPlan, DirectTarget } from './plan-direct.ts';

/** What an upstream has granted. */
export interface DirectResponse<K extends DirectKind> extends AttemptResult {
  response: ResponseOf<K>;
  target: DirectTarget<K>['target'];
  losses: readonly Loss[];
}

/** What sets a call apart from those whose wish can be told again and whose answer comes as a whole. */
export interface CallOptions<K extends DirectKind> {
  /** Whether the wish cannot be told again: then no other upstream is asked. */
  isSpent?: () => boolean;
  /** Whether the answer is still coming: whoever reads it tells the breaker how it ended. */
  isStreaming?: (response: ResponseOf<K>) => boolean;
  /** Waits until an answer is surely one, and makes of it what is read on; what it throws counts as the upstream's. */
  begin?: (response: ResponseOf<K>) => Promise<ResponseOf<K>>;
}

/**
 * Asks the upstreams of a plan in turn until one has answered.
 * @throws GatewayError what they came to
 */
export function callDirect<K extends DirectKind>(
  deps: DirectDeps,
  { apiKey, request, signal }: DirectClientCall,
  { found, targets }: DirectPlan<K>,
  params: ParamsOf<K>,
  { isSpent, isStreaming, begin }: CallOptions<K> = {},
): Promise<DirectResponse<K>> {
  const isStrict = apiKey.strict || found.model.strict;
  const attempt = async ({ target, capability, quirks }: DirectTarget<K>): Promise<DirectResponse<K>> => {
    const losses: Loss[] = [];
    const report = (loss: Loss): void => {
      if (isStrict) refuseLoss(loss);
      losses.push(loss);
    };
    try {
      // The compiler does not see that one kind's wish belongs to the same kind's capability.
      const granting = capability as unknown as DirectCapability<ParamsOf<K>, ResponseOf<K>>;
      request.charge?.upstreamCalled();
      const given = await granting.call(params, { model: target.model, ...(quirks && { quirks }), signal, report });
      const response = (await begin?.(given)) ?? given;
      return { response, target, losses, isStreaming: isStreaming?.(response) ?? false };
    } catch (error) {
      const failure = attemptErrorOf(error);
      throw isSpent?.() === true ? lastOf(failure) : failure;
    }
  };
  return withFallback(targets, attempt, deps.fallback(signal));
}

/** The same failure, after which nobody else is asked. */
function lastOf({ error, countsAsFailure, isAlive, fault }: AttemptError): AttemptError {
  return new AttemptError({ error, mayRetry: false, countsAsFailure, isAlive, fault });
}

function refuseLoss({ field }: Loss): never {
  throw new GatewayError(
    'unsupported_parameter',
    `No upstream of this model can carry ${field}, and strict mode forbids to leave it out.`,
    { param: field },
  );
}

/** What one attempt came to. */
export function attemptErrorOf(error: unknown): AttemptError {
  if (error instanceof UpstreamRefusalError) {
    return classifyRefusal(error.status, traced(error.error, { upstreamStatus: error.status }));
  }
  // What an upstream cannot grant, another may; what lies with the wish is found out before it is asked.
  if (error instanceof GatewayError) {
    const fault = error.status < 500 ? 'unasked' : 'upstream';
    return new AttemptError({ error, mayRetry: true, countsAsFailure: false, fault });
  }
  return failedAttempt(error);
}

/** Notes who has served for the log and counts the tokens. @returns headers that say so to the client */
export function recordDirect<K extends DirectKind>(
  deps: DirectDeps,
  { request }: Pick<DirectClientCall, 'request'>,
  { target, losses }: Pick<DirectResponse<K>, 'target' | 'losses'>,
  usage?: Usage,
): Record<string, string> {
  return recordServed(deps, { request }, { target, losses, relayed: false, ...(usage && { usage }) });
}
