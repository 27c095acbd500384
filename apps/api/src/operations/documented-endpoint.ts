import type { ErrorCode } from '@sluice/canonical';
import type { Credential, DocumentedHeader, EndpointResponse } from '@sluice/protocols';
import { z } from 'zod';
import type { StatusOfError } from '../http/send-error.ts';

export interface DocumentedEndpoint {
  method: string;
  path: string;
  verb?: string;
  select?: { parameter: string; value: string };
  operationId: string;
  summary: string;
  action?: string;
  credentials: readonly Credential[];
  query?: z.ZodObject;
  headers?: Readonly<Record<string, DocumentedHeader>>;
  body?: { content: Readonly<Record<string, z.ZodType>> };
  responses: Readonly<Record<number, EndpointResponse>>;
  errors: readonly ErrorCode[];
  errorSchema?: z.ZodType;
  protocol: { name: string; errorSchema: z.ZodType; statusOfError?: StatusOfError };
}

/** Returns the key of an endpoint's path item (e.g. `/v1/models/{model}:generateContent`). */
export function documentedPath({ path, verb }: Pick<DocumentedEndpoint, 'path' | 'verb'>): string {
  return path.replaceAll(/[:*](\w+)/g, '{$1}') + (verb === undefined ? '' : `:${verb}`);
}

/**
 * Merges endpoints that only a query parameter distinguishes, because OpenAPI allows one operation per method and path.
 * The parameter becomes an enum.
 */
export function mergeSelected(endpoints: readonly [DocumentedEndpoint, ...DocumentedEndpoint[]]): DocumentedEndpoint {
  const [first, ...others] = endpoints;
  if (others.length === 0 || first.select === undefined) return first;
  const values = endpoints.map(({ select }) => select?.value ?? '');
  const queries = endpoints.map(({ query }) => query?.shape ?? {});
  const bodies = endpoints.flatMap(({ body }) => (body ? [body.content] : []));
  const statuses = new Set(endpoints.flatMap(({ responses }) => Object.keys(responses).map(Number)));
  return {
    ...first,
    operationId: endpoints.map(({ operationId: id }, at) => (at === 0 ? id : `Or${capitalized(id)}`)).join(''),
    summary: endpoints.map(({ summary }, at) => `\`${values[at]}\`: ${summary}`).join('. '),
    query: z.object(Object.assign({}, ...queries, { [first.select.parameter]: z.enum(values) })),
    headers: Object.assign({}, ...endpoints.map(({ headers }) => headers ?? {})),
    body: { content: unionByType(bodies) },
    responses: Object.fromEntries(
      [...statuses].map((status) => [status, mergeResponses(endpoints.flatMap((one) => one.responses[status] ?? []))]),
    ),
    errors: [...new Set(endpoints.flatMap(({ errors }) => errors))],
  };
}

function mergeResponses(responses: readonly EndpointResponse[]): EndpointResponse {
  const contents = responses.flatMap(({ content }) => (content ? [content as Record<string, z.ZodType>] : [])); // no merged endpoint returns files
  return {
    description: responses.map(({ description }) => description).join('; '),
    ...(contents.length > 0 && { content: unionByType(contents) }),
  };
}

function unionByType(contents: ReadonlyArray<Readonly<Record<string, z.ZodType>>>): Record<string, z.ZodType> {
  const byType = Map.groupBy(
    contents.flatMap((content) => Object.entries(content)),
    ([type]) => type,
  );
  return Object.fromEntries([...byType].map(([type, entries]) => [type, z.union(entries.map(([, schema]) => schema))]));
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
