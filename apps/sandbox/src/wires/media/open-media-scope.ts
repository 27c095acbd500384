import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { WireError } from '../../http/wire-error.ts';
import type { FormatError } from './format-error.ts';

export interface MediaScope {
  format: FormatError;
  /** Default `x-request-id`. */
  requestIdHeader?: string;
  /** @throws WireError if the credentials are invalid. */
  authenticate?(request: FastifyRequest): void;
}

/**
 * Sets up what all media wires share: key checks before the body is read, error formatting, and tolerance of empty JSON
 * bodies. Under a prefix, unknown paths get the vendor's error too.
 */
export function openMediaScope(scope: FastifyInstance, wire: MediaScope): void {
  scope.setErrorHandler<FastifyError>((error, request, reply) => {
    const ours = !(error instanceof WireError) && (error.statusCode ?? 500) >= 500;
    // A client that disconnected broke its own request: not a defect.
    if (ours && !request.raw.socket.destroyed) request.log.error(error);
    const spelled = (): WireError => (ours ? wire.format('broken') : wire.format('malformed', error.message));
    const response = error instanceof WireError ? error : spelled();
    // Reported by the server in front of the vendor, in the vendor's format.
    const status = [413, 415].includes(error.statusCode ?? 0) ? error.statusCode : undefined;
    return reply
      .code(status ?? response.status)
      .headers(response.headers)
      .send(response.body(request.id));
  });
  if (scope.prefix !== '') {
    scope.setNotFoundHandler((request) => {
      throw wire.format('unknown_call', `${request.method} ${request.url}`);
    });
  }
  scope.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text.trim() === '') done(null, undefined);
    else void scope.getDefaultJsonParser('error', 'ignore')(request, text, done);
  });
  scope.addHook('onRequest', async (request, reply) => {
    reply.header(wire.requestIdHeader ?? 'x-request-id', request.id);
    wire.authenticate?.(request);
  });
}
