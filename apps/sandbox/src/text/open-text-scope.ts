import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TextVendor } from './text-vendor.ts';
import { WireError } from '../http/wire-error.ts';

export interface TextScope {
  name: string;
  requestIdHeader: string;
  /** @throws WireError if the key is invalid or a header is missing. */
  authenticate(request: FastifyRequest): void;
  modelOf?(request: FastifyRequest): string | undefined;
  /** Formats errors of the HTTP layer, such as invalid JSON. */
  invalid(status: number, message: string): WireError;
}

function modelIn(body: unknown): string | null {
  const model: unknown = typeof body === 'object' && body !== null && 'model' in body ? body.model : undefined;
  return typeof model === 'string' ? model : null;
}

/**
 * Sets up what all text wires share: key checks, the request log, error formatting, and tolerance of empty JSON bodies.
 */
export function openTextScope(scope: FastifyInstance, vendor: TextVendor, wire: TextScope): void {
  scope.setErrorHandler<FastifyError>((error, request, reply): FastifyReply => {
    const ours = !(error instanceof WireError) && (error.statusCode ?? 500) >= 500;
    if (ours && !request.raw.socket.destroyed) request.log.error(error);
    const status = ours ? 500 : (error.statusCode ?? 400);
    const response = error instanceof WireError ? error : wire.invalid(status, error.message);
    return reply.code(response.status).headers(response.headers).send(response.body(request.id));
  });
  scope.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text.trim() === '') done(null, undefined);
    else void scope.getDefaultJsonParser('error', 'ignore')(request, text, done);
  });
  scope.addHook('onRequest', async (request, reply) => {
    reply.header(wire.requestIdHeader, request.id);
    wire.authenticate(request);
  });
  scope.addHook('preValidation', async (request, reply) => {
    const model = wire.modelOf?.(request) ?? modelIn(request.body);
    const seen = { wire: wire.name, path: request.url, model, body: request.body ?? null };
    vendor.log.follow(vendor.log.note(seen, request.headers), reply.raw);
  });
}
