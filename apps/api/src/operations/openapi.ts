import { ERROR_STATUS, type ErrorCode } from '@sluice/canonical';
import { type Credential, ENDPOINTS, type EndpointResponse } from '@sluice/protocols';
import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { StatusOfError } from '../http/send-error.ts';

const SECURITY: {
  [name: string]: { type: 'http'; scheme: string } | { type: 'apiKey'; in: 'header' | 'query'; name: string };
} = {
  bearer: { type: 'http', scheme: 'bearer' },
  'x-api-key': { type: 'apiKey', in: 'header', name: 'x-api-key' },
  'x-gen-api-key': { type: 'apiKey', in: 'header', name: 'x-gen-api-key' },
  'key-query': { type: 'apiKey', in: 'query', name: 'key' },
};

const COMMON_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
  'invalid_api_key',
  'headers_too_large',
  'internal_error',
];

export interface DocumentedEndpoint {
  method: string;
  path: string;
  verb?: string;
  select?: { parameter: string; value: string };
  operationId: string;
  summary: string;
  credentials: readonly Credential[];
  query?: z.ZodObject;
  headers?: Readonly<Record<string, string>>;
  body?: { content: Readonly<Record<string, z.ZodType>> };
  responses: Readonly<Record<number, EndpointResponse>>;
  errors: readonly ErrorCode[];
  protocol: { name: string; errorSchema: z.ZodType; statusOfError?: StatusOfError };
}

export function buildOpenApi(version: string, endpoints: readonly DocumentedEndpoint[] = ENDPOINTS): object {
  const paths: ZodOpenApiPathsObject = {};
  for (const endpoint of endpoints) {
    const path = documentedPath(endpoint);
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Sluice',
      version,
      description:
        'A self-hosted gateway to many vendors with one API key, in the protocol that your client already uses.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    components: { securitySchemes: SECURITY },
    paths,
  });
}

/** An OpenAPI path: `/v1/models/{model}:generateContent`. A query that selects the operation is part of it. */
function documentedPath({ path, verb, select }: DocumentedEndpoint): string {
  const query = select ? `?${select.parameter}=${select.value}` : '';
  return path.replaceAll(/[:*](\w+)/g, '{$1}') + (verb === undefined ? '' : `:${verb}`) + query;
}

function operation(endpoint: DocumentedEndpoint): ZodOpenApiOperationObject {
  const parameters = [...endpoint.path.matchAll(/[:*](\w+)/g)].map((match) => match[1] ?? '');
  const headers = Object.entries(endpoint.headers ?? {});
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    tags: [endpoint.protocol.name],
    security: endpoint.credentials.map((credential) => ({ [credential]: [] })),
    requestParams: {
      ...(parameters.length > 0 && {
        path: z.object(Object.fromEntries(parameters.map((name) => [name, z.string()]))),
      }),
      ...(endpoint.query && { query: endpoint.query }),
      ...(headers.length > 0 && {
        header: z.object(
          Object.fromEntries(headers.map(([name, description]) => [name, z.string().optional().meta({ description })])),
        ),
      }),
    },
    ...(endpoint.body && {
      requestBody: {
        content: Object.fromEntries(Object.entries(endpoint.body.content).map(([type, schema]) => [type, { schema }])),
      },
    }),
    responses: { ...successes(endpoint), ...failures(endpoint) },
  };
}

function successes({ responses }: DocumentedEndpoint) {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { description, content }]) => [
      status,
      {
        description,
        ...(content && {
          content: Object.fromEntries(
            Object.entries(content).map(([type, schema]) => [
              type,
              { schema: schema === 'binary' ? ({ type: 'string', contentMediaType: type } as const) : schema },
            ]),
          ),
        }),
      },
    ]),
  );
}

function failures({ errors, protocol }: DocumentedEndpoint) {
  const own = protocol.statusOfError;
  const byStatus = Map.groupBy(new Set([...errors, ...COMMON_ERRORS]), (code) => {
    const status = ERROR_STATUS[code];
    return own?.({ code, status }) ?? status;
  });
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\``).join(', '),
        content: { 'application/json': { schema: protocol.errorSchema } },
      },
    ]),
  );
}
