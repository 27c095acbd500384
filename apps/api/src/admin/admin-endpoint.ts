import type { ErrorCode } from '@sluice/canonical';
import { type Credential, type EndpointResponse, videosProtocol } from '@sluice/protocols';
import { z } from 'zod';
import type { AdminRole } from '../auth/admin-key.ts';
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
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: `/admin/v1/${string}`;
  /** Must be unique across all routes, including the protocol endpoints. */
  operationId: string;
  summary: string;
  /** The least role of a console session. Default: `viewer` for GET, otherwise `admin`. */
  role?: AdminRole;
  /** Error codes in addition to the codes that every route returns. */
  errors: readonly ErrorCode[];
}

interface AdminResponse {
  status: number;
  description: string;
  schema: z.ZodType;
}

export interface AdminEndpointSpec<Query extends z.ZodObject, Body extends z.ZodObject> extends AdminRoute {
  /** Unknown parameters are rejected. If omitted, the endpoint accepts no query. */
  query?: Query;
  /** Unknown fields are rejected. If omitted, the endpoint accepts no body. */
  body?: Body;
  response: AdminResponse;
  /**
   * @returns the response body
   * @throws GatewayError
   */
  serve: (deps: AdminDeps, call: AdminCall<z.output<Query>, z.output<Body>>) => Promise<unknown>;
}

interface UncheckedCall {
  params: Readonly<Record<string, string>>;
  query: unknown;
  /** Undefined if the client sent no body. */
  body: unknown;
}

/** Describes an admin endpoint as data. The router and the API documentation both read it. */
export interface AdminEndpoint extends AdminRoute {
  protocol: typeof PROTOCOL;
  credentials: readonly Credential[];
  query?: z.ZodObject;
  body?: { content: Readonly<Record<string, z.ZodType>> };
  responses: Readonly<Record<number, EndpointResponse>>;
  status: number;
  /** @throws GatewayError `invalid_request` for an invalid query or body, and the endpoint's own errors */
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
        // The cast is safe because this schema validated the value.
        query: validateInput(query ?? NOTHING, call.query, 'query') as z.output<Query>,
        body: validateInput(body ?? NOTHING, call.body === undefined ? {} : call.body, 'body') as z.output<Body>,
      }),
  };
}
