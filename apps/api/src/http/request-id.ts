import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export function requestIdOf(headers: IncomingHttpHeaders): string {
  const told = headers['x-request-id'];
  if (typeof told === 'string' && /^[\w.:/+=-]{1,128}$/.test(told)) return told;
  return newRequestId();
}

export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`;
}

export function requestIdHeaders(id: string): { 'x-request-id': string; 'request-id': string } {
  return { 'x-request-id': id, 'request-id': id };
}
