import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The caller's own `x-request-id` when it is short and harmless, else a new `req_…`. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const told = headers['x-request-id'];
  if (typeof told === 'string' && /^[\w.:/+=-]{1,128}$/.test(told)) return told;
  return `req_${randomUUID().replaceAll('-', '')}`;
}
