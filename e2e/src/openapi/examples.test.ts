import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type RedisProgram, startRedisProgram } from '@sluice/testkit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createdIds, jsonBody } from './created-ids.ts';
import { type ReferenceStack, startReferenceStack } from './reference-stack.ts';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

interface Operation {
  operationId: string;
  parameters?: {
    in: string;
    name: string;
    required?: boolean;
    example?: string;
    schema: { enum?: string[]; example?: string };
  }[];
  requestBody?: { content: Record<string, { examples: Record<string, { value: Record<string, unknown> }> }> };
}

interface Call {
  id: string;
  method: string;
  path: string;
  operation: Operation;
  type?: string;
  body?: Record<string, unknown>;
}

/** These operations refuse a plain request, and the document says so. */
const REFUSED: Readonly<Record<string, number>> = {
  openResponsesSocket: 426,
  connectRealtime: 426,
  retrieveRequest: 404,
  adminListVendorModels: 400, // The example's key is not the key of the vendor.
  adminRetrieveRequest: 404, // The ledger has no entry with the example's id.
};

const ROOT = resolve(import.meta.dirname, '../../..');
const PASSWORD = 'the password of the user';

let redis: RedisProgram;
let stack: ReferenceStack;
let calls: Call[];
beforeAll(async () => {
  redis = await startRedisProgram({ args: ['--save', '', '--hz', '100'] });
  await createUser();
  const url = `redis://127.0.0.1:${redis.port}`;
  const user = { url, username: 'sluice', password: PASSWORD, prefix: 'sluice' };
  stack = await startReferenceStack({ config: { redis: user } });
  const document = await (await fetch(`${stack.origin}/openapi.json`)).json();
  calls = callsOf(document as { paths: Record<string, Record<string, Operation>> }); // Cast: the part read here.
});
afterAll(async () => {
  await stack.close();
  await redis.stop();
});

/** Creates the Redis user with the rights in the documentation. */
async function createUser(): Promise<void> {
  const docs = await readFile(join(ROOT, 'docs/operate/redis.md'), 'utf8');
  const [, rights = ''] = /^ACL SETUSER sluice on >PASSWORD (.+?)^```/ms.exec(docs) ?? [];
  const admin = redis.connect();
  await admin.call('ACL', 'SETUSER', 'sluice', 'on', `>${PASSWORD}`, ...rights.trim().split(/\s+/));
  admin.disconnect();
}

/** Returns one call per operation and example. */
function callsOf({ paths }: { paths: Record<string, Record<string, Operation>> }): Call[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]): Call[] => {
      const { operationId: id, requestBody } = operation;
      const call = { id, method: method.toUpperCase(), path, operation };
      if (!requestBody) return [call];
      return Object.entries(requestBody.content).flatMap(([type, { examples }]) =>
        Object.entries(examples).map(([name, { value }]) => Object.assign({}, call, { id: name, type, body: value })),
      );
    }),
  );
}

async function send({ id, method, path, operation, type, body }: Call): Promise<Response> {
  const parameters = operation.parameters ?? [];
  const examples = Object.fromEntries(
    parameters.filter((one) => one.in === 'path').map(({ name, example }) => [name, example ?? '']),
  );
  const names = [...Object.keys(examples), ...Object.keys(body ?? {})];
  const needsId = names.some((name) => name === 'id' || (name.endsWith('_id') && name !== 'upstream_job_id'));
  const ids = needsId ? await createdIds(stack, id) : {};
  const at = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? examples[name] ?? '');
  const query = new URLSearchParams(
    parameters
      .filter((one) => one.in === 'query' && one.required === true)
      .map(({ name, schema }): [string, string] => [name, schema.enum ? actionOf(id) : (schema.example ?? '')]),
  );
  const url = query.size > 0 ? `${at}?${query.toString()}` : at;
  const headers = headersOf(path);
  if (type === undefined) return stack.call(method, url, { ...(headers && { headers }) });
  const sent = {
    ...body,
    ...(body?.['task_id'] !== undefined && { task_id: ids['task_id'] }),
    ...(body?.['input_file_id'] !== undefined && { input_file_id: ids['input_file_id'] }),
    ...(body?.['part_ids'] !== undefined && { part_ids: [ids['part_id']] }),
  };
  if (type === 'multipart/form-data') return stack.call(method, url, { body: formOf(sent) });
  return stack.call(method, url, jsonBody(sent, headers));
}

function headersOf(path: string): Record<string, string> | undefined {
  if (path.startsWith('/v1/messages')) return { 'anthropic-version': '2023-06-01' };
  if (path.startsWith('/upload/')) return { 'x-goog-upload-protocol': 'resumable', 'x-goog-upload-command': 'start' };
  return undefined;
}

function actionOf(exampleId: string): string {
  return exampleId.startsWith('get') ? 'CVSync2AsyncGetResult' : 'CVSync2AsyncSubmitTask';
}

function formOf(fields: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'file' || name === 'data') form.append(name, new Blob([wav()]), String(value));
    else form.append(name, String(value));
  }
  return form;
}

/** Returns 0.1 s of silence. */
function wav(): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.alloc(44 + 1_600);
  bytes.write('RIFF');
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(8_000, 24);
  bytes.writeUInt32LE(16_000, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(1_600, 40);
  return new Uint8Array(bytes);
}

describe('the examples of /openapi.json', () => {
  it('all succeed on a gateway with the models of the sandbox', async () => {
    expect(calls.length).toBeGreaterThan(90);
    const failures: string[] = [];
    for (const call of calls) {
      const response = await send(call);
      const text = await response.text();
      const expected = REFUSED[call.operation.operationId];
      if (expected === undefined ? !response.ok : response.status !== expected) {
        failures.push(`${call.method} ${call.path} ${call.type ?? ''} (${call.id}): ${response.status} ${text}`);
      }
      // Its URL is not on loopback, and later events must not be sent there.
      if (call.id.startsWith('createWebhook')) {
        const { id } = JSON.parse(text) as { id: string }; // Cast: a created webhook has an id.
        await stack.call('DELETE', `/v1/webhooks/${id}`);
      }
    }
    expect(failures).toEqual([]);
  });

  it('need no rights in Redis that the documentation does not list', async () => {
    const admin = redis.connect();
    const denied = JSON.stringify(await admin.call('ACL', 'LOG'));
    admin.disconnect();
    expect(denied).toBe('[]');
  });
});
