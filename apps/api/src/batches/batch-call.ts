import type { BatchesFormat } from '@sluice/protocols';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../auth/api-keys.ts';

/** A call with the format that the request selects. */
export interface BatchCall {
  format: BatchesFormat;
  apiKey: ApiKey;
  /** The last part of the path as the client sent it. Empty if the path has none. */
  name: string;
  request: FastifyRequest;
  reply: FastifyReply;
}
