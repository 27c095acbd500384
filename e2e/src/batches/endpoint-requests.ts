import type { Endpoint } from './read-batches.ts';

export interface EndpointRequests {
  endpoint: Endpoint;
  valid: object;
  /** Is refused when it runs. */
  refused: object;
}

/** Requests to each endpoint of OpenAI's batches. */
export const ENDPOINTS: readonly EndpointRequests[] = [
  {
    endpoint: '/v1/responses',
    valid: { model: 'anthropic', input: 'a boat' },
    refused: { model: 'anthropic', input: '[context]' },
  },
  {
    endpoint: '/v1/completions',
    valid: { model: 'openai', prompt: 'a boat' },
    refused: { model: 'openai', prompt: '[context]' },
  },
  {
    endpoint: '/v1/embeddings',
    valid: { model: 'sandbox-embedding', input: 'a boat', dimensions: 8 },
    refused: { model: 'sandbox-embedding', input: 'a boat', dimensions: -1 },
  },
  {
    endpoint: '/v1/moderations',
    valid: { model: 'sandbox-moderation', input: 'I kill you' },
    refused: { model: 'sandbox-moderation', input: 7 },
  },
  {
    endpoint: '/v1/images/generations',
    valid: { model: 'sandbox-image', prompt: 'a boat', response_format: 'b64_json' },
    refused: { model: 'sandbox-image', prompt: 'a boat [moderation]' },
  },
  {
    endpoint: '/v1/videos',
    valid: { model: 'sandbox-video', prompt: 'a boat', seconds: '1' },
    refused: { model: 'sandbox-video', prompt: 'a boat', input_reference: { file_id: `file-${'0'.repeat(25)}` } },
  },
];

const CHANGING = new Set(['id', 'request_id', 'created', 'created_at', 'completed_at']);

/** Removes ids and times, which differ between two responses to the same request. */
export function comparable(body: unknown): unknown {
  const text = JSON.stringify(body, (name, value: unknown) => (CHANGING.has(name) ? undefined : value));
  return JSON.parse(text);
}
