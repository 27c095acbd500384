import type { ErrorCode } from '@sluice/canonical';
import { type Credential, type EndpointResponse, videosProtocol } from '@sluice/protocols';
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

interface TaskCall<Query> {
  /** Name of the caller's API key. Undefined for the admin key, which can read the tasks of all keys. */
  owner: string | undefined;
  /** Id in the path. */
  id: string;
  query: Query;
  request: FastifyRequest;
  reply: FastifyReply;
}

interface TaskEndpointSpec<Query extends z.ZodObject> {
  method: 'GET' | 'POST';
  path: `/v1/tasks${string}`;
  /** Must be unique across all routes. */
  operationId: string;
  summary: string;
  /** Unknown parameters are rejected. If omitted, the endpoint accepts no query. */
  query?: Query;
  response: EndpointResponse;
  errors: readonly ErrorCode[];
  /** @returns the response body, or the reply if it was sent. @throws GatewayError */
  serve: (deps: TaskDeps, call: TaskCall<z.output<Query>>) => Promise<unknown>;
}

/** Describes an endpoint of tasks as data. The router and the API documentation both read it. */
export interface TaskEndpoint extends Omit<TaskEndpointSpec<z.ZodObject>, 'response' | 'serve'> {
  protocol: typeof PROTOCOL;
  credentials: readonly Credential[];
  responses: Readonly<Record<number, EndpointResponse>>;
  /** @throws GatewayError `invalid_request` for an invalid query, and the endpoint's own errors */
  serve: (deps: TaskDeps, call: Omit<TaskCall<unknown>, 'query'>) => Promise<unknown>;
}

const NOTHING = z.strictObject({});

export function defineTaskEndpoint<Query extends z.ZodObject = z.ZodObject>({
  response,
  serve,
  ...spec
}: TaskEndpointSpec<Query>): TaskEndpoint {
  return {
    ...spec,
    protocol: PROTOCOL,
    credentials: ['bearer'],
    responses: { 200: response },
    serve: (deps, call) => {
      // The cast is safe because this schema validated the value.
      const query = validateInput(spec.query ?? NOTHING, call.request.query, 'query') as z.output<Query>;
      return serve(deps, { ...call, query });
    },
  };
}
