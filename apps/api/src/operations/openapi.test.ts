import { Validator } from '@seriousme/openapi-schema-validator';
import { ERROR_STATUS } from '@sluice/canonical';
import { ENDPOINTS } from '@sluice/protocols';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ADMIN_ENDPOINTS } from '../admin/endpoints.ts';
import { MEDIA_TASK_ENDPOINTS } from '../media/tasks/task-endpoints.ts';
import { USAGE_ENDPOINTS } from '../usage/endpoints.ts';
import { type DocumentedEndpoint, documentedPath } from './documented-endpoint.ts';
import { exampleOf } from './examples.ts';
import { buildOpenApi } from './openapi.ts';

const Media = z.record(
  z.string(),
  z.object({
    schema: z.record(z.string(), z.unknown()),
    examples: z.record(z.string(), z.object({ value: z.record(z.string(), z.unknown()) })).optional(),
  }),
);
const DocumentedResponse = z.strictObject({ description: z.string().min(1), content: Media.optional() });
const Parameter = z.object({
  in: z.enum(['path', 'query', 'header']),
  name: z.string().min(1),
  required: z.boolean().optional(),
  schema: z.record(z.string(), z.unknown()),
  example: z.string().optional(),
});
const Operation = z.strictObject({
  operationId: z.string().regex(/^\w+$/),
  summary: z.string().min(1),
  tags: z.array(z.string()).min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))).min(1),
  parameters: z.array(Parameter).optional(),
  requestBody: z.strictObject({ content: Media, required: z.boolean() }).optional(),
  responses: z.record(z.string().regex(/^[1-5]\d\d$/), DocumentedResponse),
});
/** The subset of OpenAPI 3.1 that the document uses. */
const Document = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.object({ title: z.string(), version: z.string() }),
  servers: z.array(z.object({ url: z.string() })),
  tags: z.array(z.strictObject({ name: z.string(), description: z.string() })),
  components: z.strictObject({
    schemas: z.record(z.string().regex(/^[\w.-]+$/), z.record(z.string(), z.unknown())),
    securitySchemes: z.record(z.string(), z.object({ type: z.enum(['http', 'apiKey']) })),
  }),
  paths: z.record(
    z.string().regex(/^\/[^?#]*$/),
    z.partialRecord(z.enum(['get', 'post', 'put', 'patch', 'delete']), Operation),
  ),
});

