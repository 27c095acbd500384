import type { Usage } from '@sluice/canonical';
import type { FastifyRequest } from 'fastify';
import type { ServedText } from '../http/request-log.ts';
import { loggedFields, type Served, servedHeaders } from './served-headers.ts';

export function servedFields({ target, relayed, losses = [] }: Served): Omit<ServedText, 'usage'> {
  const dropped = loggedFields(losses);
  return {
    upstream: target.upstream,
    ...(target.credential !== undefined && { credential: target.credential }),
    upstream_model: target.model,
    relayed,
    dropped: dropped.length > 0 ? dropped : undefined,
  };
}

/** Records what served a request, for its log line and ledger entry. @returns the headers of the response */
export function recordServed(
  request: Pick<FastifyRequest, 'served'>,
  served: Served & { usage?: Usage | undefined },
): Record<string, string> {
  const { usage } = served;
  request.served = { ...servedFields(served), usage: () => usage };
  return servedHeaders(served);
}
