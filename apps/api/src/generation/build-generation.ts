import type { Config, ModelCapability, ModelCatalog } from '@sluice/config';
import {
  chatCompletionsProtocol,
  createTokenCodec,
  generativeContentProtocol,
  messagesProtocol,
  responsesProtocol,
} from '@sluice/protocols';
import type { Logger, Metrics } from '@sluice/telemetry';
import type { Upstreams } from '@sluice/upstreams';
import type { Redis } from 'ioredis';
import type { Charges } from '../metering/charges.ts';
import type { AttemptError } from '../routing/attempt-error.ts';
import { createCircuitBreakers } from '../routing/circuit-breaker.ts';
import { createAffinity } from '../routing/affinity.ts';
import { createReasoningMemory } from './reasoning/reasoning-memory.ts';
import { createResponseStore } from '../responses/store/response-store.ts';
import { createTextKeys } from './text-keys.ts';
import { createBackgroundResponses } from '../responses/background-responses.ts';
import type { GenerationDeps } from './text-services.ts';

/** What {@link buildTextServices} needs. */
export interface TextServicesParts {
  config: Config;
  catalog: ModelCatalog;
  upstreams: Upstreams;
  redis: Redis;
  charges: Charges;
  secret: string;
  logger: Logger;
  metrics: Metrics;
  stopping: AbortSignal;
  /** An unguessable id: prefix and 32 hex digits. */
  newId: (prefix: string) => string;
  now?: () => number;
}

/** Puts together what text is served with. */
export function buildTextServices(parts: TextServicesParts): GenerationDeps {
  const { config, catalog, upstreams, redis, charges, secret, logger, metrics, stopping, now = Date.now } = parts;
  const keys = createTextKeys(config.redis.prefix);
  const { failures, open_ms: openMs, max_open_ms: maxOpenMs } = config.routing;
  // A vendor whose voices fail may write well: what it can be asked for is judged apart.
  const breakersOf = eachOnce((capability: ModelCapability) =>
    createCircuitBreakers({
      failures,
      openMs,
      maxOpenMs,
      now,
      onChange: (upstream, change) => {
        const what = { upstream, capability };
        if (change === 'closed') logger.info(what, 'an upstream is well again');
        else
          logger.warn(
            { ...what, open_ms: change.openMs },
            'an upstream failed too often and is left alone for a while',
          );
      },
    }),
  );
  const onFailure = (upstream: string, { error, fault }: AttemptError): void => {
    // What went wrong here, a body that ends the stack above all, is told with the request: no upstream has failed.
    if (error.code === 'internal_error') return;
    const what = { upstream, code: error.code };
    if (fault === 'unasked')
      return logger.debug(what, 'an upstream was not asked: the request cannot be carried there');
    metrics.upstreamFailures.inc(what);
    if (fault === 'request') logger.info(what, 'an upstream refused a request');
    else logger.warn(what, 'an upstream did not answer a request');
  };
  return {
    catalog,
    accounts: upstreams.accounts,
    upstreams: config.upstreams,
    fetchInput: upstreams.fetchInput,
    protocols: {
      'chat-completions': chatCompletionsProtocol,
      responses: responsesProtocol,
      messages: messagesProtocol,
      'generative-content': generativeContentProtocol,
    },
    breakers: breakersOf('text'),
    fallback: (signal, capability = 'text') => ({ breakers: breakersOf(capability), signal, onFailure }),
    charges,
    affinity: createAffinity({ now }),
    tokenCodec: createTokenCodec(secret),
    secret,
    memory: createReasoningMemory(redis, keys, logger),
    responses: createResponseStore(redis, keys, { retentionMs: config.responses.retention_ms }),
    keepAliveMs: config.timeouts.keep_alive_ms,
    responseBytes: config.limits.answer_bytes,
    logger,
    metrics,
    now,
    newId: parts.newId,
    background: createBackgroundResponses(stopping),
  };
}

/** Makes one thing for each name, when it is first asked for. */
function eachOnce<Name, Thing>(make: (name: Name) => Thing): (name: Name) => Thing {
  const made = new Map<Name, Thing>();
  return (name) => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const thing = make(name);
    made.set(name, thing);
    return thing;
  };
}
