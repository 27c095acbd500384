import { GatewayError } from '@sluice/canonical';
import { type DirectInput, splitModelPath } from '@sluice/protocols';
import type { FastifyRequest } from 'fastify';

/**
 * Returns the client's body, parsed once, and the model in its path.
 * @throws GatewayError `invalid_request` for a body that is not JSON, `not_found` for a path without a model
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
  return (params as { model?: string }).model; // the router passes text or nothing
}

/** As in `/v1beta/models/*model` with an action suffix. */
function modelBefore(params: unknown): string {
  const split = splitModelPath((params as { '*'?: string })['*'] ?? ''); // routes with an action suffix end in a wildcard
  if (!split) throw new GatewayError('not_found', 'The path does not name a model.');
  return split.model;
}
