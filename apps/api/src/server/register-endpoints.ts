import { GatewayError, orList } from '@sluice/canonical';
import { type Endpoint, type EncodeError, ENDPOINTS, JSON_BOUNDS } from '@sluice/protocols';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CallerOf } from '../auth/authenticate.ts';
import type { EndpointHandler, EndpointHandlers } from '../auth/client-call.ts';
import { readBody } from '../http/read-body.ts';
import type { StatusOfError } from '../http/send-error.ts';
import type { Ledger, OpenRequestLedger } from '../ledger/ledger.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    protocol?: string;
    encodeError?: EncodeError;
    statusOfError?: StatusOfError;
  }
}

type RouteEndpoints = readonly Endpoint[];

export async function registerEndpoints(
  app: FastifyInstance,
  callerOf: CallerOf,
  handlers: EndpointHandlers,
  ledger: Pick<Ledger, 'opener'>,
): Promise<void> {
  app.decorateRequest('apiKey', undefined);
  app.decorateRequest('ledger', undefined);
  app.decorateRequest('credentialHash', undefined);
  app.decorateRequest('charge', undefined);
  const routes = [...Map.groupBy(ENDPOINTS, ({ method, path }) => `${method} ${path}`).values()];
  const handlerOf = ({ action }: Endpoint): EndpointHandler => handlers[action];
  const readsBytes = (endpoints: RouteEndpoints): boolean => endpoints.some((one) => handlerOf(one).readsBytes);

  const register = (scope: FastifyInstance, endpoints: RouteEndpoints): void => {
    const [first] = endpoints;
    if (!first) return;
    const { authenticate = callerOf } = handlerOf(first);
    const openLedger = ledgerOpener(ledger, endpoints);
    scope.route({
      ...routeOf(first, app.initialConfig.bodyLimit ?? Infinity),
      onRequest: (request, reply, done) => {
        const apiKey = authenticate(request);
        request.apiKey = apiKey;
        if (apiKey) openLedger(request)?.(apiKey, request, reply);
        done();
      },
      handler: async (request, reply) => {
        const endpoint = selectEndpoint(first, endpoints, request);
        const { serve, serveLinked } = handlerOf(endpoint);
        const apiKey = request.body === undefined ? request.apiKey : authenticate(request);
        if (apiKey) return serve({ endpoint, apiKey, request, reply });
        return serveLinked?.({ endpoint, request, reply });
      },
    });
  };

  for (const endpoints of routes) if (!readsBytes(endpoints)) register(app, endpoints);
  // A separate scope that does not parse bodies, because most of them are relayed unchanged.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', readBody);
    for (const endpoints of routes) if (readsBytes(endpoints)) register(scope, endpoints);
  });
}

/** Returns a function that finds the opener of a request's endpoint, before the request is validated. */
function ledgerOpener(
  ledger: Pick<Ledger, 'opener'>,
  endpoints: RouteEndpoints,
): (request: FastifyRequest) => OpenRequestLedger | undefined {
  const openers = new Map(endpoints.map((endpoint) => [endpoint, ledger.opener(endpoint)]));
  const [first] = openers.values();
  if (openers.size === 1) return () => first;
  return (request) => {
    const endpoint = findEndpoint(endpoints, request);
    return endpoint && openers.get(endpoint);
  };
}

function findEndpoint(endpoints: RouteEndpoints, request: FastifyRequest): Endpoint | undefined {
  const verb = verbOf(request);
  return endpoints.find(({ select, ...endpoint }) =>
    select ? queryValue(request, select.parameter) === select.value : endpoint.verb === verb,
  );
}

function routeOf({ method, path, protocol, body }: Endpoint, jsonBytes: number) {
  return {
    method: method === 'GET' ? ['GET', 'HEAD'] : method,
    ...(body?.isText && { bodyLimit: Math.min(jsonBytes, JSON_BOUNDS.textBytes) }),
    // Fastify's router has no named wildcards.
    url: path.replace(/\*\w+$/, '*'),
    config: {
      protocol: protocol.name,
      encodeError: protocol.encodeError,
      ...('statusOfError' in protocol && protocol.statusOfError && { statusOfError: protocol.statusOfError }),
    },
  };
}

/** @throws GatewayError for an action suffix or a query parameter that matches no endpoint of the route */
function selectEndpoint(first: Endpoint, endpoints: RouteEndpoints, request: FastifyRequest): Endpoint {
  if (first.select) return endpointBySelect(endpoints, first.select.parameter, request);
  return first.verb === undefined ? first : endpointByVerb(endpoints, request);
}

function verbOf({ params }: FastifyRequest): string {
  const wildcard = (params as { '*'?: string })['*'] ?? '';
  return wildcard.slice(wildcard.lastIndexOf(':') + 1);
}

function queryValue({ query }: FastifyRequest, parameter: string): unknown {
  return (query as Record<string, unknown>)[parameter];
}

function endpointByVerb(endpoints: RouteEndpoints, request: FastifyRequest): Endpoint {
  const endpoint = findEndpoint(endpoints, request);
  if (endpoint) return endpoint;
  const verbs = orList(endpoints.map((candidate) => `:${candidate.verb}`));
  throw new GatewayError('not_found', `The path of a model must end in ${verbs}.`);
}

function endpointBySelect(endpoints: RouteEndpoints, parameter: string, request: FastifyRequest): Endpoint {
  const endpoint = findEndpoint(endpoints, request);
  if (endpoint) return endpoint;
  const values = endpoints.map(({ select }) => select?.value).join(' or ');
  throw new GatewayError('invalid_request', `The query parameter ${parameter} must be ${values}.`, {
    param: parameter,
  });
}
