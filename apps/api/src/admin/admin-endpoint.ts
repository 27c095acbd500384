import type { ErrorCode } from '@sluice/canonical';
import { type Credential, type EndpointResponse, videosProtocol } from '@sluice/protocols';
import { z } from 'zod';
import type { AdminDeps } from './admin-deps.ts';
import { validateInput } from '../http/validate-input.ts';

/** The admin API spells errors as most of the API does. */
const PROTOCOL = {
  name: 'Administration',
  encodeError: videosProtocol.encodeError,
  errorSchema: videosProtocol.errorSchema,
} as const;

/** What an endpoint is told besides its room. */
interface AdminCall<Query, Body> {
  /** The path's `:name` parameters. */
  params: Readonly<Record<string, string>>;
  query: Query;
  body: Body;
}

interface AdminRoute {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/admin/v1/`, with `:name` for a parameter. */
  path: `/admin/v1/${string}`;
  /** Unique over all routes, those of the protocols too. */
  operationId: string;
  summary: string;
  /** Codes that it can answer with, beyond those of every route. */
  errors: readonly ErrorCode[];
}

interface AdminResponse {
  status: number;
  description: string;
  /** What the answer looks like, for the documents. */
  schema: z.ZodType;
}

/** One endpoint as its author writes it; see {@link defineAdminEndpoint}. */
export interface AdminEndpointSpec<Query extends z.ZodObject, Body extends z.ZodObject> extends AdminRoute {
  /** Strict: what it does not know is refused. Absent: no query is taken. */
  query?: Query;
  /** Strict, as above. Absent: no body is taken. */
  body?: Body;
  response: AdminResponse;
  /**
   * Does what is asked, and gives the answer's body.
   * @throws GatewayError what the client is told instead
   */
  serve: (deps: AdminDeps, call: AdminCall<z.output<Query>, z.output<Body>>) => Promise<unknown>;
}

/** A request before its parts are checked. */
interface UncheckedCall {
  params: Readonly<Record<string, string>>;
  query: unknown;
  /** Undefined: none was sent. */
  body: unknown;
}

/** One endpoint of the admin API as data: what is registered, and what the documents tell. */
export interface AdminEndpoint extends AdminRoute {
  protocol: typeof PROTOCOL;
  credentials: readonly Credential[];
  query?: z.ZodObject;
  body?: { content: Readonly<Record<string, z.ZodType>> };
  responses: Readonly<Record<number, EndpointResponse>>;
  /** The status of success. */
  status: number;
  /** @throws GatewayError `invalid_request` for a query or body that does not fit, and what the author throws */
  serve: (deps: AdminDeps, call: UncheckedCall) => Promise<unknown>;
}

const NOTHING = z.strictObject({});

/** Makes an endpoint of what its author writes; query and body are checked before they reach him, once. */
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
        query: validateInput(query ?? NOTHING, call.query, 'query') as z.output<Query>, // of the author's own schema
        body: validateInput(body ?? NOTHING, call.body === undefined ? {} : call.body, 'body') as z.output<Body>, // as above
      }),
  };
}
