import type { ErrorCode } from '@sluice/canonical';
import { type Credential, type EndpointResponse, expandBrackets, videosProtocol } from '@sluice/protocols';
import type { Webhooks } from '@sluice/webhooks';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { validateInput } from '../../http/validate-input.ts';
import type { MediaDeps } from '../media-deps.ts';

/** Errors have the default shape. */
const PROTOCOL = {
  name: 'tasks',
  encodeError: videosProtocol.encodeError,
  errorSchema: videosProtocol.errorSchema,
} as const;

export interface TaskDeps extends Pick<MediaDeps, 'engine' | 'content' | 'logger'> {
  webhooks: Pick<Webhooks, 'deliveriesOf'>;
}

interface TaskCall<Query, Body> {
  /** Name of the caller's API key. Undefined for the admin key, which can read the tasks of all keys. */
  owner: string | undefined;
  /** Id in the path. */
  id: string;
  query: Query;
  body: Body;
  request: FastifyRequest;
  reply: FastifyReply;
}

interface TaskEndpointSpec<Query extends z.ZodObject, Body extends z.ZodType> {
  method: 'GET' | 'POST';
  path: `/v1/tasks${string}`;
  /** Must be unique across all routes. */
  operationId: string;
  summary: string;
  /** Unknown parameters are rejected. If omitted, the endpoint accepts no query. */
  query?: Query;
  /** If omitted, the endpoint ignores the body. */
  body?: Body;
  response: EndpointResponse;
  errors: readonly ErrorCode[];
  /** @returns the response body, or the reply if it was sent. @throws GatewayError */
  serve: (deps: TaskDeps, call: TaskCall<z.output<Query>, z.output<Body>>) => Promise<unknown>;
}

/** Describes an endpoint of tasks as data. The router and the API documentation both read it. */
export interface TaskEndpoint extends Omit<TaskEndpointSpec<z.ZodObject, z.ZodType>, 'response' | 'body' | 'serve'> {
  protocol: typeof PROTOCOL;
  credentials: readonly Credential[];
  body?: { content: Readonly<Record<string, z.ZodType>> };
  responses: Readonly<Record<number, EndpointResponse>>;
  /** @throws GatewayError `invalid_request` for an invalid query or body, and the endpoint's own errors */
  serve: (deps: TaskDeps, call: Omit<TaskCall<unknown, unknown>, 'query' | 'body'>) => Promise<unknown>;
}

const NOTHING = z.strictObject({});

export function defineTaskEndpoint<Query extends z.ZodObject = z.ZodObject, Body extends z.ZodType = z.ZodType>({
  response,
  body: bodySchema,
  serve,
  ...spec
}: TaskEndpointSpec<Query, Body>): TaskEndpoint {
  return {
    ...spec,
    protocol: PROTOCOL,
    credentials: ['bearer'],
    ...(bodySchema && { body: { content: { 'application/json': bodySchema } } }),
    responses: { 200: response },
    serve: (deps, call) => {
      // The casts are safe because these schemas validated the values.
      const query = validateInput(spec.query ?? NOTHING, expanded(call.request.query), 'query') as z.output<Query>;
      const body = validateInput(bodySchema ?? z.unknown(), call.request.body ?? {}, 'body') as z.output<Body>;
      return serve(deps, { ...call, query, body });
    },
  };
}

function expanded(query: unknown): unknown {
  return typeof query === 'object' && query !== null ? expandBrackets(Object.entries(query)) : query;
}
