import type { Usage } from '@sluice/canonical';
import type { Metrics } from '@sluice/telemetry';
import type { FastifyRequest } from 'fastify';
import type { ServedText } from '../http/request-log.ts';
import { meterUsage } from '../metering/meter-usage.ts';
import { lostFields, type Served, servedHeaders } from './served-headers.ts';

export function servedFields({ target, relayed, losses = [] }: Served): Omit<ServedText, 'usage'> {
  const dropped = lostFields(losses);
  return {
    upstream: target.upstream,
    upstream_model: target.model,
    relayed,
    ...(dropped.length > 0 && { dropped }),
  };
}

export function recordServed(
  metrics: Pick<Metrics, 'textTokens'>,
  request: Pick<FastifyRequest, 'served'>,
  served: Served & { usage?: Usage | undefined },
): Record<string, string> {
  const { usage } = served;
  request.served = { ...servedFields(served), usage: () => usage };
  if (usage) meterUsage(metrics, served.target.upstream, usage);
  return servedHeaders(served);
}
