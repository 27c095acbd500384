import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { WireError } from './wire-error.ts';

export interface WireScope {
  requestIdHeader: string;
  /** @throws WireError if the credentials are invalid. */
  authenticate?(request: FastifyRequest): void;
  /** Formats errors of the HTTP layer, such as invalid JSON. */
  formatHttpError(status: number, message: string): WireError;
}

/** Sets up error formatting and checks the key before the body is read. An empty JSON body is treated as missing. */
export function openScope(scope: FastifyInstance, wire: WireScope): void {
  scope.setErrorHandler<FastifyError>((error, request, reply): FastifyReply => {
    const isDefect = !(error instanceof WireError) && (error.statusCode ?? 500) >= 500;
    // If the client disconnected, the error is not a defect of the sandbox.
    if (isDefect && !request.raw.socket.destroyed) request.log.error(error);
    const status = isDefect ? 500 : (error.statusCode ?? 400);
    const response = error instanceof WireError ? error : wire.formatHttpError(status, error.message);
    // At a real vendor, a proxy in front of the API rejects these requests with the HTTP status.
    const isReportedInFront = status === 413 || status === 415;
    return reply
      .code(isReportedInFront ? status : response.status)
      .headers(response.headers)
      .send(response.body(request.id));
  });
  scope.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text.trim() === '') done(null, undefined);
    else void scope.getDefaultJsonParser('error', 'ignore')(request, text, done);
  });
  scope.addHook('onRequest', async (request, reply) => {
    reply.header(wire.requestIdHeader, request.id);
    wire.authenticate?.(request);
  });
}
