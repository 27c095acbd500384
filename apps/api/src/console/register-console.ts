import { GatewayError } from '@sluice/canonical';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { validateInput } from '../http/validate-input.ts';
import { CONSOLE_PROTOCOL, type ConsoleDeps, type ConsoleEndpoint } from './console-endpoint.ts';
import { createFileServer } from './serve-files.ts';
import { SESSION_ENDPOINTS } from './session-endpoints.ts';

export const CONSOLE_ENDPOINTS = SESSION_ENDPOINTS;

const BODY_BYTES = 16 * 1024;
const NOTHING = z.strictObject({});

/** Registers the pages of the console and the endpoints that only the console calls. */
export async function registerConsole(app: FastifyInstance, deps: ConsoleDeps): Promise<void> {
  await app.register(async (scope) => {
    scope.removeContentTypeParser('multipart/form-data');
    scope.addHook('onRequest', (_request, reply, done) => {
      void reply.header('cache-control', 'no-store');
      done();
    });
    for (const endpoint of CONSOLE_ENDPOINTS) registerEndpoint(scope, endpoint, deps);
  });
  const serveFile = createFileServer(new URL('../../../console/dist/site/', import.meta.url));
  for (const url of ['/console', '/console/*']) app.route({ method: ['GET', 'HEAD'], url, handler: serveFile });
}

function registerEndpoint(scope: FastifyInstance, endpoint: ConsoleEndpoint, deps: ConsoleDeps): void {
  const { method, path, isPublic = false, body: schema = NOTHING } = endpoint;
  scope.route({
    method: method === 'GET' ? ['GET', 'HEAD'] : method,
    url: path,
    bodyLimit: BODY_BYTES,
    config: { encodeError: CONSOLE_PROTOCOL.encodeError, ignoresSession: isPublic },
    onRequest: (request, _reply, done) => {
      if (!isPublic) checkSession(request, deps);
      done();
    },
    handler: async (request, reply) => {
      validateInput(NOTHING, request.query, 'query');
      const body = validateInput(schema, request.body === undefined ? {} : request.body, 'body');
      const response = await endpoint.serve(deps, { request, reply, body, session: request.consoleSession });
      return reply.code(endpoint.status).send(response);
    },
  });
}

/** @throws GatewayError `invalid_api_key` */
function checkSession({ consoleSession: session }: FastifyRequest, { findApiKey }: ConsoleDeps): void {
  if (session && (session.role !== 'holder' || findApiKey(session.keyHash))) return;
  throw new GatewayError('invalid_api_key', 'The session has ended. Sign in again.');
}
