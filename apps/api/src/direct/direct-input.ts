import { GatewayError, GATEWAY_MESSAGES } from '@sluice/canonical';
import { type DirectInput, parseJson, splitModelPath } from '@sluice/protocols';
import type { FastifyRequest } from 'fastify';

/** @throws GatewayError if the JSON is invalid (see `parseJson`), or `not_found` if the path contains no model */
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
  if (!split) throw new GatewayError('not_found', GATEWAY_MESSAGES.noModelInPath);
  return split.model;
}
