import type { FastifyRequest } from 'fastify';
import { carriesBearerKey, isKey } from '../../http/bearer-key.ts';
import { invalidMessages, messagesError } from './messages-error.ts';

/** @throws WireError if the key or the header `anthropic-version` is missing or invalid. */
export function checkMessagesClient({ headers }: FastifyRequest, apiKey: string): void {
  const key = headers['x-api-key'];
  if (key === undefined && headers.authorization === undefined) {
    throw messagesError(401, 'x-api-key header is required');
  }
  if (!isKey(key, apiKey) && !carriesBearerKey(headers.authorization, apiKey)) {
    throw messagesError(401, key === undefined ? 'Invalid bearer token' : 'invalid x-api-key');
  }
  const version = headers['anthropic-version'];
  if (version === undefined) throw invalidMessages('anthropic-version: header is required');
  if (typeof version !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(version)) {
    throw invalidMessages(`anthropic-version: "${String(version)}" is not a valid version`);
  }
}
