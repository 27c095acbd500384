import { ERROR_STATUS } from '@sluice/canonical';
import { ENDPOINTS } from '@sluice/protocols';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ADMIN_ENDPOINTS } from '../admin/endpoints.ts';
import { buildOpenApi, type DocumentedEndpoint } from './openapi.ts';

const Media = z.record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()) }));
const Answer = z.strictObject({ description: z.string().min(1), content: Media.optional() });
const Parameter = z.object({
  in: z.enum(['path', 'query', 'header']),
  name: z.string().min(1),
  required: z.boolean().optional(),
  schema: z.record(z.string(), z.unknown()),
});
const Operation = z.strictObject({
  operationId: z.string().regex(/^\w+$/),
  summary: z.string().min(1),
  tags: z.array(z.string()).min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))).min(1),
  parameters: z.array(Parameter).optional(),
  requestBody: z.strictObject({ content: Media }).optional(),
  responses: z.record(z.string().regex(/^[1-5]\d\d$/), Answer),
});
/** OpenAPI 3.1, as far as the document uses it. */
const Document = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.object({ title: z.string(), version: z.string() }),
  servers: z.array(z.object({ url: z.string() })),
  components: z.strictObject({
    schemas: z.record(z.string().regex(/^[\w.-]+$/), z.record(z.string(), z.unknown())),
    securitySchemes: z.record(z.string(), z.object({ type: z.enum(['http', 'apiKey']) })),
  }),
  paths: z.record(z.string().startsWith('/'), z.partialRecord(z.enum(['get', 'post', 'patch', 'delete']), Operation)),
});

const DOCUMENTED: readonly DocumentedEndpoint[] = [...ENDPOINTS, ...ADMIN_ENDPOINTS];
const written: unknown = JSON.parse(JSON.stringify(buildOpenApi('1.2.3', DOCUMENTED)));
const text = JSON.stringify(written);
const document = Document.parse(written);
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

function documentedPath({ path, verb, select }: DocumentedEndpoint): string {
  const query = select ? `?${select.parameter}=${select.value}` : '';
  return path.replaceAll(/[:*](\w+)/g, '{$1}') + (verb === undefined ? '' : `:${verb}`) + query;
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', () => {
    expect(Document.safeParse(written).error).toBeUndefined();
  });

  it.each(DOCUMENTED.map((endpoint) => [`${endpoint.method} ${documentedPath(endpoint)}`, endpoint] as const))(
    'documents %s with its responses, errors, and parameters',
    (_route, endpoint) => {
      const { method, path, operationId, errors, responses } = endpoint;
      const operation =
        document.paths[documentedPath(endpoint)]?.[method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete']; // the methods that an endpoint can have
      expect(operation?.operationId).toBe(operationId);
      const statuses = Object.keys(operation?.responses ?? {});
      expect(statuses).toEqual(expect.arrayContaining(Object.keys(responses)));
      for (const code of [...errors, 'invalid_api_key', 'internal_error'] as const) {
        const status = endpoint.protocol.statusOfError?.({ code, status: ERROR_STATUS[code] }) ?? ERROR_STATUS[code];
        expect(operation?.responses[String(status)]?.description).toContain(`\`${code}\``);
      }
      const names = operation?.parameters?.filter((one) => one.in === 'path').map(({ name }) => name) ?? [];
      expect(names).toEqual([...path.matchAll(/[:*](\w+)/g)].map(([, name]) => name));
      for (const one of operation?.parameters ?? []) {
        const isMissed = endpoint.query?.shape[one.name]?.safeParse(undefined).success === false;
        expect(one.required === true).toBe(one.in === 'path' || (one.in === 'query' && isMissed));
      }
    },
  );

  it('documents only endpoints that are served', () => {
    expect(operations).toHaveLength(DOCUMENTED.length);
  });

  it('has no dangling reference and no unused schema', () => {
    const used = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, to = '']) => to));
    const there = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect([...used].toSorted()).toEqual(there.toSorted());
  });

  it('uses only security schemes that it defines', () => {
    const schemes = Object.keys(document.components.securitySchemes);
    for (const { security } of operations) {
      for (const name of security.flatMap((one) => Object.keys(one))) expect(schemes).toContain(name);
    }
  });

  it('marks the seven required fields of a video', () => {
    expect(document.components.schemas['Video']?.['required']).toEqual(
      expect.arrayContaining(['id', 'object', 'model', 'status', 'progress', 'created_at', 'seconds']),
    );
  });

  it('accepts a form with a file, and JSON, for a new video', () => {
    const content = document.paths['/v1/videos']?.post?.requestBody?.content ?? {};
    expect(Object.keys(content).toSorted()).toEqual(['application/json', 'multipart/form-data']);
    expect(JSON.stringify(document.components.schemas['CreateVideoForm'])).toContain('application/octet-stream');
  });
});
