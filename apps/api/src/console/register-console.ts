import { GatewayError } from '@sluice/canonical';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { validateInput } from '../http/validate-input.ts';
import { CONSOLE_PROTOCOL, type ConsoleDeps, type ConsoleEndpoint } from './console-endpoint.ts';
import { EVENTS_ENDPOINT } from './events-endpoint.ts';
import { OIDC_ROUTES, registerOidc } from './register-oidc.ts';
import { createFileServer } from './serve-files.ts';
import { SESSION_ENDPOINTS } from './session-endpoints.ts';

const CONSOLE_ENDPOINTS: readonly ConsoleEndpoint[] = [...SESSION_ENDPOINTS, EVENTS_ENDPOINT];

/** The paths below `/console/api`. */
export const CONSOLE_PATHS: readonly Pick<ConsoleEndpoint, 'path' | 'protocol' | 'method'>[] = [
  ...CONSOLE_ENDPOINTS,
  ...OIDC_ROUTES,
];

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
    const { oidc } = deps;
    if (oidc) registerOidc(scope, { ...deps, oidc });
  });
  const serveFile = createFileServer(new URL('../../../console/dist/site/', import.meta.url));
  // The files are public, and other sites of the same domain, such as a sign-in provider, may link to them.
  const config = { ignoresSession: true };
  for (const url of ['/console', '/console/*']) app.route({ method: ['GET', 'HEAD'], url, config, handler: serveFile });
}

function registerEndpoint(scope: FastifyInstance, endpoint: ConsoleEndpoint, deps: ConsoleDeps): void {
  const { method, path, isPublic = false, body: schema = NOTHING, operationId } = endpoint;
  scope.route({
    method: method === 'GET' ? ['GET', 'HEAD'] : method,
    url: path,
    bodyLimit: BODY_BYTES,
    config: {
      encodeError: CONSOLE_PROTOCOL.encodeError,
      ignoresSession: isPublic,
      ...(operationId !== undefined && { audit: operationId }),
    },
    onRequest: (request, _reply, done) => {
      if (!isPublic) checkSession(request, deps);
      done();
    },
    handler: async (request, reply) => {
      validateInput(NOTHING, request.query, 'query');
      const body = validateInput(schema, request.body === undefined ? {} : request.body, 'body');
      const response = await endpoint.serve(deps, { request, reply, body, session: request.consoleSession });
      // A stream of events has sent its own head.
      return reply.sent ? reply : reply.code(endpoint.status).send(response);
    },
  });
}

/** @throws GatewayError `invalid_api_key` */
function checkSession({ consoleSession: session }: FastifyRequest, { findApiKey }: ConsoleDeps): void {
  if (session && (session.role !== 'holder' || findApiKey(session.keyHash))) return;
  throw new GatewayError('invalid_api_key', 'The session has ended. Sign in again.');
}
