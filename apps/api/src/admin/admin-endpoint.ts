import type { ErrorCode } from '@sluice/canonical';
import { type Credential, type EndpointResponse, videosProtocol } from '@sluice/protocols';
import { z } from 'zod';
import type { AdminDeps } from './admin-deps.ts';
import { validateInput } from '../http/validate-input.ts';

/** The admin API sends errors in the default shape. */
const PROTOCOL = {
  name: 'Administration',
  encodeError: videosProtocol.encodeError,
  errorSchema: videosProtocol.errorSchema,
} as const;

interface AdminCall<Query, Body> {
  params: Readonly<Record<string, string>>;
  query: Query;
  body: Body;
}

interface AdminRoute {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: `/admin/v1/${string}`;
  /** Unique over all routes, including those of the protocols. */
  operationId: string;
  summary: string;
  /** Codes in addition to those of every route. */
  errors: readonly ErrorCode[];
}

interface AdminResponse {
  status: number;
  description: string;
  schema: z.ZodType;
}

export interface AdminEndpointSpec<Query extends z.ZodObject, Body extends z.ZodObject> extends AdminRoute {
  /** Strict: unknown parameters are rejected. Absent: the endpoint takes no query. */
  query?: Query;
  /** Strict, as above. Absent: the endpoint takes no body. */
  body?: Body;
  response: AdminResponse;
  /**
   * @returns the body of the response
   * @throws GatewayError
   */
  serve: (deps: AdminDeps, call: AdminCall<z.output<Query>, z.output<Body>>) => Promise<unknown>;
}

interface UncheckedCall {
  params: Readonly<Record<string, string>>;
  query: unknown;
  /** Undefined if none was sent. */
  body: unknown;
}

/** An endpoint of the admin API as data, for the router and the documentation. */
export interface AdminEndpoint extends AdminRoute {
  protocol: typeof PROTOCOL;
  credentials: readonly Credential[];
  query?: z.ZodObject;
  body?: { content: Readonly<Record<string, z.ZodType>> };
  responses: Readonly<Record<number, EndpointResponse>>;
  status: number;
  /** @throws GatewayError `invalid_request` for an invalid query or body, and the errors of the endpoint itself */
  serve: (deps: AdminDeps, call: UncheckedCall) => Promise<unknown>;
}

const NOTHING = z.strictObject({});

/** Wraps an endpoint so that its query and body are validated before it runs. */
export function defineAdminEndpoint<Query extends z.ZodObject = z.ZodObject, Body extends z.ZodObject = z.ZodObject>(
  spec: AdminEndpointSpec<Query, Body>,
): AdminEndpoint {
  const { query, body, response, serve, ...route } = spec;
  return {
    ...route,
    protocol: PROTOCOL,
    credentials: ['bearer', 'x-api-key'],
    ...(query && { query }),
    ...(body && { body: { content: { 'application/json': body } } }),
    responses: {
      [response.status]: { description: response.description, content: { 'application/json': response.schema } },
    },
    status: response.status,
    serve: async (deps, call) =>
      serve(deps, {
        params: call.params,
        query: validateInput(query ?? NOTHING, call.query, 'query') as z.output<Query>, // validated by the same schema
        body: validateInput(body ?? NOTHING, call.body === undefined ? {} : call.body, 'body') as z.output<Body>,
      }),
  };
}
