import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export function requestIdOf(headers: IncomingHttpHeaders): string {
  const sent = headers['x-request-id'];
  if (typeof sent === 'string' && /^[\w.:/+=-]{1,128}$/.test(sent)) return sent;
  return newRequestId();
}

export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`;
}

export function requestIdHeaders(id: string): { 'x-request-id': string; 'request-id': string } {
  return { 'x-request-id': id, 'request-id': id };
}
