import { GatewayError } from '@sluice/canonical';
import { type DirectInput, splitModelPath } from '@sluice/protocols';
import type { FastifyRequest } from 'fastify';

/**
 * What a client sent: its body, parsed once, and the model that its path names.
 * @throws GatewayError `invalid_request` for a body that is no JSON, `not_found` for a path without a model
 */
export function directInput(
  { body, params }: Pick<FastifyRequest, 'body' | 'params'>,
  { verb }: { verb?: string },
): DirectInput {
  const model = verb === undefined ? namedModel(params) : modelBefore(params);
  return { body: parsedBody(body), ...(model !== undefined && { model }) };
}

function parsedBody(body: unknown): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) return undefined;
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return value;
  } catch {
    throw new GatewayError('invalid_request', 'The body is not valid JSON.');
  }
}

/** As in `/v1/engines/:model/embeddings`. */
function namedModel(params: unknown): string | undefined {
  return (params as { model?: string }).model; // the router's, text or nothing
}

/** As in `/v1beta/models/*model` with a verb at its end. */
function modelBefore(params: unknown): string {
  const split = splitModelPath((params as { '*'?: string })['*'] ?? ''); // the routes of verbs end in one
  if (!split) throw new GatewayError('not_found', 'The path does not name a model.');
  return split.model;
}
