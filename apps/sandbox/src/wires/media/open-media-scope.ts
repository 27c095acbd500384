import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { WireError } from '../../http/wire-error.ts';
import type { FormatError } from './format-error.ts';

/** What sets one wire's scope apart. */
export interface MediaScope {
  format: FormatError;
  /** The header that tells the request's id. Default `x-request-id`. */
  requestIdHeader?: string;
  /** @throws WireError when the request does not carry what the vendor wants to see. */
  authenticate?(request: FastifyRequest): void;
}

/**
 * Gives a scope what every wire of media has: keys are checked before bodies are read, errors are in the vendor's shape,
 * an empty JSON body counts as none. Under a prefix of its own, unknown paths are answered by the vendor too.
 */
export function openMediaScope(scope: FastifyInstance, wire: MediaScope): void {
  scope.setErrorHandler<FastifyError>((error, request, reply) => {
    const ours = !(error instanceof WireError) && (error.statusCode ?? 500) >= 500;
    // A caller that left has broken its own request: no defect.
    if (ours && !request.raw.socket.destroyed) request.log.error(error);
    const spelled = (): WireError => (ours ? wire.format('broken') : wire.format('malformed', error.message));
    const response = error instanceof WireError ? error : spelled();
    // Too large, or of a kind that nobody reads: said by the server in front of the vendor, in the vendor's shape.
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
