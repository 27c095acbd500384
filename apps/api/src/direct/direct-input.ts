import { GatewayError } from '@sluice/canonical';
import { type DirectInput, parseJson, splitModelPath } from '@sluice/protocols';
import type { FastifyRequest } from 'fastify';

/** @throws GatewayError the errors of `parseJson`, and `not_found` for a path without a model */
export function directInput(
  { body, params }: Pick<FastifyRequest, 'body' | 'params'>,
  { verb }: { verb?: string },
): DirectInput {
  const model = verb === undefined ? modelParam(params) : modelBefore(params);
  return { body: parsedBody(body), ...(model !== undefined && { model }) };
}

function parsedBody(body: unknown): unknown {
  return Buffer.isBuffer(body) && body.length > 0 ? parseJson(body) : undefined;
}

function modelParam(params: unknown): string | undefined {
  return (params as { model?: string }).model;
}

function modelBefore(params: unknown): string {
  const split = splitModelPath((params as { '*'?: string })['*'] ?? '');
  if (!split) throw new GatewayError('not_found', 'The path does not name a model.');
  return split.model;
}
