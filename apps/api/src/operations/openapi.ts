import { ERROR_STATUS, type ErrorCode } from '@sluice/canonical';
import { MAX_LABELS } from '@sluice/config';
import { type DocumentedHeader, ENDPOINTS, type MediaSchema } from '@sluice/protocols';
import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { type DocumentedEndpoint, documentedPath, mergeSelected } from './documented-endpoint.ts';
import { LABELS_HEADER } from '../ledger/labels.ts';
import { isLedgered } from '../ledger/ledger-route.ts';
import { exampleOf } from './examples.ts';
import { describedTags, tagOf } from './tags.ts';

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

const LABELS: Readonly<Record<string, DocumentedHeader>> = {
  [LABELS_HEADER]: {
    description: `Labels of the request in the usage ledger, as \`name=value\` pairs, at most ${MAX_LABELS}. They replace the API key's labels with the same names.`,
    example: 'team=search,feature=chat',
  },
};

export function buildOpenApi(version: string, endpoints: readonly DocumentedEndpoint[] = ENDPOINTS): object {
  const paths: ZodOpenApiPathsObject = {};
  for (const group of Map.groupBy(endpoints, (one) => `${one.method} ${documentedPath(one)}`).values()) {
    const [first, ...others] = group;
    if (!first) continue;
    const path = documentedPath(first);
    const examples = group.map(({ operationId }) => operationId);
    const merged = operation(mergeSelected([first, ...others]), examples);
    paths[path] = { ...paths[path], [first.method.toLowerCase()]: merged };
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Sluice',
        version,
        description:
          'A self-hosted gateway to many vendors with one API key, in the protocol that your client already uses.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      tags: describedTags(endpoints),
      components: { securitySchemes: SECURITY },
      paths,
    },
    { override: ({ jsonSchema, io }) => void (io === 'output' && removeSafeBounds(jsonSchema)) },
  );
  describeEvents(document);
  return document;
}

/** @param exampleIds operation ids of the endpoints that the operation documents */
function operation(endpoint: DocumentedEndpoint, exampleIds: readonly string[]): ZodOpenApiOperationObject {
  const parameters = [...endpoint.path.matchAll(/[:*](\w+)/g)].map((match) => match[1] ?? '');
  const headers = Object.entries({ ...endpoint.headers, ...(isLedgered(endpoint) && LABELS) });
  const bodies = exampleIds.flatMap((id) => {
    const value = exampleOf(id)?.body;
    return value ? [[id, { value }] as const] : [];
  });
  const examples = bodies.length > 0 && { examples: Object.fromEntries(bodies) };
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    tags: [tagOf(endpoint)],
    security: endpoint.credentials.map((credential) => ({ [credential]: [] })),
    requestParams: {
      ...(parameters.length > 0 && {
        path: z.object(Object.fromEntries(parameters.map((name) => [name, pathParameter(endpoint, name)]))),
      }),
      ...(endpoint.query && { query: endpoint.query }),
      ...(headers.length > 0 && {
        header: z.object(Object.fromEntries(headers.map(([name, header]) => [name, headerSchema(header)]))),
      }),
    },
    ...(endpoint.body && {
      requestBody: {
        required: Object.values(endpoint.body.content).every((schema) => !schema.safeParse({}).success),
        content: Object.fromEntries(
          Object.entries(endpoint.body.content).map(([type, schema]) => [type, { schema, ...examples }]),
        ),
      },
    }),
    responses: { ...successes(endpoint), ...failures(endpoint) },
  };
}

function pathParameter({ operationId }: DocumentedEndpoint, name: string): z.ZodType {
  const example = exampleOf(operationId)?.path?.[name];
  return z.string().meta(example === undefined ? {} : { param: { example } });
}

function headerSchema(header: DocumentedHeader): z.ZodType {
  if (typeof header === 'string') return z.string().optional().meta({ description: header });
  const { description, pattern, isRequired = false, example } = header;
  const schema = pattern === undefined ? z.string() : z.string().regex(pattern);
  const meta = { description, ...(example !== undefined && { param: { example } }) };
  return isRequired ? schema.meta(meta) : schema.optional().meta(meta);
}

/** Removes the bounds that zod gives every integer. Values that the gateway sends have no such bounds by contract. */
function removeSafeBounds(schema: { minimum?: unknown; maximum?: unknown }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

function successes({ responses }: DocumentedEndpoint) {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { description, content }]) => [
      status,
      {
        description,
        ...(content && {
          content: Object.fromEntries(
            Object.entries(content).map(([type, schema]) => [type, { schema: mediaSchema(type, schema) }]),
          ),
        }),
      },
    ]),
  );
}

function mediaSchema(type: string, schema: MediaSchema) {
  if (schema !== 'binary') return schema;
  return type === 'text/event-stream' ? z.unknown() : ({ type: 'string', contentMediaType: type } as const);
}

/**
 * Replaces the schemas of event streams. They describe the data of an event; the document describes the event, whose
 * data is JSON text. The `[DONE]` that ends streams of chat completions is not JSON.
 */
function describeEvents(document: ReturnType<typeof createDocument>): void {
  const operations = Object.values(document.paths ?? {}).flatMap(({ get, post }) => [get ?? {}, post ?? {}]);
  for (const { responses = {} } of operations as { responses?: Record<string, DocumentedResponse> }[]) {
    for (const { content } of Object.values(responses)) {
      const stream = content?.['text/event-stream'];
      if (stream) stream.schema = eventSchema(stream.schema);
    }
  }
}

/** The part of a generated response that event streams have. */
interface DocumentedResponse {
  content?: Record<string, { schema: object }>;
}

function eventSchema(schema: object): object {
  const data = { type: 'string', contentMediaType: 'application/json', contentSchema: schema };
  const text = { type: 'string' };
  return { type: 'object', properties: { event: text, id: text, data } };
}

function failures({ errors, protocol, errorSchema = protocol.errorSchema }: DocumentedEndpoint) {
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
        content: { 'application/json': { schema: errorSchema } },
      },
    ]),
  );
}
