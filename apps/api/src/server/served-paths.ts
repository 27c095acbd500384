import { GatewayError } from '@sluice/canonical';
import { type EncodeError, videosProtocol } from '@sluice/protocols';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { printable } from '../http/printable.ts';

export interface ServedPath {
  method: string;
  path: string;
  verb?: string;
  protocol: { encodeError: EncodeError };
}

function methodsOf(path: string, endpoints: readonly ServedPath[]): string[] {
  const methods = endpointsAt(path, endpoints).flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...new Set(methods)];
}

export function noRoute(request: FastifyRequest, reply: FastifyReply, served: readonly ServedPath[]): GatewayError {
  const { method } = request;
  const path = pathOf(request);
  const methods = methodsOf(path, served);
  if (methods.length === 0 || methods.includes(method)) {
    return new GatewayError('not_found', `No endpoint ${method} ${printable(path)}. See /docs for all endpoints.`);
  }
  void reply.header('allow', methods.join(', '));
  return new GatewayError('method_not_allowed', `${printable(path)} allows ${methods.join(', ')}, not ${method}.`);
}

export function errorEncoderOf(request: FastifyRequest, served: readonly ServedPath[]): EncodeError {
  const [endpoint] = endpointsAt(pathOf(request), served);
  return (endpoint?.protocol ?? videosProtocol).encodeError;
}

/**
 * Returns the most specific endpoints for a path (e.g. for `/v1/responses/compact`, not the endpoints of
 * `/v1/responses/:response_id`).
 */
function endpointsAt(path: string, endpoints: readonly ServedPath[]): ServedPath[] {
  const matching = endpoints.filter((endpoint) => pathPattern(endpoint).test(path));
  const fewest = Math.min(...matching.map(variableParts));
  return matching.filter((endpoint) => variableParts(endpoint) === fewest);
}

/** An action suffix makes a path more specific. */
function variableParts({ path, verb }: ServedPath): number {
  return (path.match(/[:*]\w+/g)?.length ?? 0) - (verb === undefined ? 0 : 0.5);
}

function pathPattern({ path, verb }: ServedPath): RegExp {
  const pattern = path.replaceAll(/:\w+/g, '[^/]+').replace(/\*\w+$/, verb === undefined ? '.+' : `.+:${verb}`);
  return new RegExp(`^${pattern}$`);
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? '';
}
