import type { BatchParams } from '@sluice/canonical';
import { MESSAGES_ENDPOINT } from '@sluice/protocols';
import type { FastifyRequest } from 'fastify';
import { LABELS_HEADER, readLabels } from '../ledger/labels.ts';

/** The version that a client sends if the batch was created with another protocol. It makes no difference here. */
const VERSION = '2023-06-01';

/** Returns the headers with which each request of a batch is sent. */
export function headersOf({ headers }: FastifyRequest, endpoint: string): Record<string, string> {
  if (endpoint !== MESSAGES_ENDPOINT) return {};
  const version = headers['anthropic-version'] ?? headers['messages-version'];
  const beta = headers['anthropic-beta'];
  return {
    'anthropic-version': typeof version === 'string' ? version : VERSION,
    ...(typeof beta === 'string' && { 'anthropic-beta': beta }),
  };
}

/** Returns the labels that each request of a batch has in the ledger. @throws GatewayError `invalid_request` */
export function labelsOf({ headers }: FastifyRequest): Pick<BatchParams, 'labels'> {
  const header = headers[LABELS_HEADER];
  return header === undefined ? {} : { labels: readLabels(header, undefined) };
}
