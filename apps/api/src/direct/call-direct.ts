import {
  type DirectCapability,
  type DirectKind,
  type Loss,
  type ParamsOf,
  type ResponseOf,
  type Usage,
} from '@sluice/canonical';
import type { AttemptTrace } from '@sluice/telemetry';
import { AttemptError } from '../routing/attempt-error.ts';
import { strictModeError } from '../routing/strict-mode-error.ts';
import { attemptErrorOf } from '../routing/upstream-failure.ts';
import { type AttemptResult, withFallback } from '../routing/with-fallback.ts';
import type { DirectCall } from './direct-deps.ts';
import type { DirectPlan, DirectTarget } from './plan-direct.ts';

export interface DirectResponse<K extends DirectKind> extends AttemptResult {
  response: ResponseOf<K>;
  target: DirectTarget<K>['target'];
  losses: readonly Loss[];
  /** Time of the upstream call, as returned by `performance.now()`. */
  startedAt: number;
  trace: AttemptTrace | undefined;
}

export interface CallOptions<K extends DirectKind> {
  /** Whether the request's body has been consumed, so that the request cannot be sent to another upstream. */
  isConsumed?: () => boolean;
  /** Whether the response is still streaming. If so, its reader reports the outcome to the circuit breaker. */
  isStreaming?: (response: ResponseOf<K>) => boolean;
  /** Waits for the first event and returns the response to read. An error is treated as an upstream error. */
  begin?: (response: ResponseOf<K>) => Promise<ResponseOf<K>>;
}

/** Calls the upstreams of a plan in order until one responds. @throws GatewayError if none does */
export function callDirect<K extends DirectKind>(
  { apiKey, request, signal, fallback }: Pick<DirectCall, 'apiKey' | 'request' | 'signal' | 'fallback'>,
  { resolvedModel, targets }: DirectPlan<K>,
  params: ParamsOf<K>,
  { isConsumed, isStreaming, begin }: CallOptions<K> = {},
): Promise<DirectResponse<K>> {
  const isStrict = apiKey.strict || resolvedModel.model.strict;
  const attempt = async (
    { target, capability, quirks }: DirectTarget<K>,
    trace: AttemptTrace | undefined,
  ): Promise<DirectResponse<K>> => {
    const losses: Loss[] = [];
    const report = (loss: Loss): void => {
      if (isStrict) throw strictModeError([loss.field]);
      losses.push(loss);
    };
    const startedAt = performance.now();
    try {
      // TypeScript cannot infer that the parameters and the capability are of the same kind.
      const callable = capability as unknown as DirectCapability<ParamsOf<K>, ResponseOf<K>>;
      request.charge?.upstreamCalled(target);
      const received = await callable.call(params, {
        model: target.model,
        ...(quirks && { quirks }),
        ...(trace?.headers && { traceHeaders: trace.headers }),
        signal,
        report,
      });
      const response = (await begin?.(received)) ?? received;
      trace?.set({ usage: usageIn(response) });
      return { response, target, losses, startedAt, trace, isStreaming: isStreaming?.(response) ?? false };
    } catch (error) {
      const failure = attemptErrorOf(error);
      throw isConsumed?.() === true ? withoutRetry(failure) : failure;
    }
  };
  return withFallback(targets, attempt, fallback);
}

function withoutRetry({ error, countsAsFailure, isAlive, source }: AttemptError): AttemptError {
  return new AttemptError({ error, mayRetry: false, countsAsFailure, isAlive, source });
}

/** Some vendors report only the input tokens. Estimates are not part of a span. */
function usageIn(response: unknown): Usage | undefined {
  if (typeof response !== 'object' || response === null) return undefined;
  if ('usage' in response) return response.usage as Usage | undefined; // The cast is safe for each kind of response.
  const inputTokens = 'inputTokens' in response ? response.inputTokens : undefined;
  return typeof inputTokens === 'number' ? { inputTokens, outputTokens: 0 } : undefined;
}