const DOCUMENTED: readonly DocumentedEndpoint[] = [
  ...ENDPOINTS,
  ...MEDIA_TASK_ENDPOINTS,
  ...USAGE_ENDPOINTS,
  ...ADMIN_ENDPOINTS,
];
const written: unknown = JSON.parse(JSON.stringify(buildOpenApi('1.2.3', DOCUMENTED)));
const text = JSON.stringify(written);
const document = Document.parse(written);
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1 according to a published validator', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(written as Record<string, unknown>); // a document is an object
    expect({ valid, errors, version: validator.version }).toEqual({ valid: true, errors: undefined, version: '3.1' });
  });

  it('has no query in the key of a path', () => {
    expect(Object.keys(document.paths).filter((path) => path.includes('?'))).toEqual([]);
    expect(document.paths['/jimeng/']?.post?.parameters).toContainEqual(
      expect.objectContaining({
        in: 'query',
        name: 'Action',
        required: true,
        schema: { type: 'string', enum: ['CVSync2AsyncSubmitTask', 'CVSync2AsyncGetResult'] },
      }),
    );
  });

  it('has a unique id for each operation', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids).toEqual([...new Set(ids)]);
  });

  it('groups the operations by names that users know', () => {
    const names = document.tags.map(({ name }) => name);
    expect(names.slice(0, 5)).toEqual(['Models', 'Chat', 'Completions', 'Responses', 'Messages']);
    expect([...new Set(operations.flatMap(({ tags }) => tags))].toSorted()).toEqual(names.toSorted());
  });

  it('has a valid example for each body and each parameter in a path', () => {
    for (const { operationId, body, path } of DOCUMENTED) {
      const example = exampleOf(operationId);
      const names = [...path.matchAll(/[:*](\w+)/g)].map(([, name]) => name);
      expect(Object.keys(example?.path ?? {}), operationId).toEqual(names);
      expect(example?.body !== undefined, operationId).toBe(body !== undefined);
      for (const schema of Object.values(body?.content ?? {})) {
        expect(schema.safeParse(example?.body).error, operationId).toBeUndefined();
      }
    }
    const media = operations.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}));
    expect(media.every(({ examples = {} }) => Object.keys(examples).length > 0)).toBe(true);
  });

  it.each(DOCUMENTED.map((endpoint) => [endpoint.operationId, endpoint] as const))(
    'documents %s with its responses, errors, and parameters',
    (_id, endpoint) => {
      const { method, path, operationId, errors, responses } = endpoint;
      const operation =
        document.paths[documentedPath(endpoint)]?.[method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete']; // endpoints use only these methods
      expect(operation?.operationId.toLowerCase()).toContain(operationId.toLowerCase());
      const statuses = Object.keys(operation?.responses ?? {});
      expect(statuses).toEqual(expect.arrayContaining(Object.keys(responses)));
      for (const code of [...errors, 'invalid_api_key', 'internal_error'] as const) {
        const status = endpoint.protocol.statusOfError?.({ code, status: ERROR_STATUS[code] }) ?? ERROR_STATUS[code];
        expect(operation?.responses[String(status)]?.description).toContain(`\`${code}\``);
      }
      const names = operation?.parameters?.filter((one) => one.in === 'path').map(({ name }) => name) ?? [];
      expect(names).toEqual([...path.matchAll(/[:*](\w+)/g)].map(([, name]) => name));
      for (const one of operation?.parameters ?? []) {
        const header = endpoint.headers?.[one.name];
        const isRequired =
          one.in === 'header'
            ? typeof header === 'object' && header.isRequired === true
            : one.in === 'path' || endpoint.query?.shape[one.name]?.safeParse(undefined).success === false;
        expect(one.required === true).toBe(isRequired);
      }
    },
  );

  it('documents only endpoints that are served', () => {
    const calls = new Set(DOCUMENTED.map((endpoint) => `${endpoint.method} ${documentedPath(endpoint)}`));
    expect(operations).toHaveLength(calls.size);
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

describe('the schemas of responses', () => {
  const schemas = document.components.schemas;
  const required = (name: string) => schemas[name]?.['required'];
  const properties = (name: string) => schemas[name]?.['properties'] as Record<string, unknown> | undefined; // the schema of an object

  it('allow what vendors send: null as the code of an error and as the fingerprint of a system', () => {
    expect(JSON.stringify(properties('Error'))).toContain('"code":{"type":["string","null"]}');
    expect(properties('ChatCompletion')?.['system_fingerprint']).toEqual({ type: ['string', 'null'] });
  });

  it('allow the errors of all styles for the model list', () => {
    const error = document.paths['/v1/models']?.get?.responses['401']?.content?.['application/json']?.schema;
    const names = ['ChatError', 'MessagesError', 'GenerativeContentError'];
    expect(error).toEqual({ anyOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })) });
  });

  it('describe streams as events with JSON data, not as the data', () => {
    const stream = document.paths['/v1/videos/{task_id}/events']?.get?.responses['200']?.content?.['text/event-stream'];
    expect(stream?.schema['properties']).toMatchObject({
      data: {
        type: 'string',
        contentMediaType: 'application/json',
        contentSchema: { $ref: '#/components/schemas/Video' },
      },
    });
  });

  it('do not limit integers to those of JavaScript', () => {
    expect(JSON.stringify(schemas['ChatUsage'])).not.toContain('9007199254740991');
  });

  it('name the members that a request needs', () => {
    expect(required('CreateEmbeddings')).toEqual(expect.arrayContaining(['model', 'input']));
    expect(required('CreateRerank')).toEqual(expect.arrayContaining(['model', 'query', 'documents']));
    expect(required('CreateCompletion')).toEqual(expect.arrayContaining(['model', 'prompt']));
    expect(required('CreateSpeech')).toEqual(expect.arrayContaining(['model', 'input', 'voice']));
    expect(required('RemixVideo')).toEqual(['prompt']);
  });

  it('require a body where a field of it is required', () => {
    expect(document.paths['/v1/chat/completions']?.post?.requestBody?.required).toBe(true);
    expect(document.paths['/v1/webhooks/secret/rotate']?.post?.requestBody?.required).toBe(false);
  });
});
