import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The caller's `x-request-id` if it is short and harmless, else a new `req_…`. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const told = headers['x-request-id'];
  if (typeof told === 'string' && /^[\w.:/+=-]{1,128}$/.test(told)) return told;
  return newRequestId();
}

export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`;
}

/** Both names that published SDKs read. */
export function requestIdHeaders(id: string): { 'x-request-id': string; 'request-id': string } {
  return { 'x-request-id': id, 'request-id': id };
}
