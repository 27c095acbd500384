import { GatewayError, orList } from '@sluice/canonical';
import { type Endpoint, type EncodeError, ENDPOINTS, JSON_BOUNDS } from '@sluice/protocols';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { EndpointHandler } from '../auth/client-call.ts';
import { MESSAGE_BATCH_BYTES } from '../batches/create-inline-batch.ts';
import { FORM_OVERHEAD_BYTES } from '../files/read-file-form.ts';
import { PART_BYTES } from '../files/upload-handlers.ts';
import { readBody } from '../http/read-body.ts';
import type { StatusOfError } from '../http/send-error.ts';
import type { Ledger, OpenRequestLedger } from '../ledger/ledger.ts';
import type { Serving } from './serving.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    protocol?: string;
    encodeError?: EncodeError;
    statusOfError?: StatusOfError;
  }
  interface FastifyRequest {
    /** The format of errors, if the request selects it. */
    encodeError: EncodeError | undefined;
    /** The version of the configuration that serves the request. */
    serving: Serving | undefined;
  }
}

type RouteEndpoints = readonly Endpoint[];

/** @param live its current version serves each new request. The routes are the same in every version. */
export async function registerEndpoints(
  app: FastifyInstance,
  live: { readonly current: Serving },
  ledger: Pick<Ledger, 'opener'>,
): Promise<void> {
  app.decorateRequest('serving', undefined);
  app.decorateRequest('encodeError', undefined);
  app.decorateRequest('apiKey', undefined);
  app.decorateRequest('ledger', undefined);
  app.decorateRequest('credentialHash', undefined);
  app.decorateRequest('charge', undefined);
  app.decorateRequest('credentialUse', undefined);
  const routes = [...Map.groupBy(ENDPOINTS, ({ method, path }) => `${method} ${path}`).values()];
  const readsBytes = (endpoints: RouteEndpoints): boolean =>
    endpoints.some((one) => handlerOf(live.current, one).readsBytes);

  const register = (scope: FastifyInstance, endpoints: RouteEndpoints): void => {
    const [first] = endpoints;
    if (!first) return;
    const openLedger = ledgerOpener(ledger, endpoints);
    scope.route({
      ...routeOf(first, app.initialConfig.bodyLimit ?? Infinity, live.current.config.files.max_bytes),
      onRequest: (request, reply, done) => {
        const serving = live.current;
        request.serving = serving;
        request.encodeError = errorsOf(first, request);
        const apiKey = callerOf(serving, first)(request);
        request.apiKey = apiKey;
        if (apiKey) openLedger(request)?.(apiKey, request, reply);
        done();
      },
      handler: async (request, reply) => {
        const endpoint = selectEndpoint(first, endpoints, request);
        if (request.raw.url?.includes('dry_run')) expectDryRun(endpoint, request);
        const { serving = live.current } = request;
        const { serve, serveLinked } = handlerOf(serving, endpoint);
        const apiKey = request.body === undefined ? request.apiKey : callerOf(serving, first)(request);
        if (apiKey) return serve({ endpoint, apiKey, request, reply });
        return serveLinked?.({ endpoint, request, reply });
      },
    });
  };

  const streamsBody = ([first]: RouteEndpoints): boolean =>
    first !== undefined && handlerOf(live.current, first).streamsBody === true;

  for (const endpoints of routes) if (!readsBytes(endpoints) && !streamsBody(endpoints)) register(app, endpoints);
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    for (const endpoints of routes) if (streamsBody(endpoints)) register(scope, endpoints);
  });
  // A separate scope that does not parse bodies, because most of them are relayed unchanged.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', readBody);
    for (const endpoints of routes) if (readsBytes(endpoints)) register(scope, endpoints);
  });
}

function handlerOf({ handlers }: Serving, { action }: Endpoint): EndpointHandler {
  return handlers[action];
}

function callerOf(serving: Serving, endpoint: Endpoint): NonNullable<EndpointHandler['authenticate']> {
  return handlerOf(serving, endpoint).authenticate ?? serving.callerOf;
}

/** A dry run that is ignored would cost money. @throws GatewayError `invalid_request` */
function expectDryRun({ method, query }: Endpoint, request: FastifyRequest): void {
  const isDryRun = queryValue(request, 'dry_run') ?? 'false';
  if (isDryRun === 'false' || method === 'GET' || (query && 'dry_run' in query.shape)) return;
  const what = 'This endpoint has no dry run, so the request was not run. Remove the query parameter `dry_run`.';
  throw new GatewayError('invalid_request', what, { param: 'dry_run' });
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

/** Returns the format of errors, if the protocol selects it by the request. */
function errorsOf({ protocol }: Endpoint, { headers, query }: FastifyRequest): EncodeError | undefined {
  // The cast is safe because the query is an object.
  return 'formatOf' in protocol ? protocol.formatOf(headers, query as Record<string, unknown>).encodeError : undefined;
}

function findEndpoint(endpoints: RouteEndpoints, request: FastifyRequest): Endpoint | undefined {
  const verb = verbOf(request);
  return endpoints.find(({ select, ...endpoint }) =>
    select ? queryValue(request, select.parameter) === select.value : endpoint.verb === verb,
  );
}

function routeOf(
  { method, path, protocol, body, action, operationId }: Endpoint,
  jsonBytes: number,
  fileBytes: number,
) {
  return {
    method: method === 'GET' ? ['GET', 'HEAD'] : method,
    ...(body?.isText && { bodyLimit: Math.min(jsonBytes, JSON_BOUNDS.textBytes) }),
    // Fastify's router has no named wildcards.
    url: path.replace(/\*\w+$/, '*'),
    config: {
      protocol: protocol.name,
      encodeError: protocol.encodeError,
      ...(method !== 'GET' && action.startsWith('webhook.') && { audit: operationId }),
      ...(body?.isText && { refusesForms: true }),
      ...(action === 'file.create' && { formBytes: fileBytes + FORM_OVERHEAD_BYTES }),
      ...(action === 'file.upload' && { formBytes: fileBytes, streamsBody: true }),
      ...(action === 'batch.create-messages' && { formBytes: MESSAGE_BATCH_BYTES, streamsBody: true }),
      ...(action === 'upload.add-part' && { formBytes: PART_BYTES + FORM_OVERHEAD_BYTES }),
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
