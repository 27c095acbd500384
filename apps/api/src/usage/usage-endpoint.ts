import type { ErrorCode } from '@sluice/canonical';
import { type Credential, type EndpointResponse, videosProtocol } from '@sluice/protocols';
import type { z } from 'zod';
import type { LedgerReader } from '../metering/ledger-reader.ts';

/** The reports send errors in the default shape. */
const PROTOCOL = {
  name: 'usage',
  encodeError: videosProtocol.encodeError,
  errorSchema: videosProtocol.errorSchema,
} as const;

export interface UsageDeps {
  ledger: LedgerReader;
  /** Retrieves a key by its name, with its spending. @throws GatewayError */
  retrieveKey: (name: string) => Promise<unknown>;
  /** Unix milliseconds. */
  now: () => number;
}

export interface UsageCall {
  /** Name of the caller's API key. Undefined for the admin key, which can read the usage of all keys. */
  owner: string | undefined;
  /** Parameters of the path. */
  params: Readonly<Record<string, string>>;
  /** Parameters with several values have no brackets (`group_by`, not `group_by[]`). */
  query: Readonly<Record<string, unknown>>;
  /** The `Accept` header. */
  accept: string;
}

interface UsageResponse {
  body: unknown;
  /** Absent: JSON. */
  mediaType?: string;
  /** The parameter and value of the next page, if there is one. */
  next?: readonly [parameter: string, value: string];
}

interface UsageEndpointSpec {
  path: `/v1/${string}`;
  /** Must be unique across all routes. */
  operationId: string;
  summary: string;
  query: z.ZodObject;
  response: EndpointResponse;
  /** @throws GatewayError */
  serve: (deps: UsageDeps, call: UsageCall) => Promise<UsageResponse>;
}

/** Describes a report as data. The router and the API documentation both read it. */
export interface UsageEndpoint extends Omit<UsageEndpointSpec, 'response'> {
  method: 'GET';
  protocol: typeof PROTOCOL;
  credentials: readonly Credential[];
  responses: Readonly<Record<number, EndpointResponse>>;
  errors: readonly ErrorCode[];
}

export function defineUsageEndpoint({ response, ...spec }: UsageEndpointSpec): UsageEndpoint {
  return {
    ...spec,
    method: 'GET',
    protocol: PROTOCOL,
    credentials: ['bearer'],
    responses: { 200: response },
    errors: ['not_found', 'rate_limited', 'store_unavailable'],
  };
}
