import { GatewayError } from '@sluice/canonical';
import { type DirectInput, splitModelPath } from '@sluice/protocols';
import type { FastifyRequest } from 'fastify';

/** @throws GatewayError `invalid_request` for a body that is not JSON, `not_found` for a path without a model */
export function directInput(
  { body, params }: Pick<FastifyRequest, 'body' | 'params'>,
  { verb }: { verb?: string },
): DirectInput {
  const model = verb === undefined ? modelParam(params) : modelBefore(params);
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

function modelParam(params: unknown): string | undefined {
  return (params as { model?: string }).model;
}

function modelBefore(params: unknown): string {
  const split = splitModelPath((params as { '*'?: string })['*'] ?? '');
  if (!split) throw new GatewayError('not_found', 'The path does not name a model.');
  return split.model;
}
