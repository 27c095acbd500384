import { type Endpoint, ENDPOINTS } from '@sluice/protocols';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_ENDPOINTS } from '../admin/endpoints.ts';
import { CONSOLE_PATHS } from '../console/register-console.ts';
import { MEDIA_TASK_ENDPOINTS } from '../media/tasks/task-endpoints.ts';
import { USAGE_ENDPOINTS } from '../usage/endpoints.ts';
import { KEYS } from '../../test/api-rig.ts';
import { type OwnedObjects, createOwnedObjects, MARKER } from '../../test/security/owned-objects.ts';
import { validBody } from '../../test/security/valid-bodies.ts';
import { type FullRig, fullRig } from '../../test/security/full-rig.ts';

let rig: FullRig;
let ownedByAlice: OwnedObjects;
beforeAll(async () => {
  rig = await fullRig();
  ownedByAlice = await createOwnedObjects(rig);
});
afterAll(() => rig.close());

/** Well-formed ids of objects that do not exist. */
const UNUSED_IDS: OwnedObjects = {
  video: 'video_01m7zgaeppejx6zgrp6twmv38z',
  image: 'image_01m7zgaeppejx6zgrp6twmv38z',
  response: 'resp_6cec185931808bf195b92b43bc1aac12',
  webhook: 'whe_6cec185931808bf195b92b43bc1aac12',
  file: 'file-01m7zgaeppejx6zgrp6twmv38z',
  upload: 'upload_01m7zgaeppejx6zgrp6twmv38z',
  batch: 'batch_01m7zgaeppejx6zgrp6twmv38',
  group: 'group_01m7zgaeppejx6zgrp6twmv38',
  delivery: 'whd_01m7zgaeppejx6zgrp6twmv38z_6cec185931808bf195b92b43bc1aac12',
  callback: 'whd_01m7zgaeppejx6zgrp6twmv38z_callback',
};

/**
 * The kinds of objects that a path parameter can identify. A route with an unlisted parameter fails the tests below.
 */
const OBJECTS: Readonly<Record<string, (endpoint: Endpoint) => (keyof OwnedObjects)[]>> = {
  task_id: ({ path }) => (path.includes('/images/') ? ['image'] : ['video']),
  response_id: () => ['response'],
  webhook_id: () => ['webhook'],
  delivery_id: () => ['delivery', 'callback'],
  file_id: () => ['file'],
  upload_id: () => ['upload'],
  batch_id: () => ['batch'],
  group_id: () => ['group'],
};
/** Parameters that do not identify an object owned by a key. */
const NO_OBJECTS = new Set(['model', 'index']);

const parametersOf = ({ path }: { path: string }) => [...path.matchAll(/[:*](\w+)/g)].map((match) => match[1] ?? '');
/** Whether the endpoint's body contains the task id. */
const namesInBody = ({ action, protocol }: Endpoint) => action === 'video.retrieve' && protocol.name === 'provider-b';
const objectsOf = (endpoint: Endpoint): (keyof OwnedObjects)[] => {
  if (namesInBody(endpoint)) return ['video'];
  const name = parametersOf(endpoint).find((parameter) => parameter in OBJECTS);
  return (name === undefined ? undefined : OBJECTS[name]?.(endpoint)) ?? [];
};
const WITH_OBJECT = ENDPOINTS.flatMap((endpoint) => objectsOf(endpoint).map((object) => ({ endpoint, object })));

const JSON_TYPE = { 'content-type': 'application/json' };
const isForm = ({ body }: Endpoint) => body !== undefined && !('application/json' in body.content);

/** The text after the id in paths of Google's batches. */
function suffixOf({ action, path }: Endpoint): string {
  if (action === 'batch.change' && path.startsWith('/v1beta/')) return ':cancel';
  return path.includes('/files/batch-') ? ':download' : '';
}

/** The form of a part of an upload. */
function part(): FormData {
  const form = new FormData();
  form.append('data', new Blob(['part']), 'part');
  return form;
}

/** Calls a route with an object's id. Returns the response without the parts that differ for each request. */
async function callWith(
  endpoint: Endpoint,
  object: keyof OwnedObjects,
  ids: OwnedObjects,
  key: string,
  method: string = endpoint.method,
) {
  const id = ids[object];
  const select = endpoint.select ? `?${endpoint.select.parameter}=${endpoint.select.value}&Version=2022-08-31` : '';
  const path = endpoint.path.replace(':index', '0').replaceAll(/:\w+/g, id) + suffixOf(endpoint) + select;
  const reply = await fetch(rig.origin + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(endpoint.body && !isForm(endpoint) && JSON_TYPE) },
    ...(endpoint.body && { body: isForm(endpoint) ? part() : JSON.stringify(validBody(endpoint, ids)) }),
  });
  const text = (await reply.text())
    .replaceAll(id, 'ID')
    .replaceAll(/"(?:request_id|time_elapsed)":"[^"]*"/g, '')
    .replaceAll(/req_\w+/g, 'REQ');
  // `content-length` is ignored because it depends on the id. A `HEAD` response has no body, so its header is compared.
  // The headers of the connection depend on whether the body has already arrived.
  const differs = /^(?:date|(?:x-)?request-id|connection|keep-alive)$/;
  const isIgnored = (name: string) => differs.test(name) || (name === 'content-length' && method !== 'HEAD');
  const headers = [...reply.headers].filter(([name]) => !isIgnored(name));
  return { status: reply.status, text, headers };
}

/** Returns the secret for a key's callbacks. Optionally rotates it first. */
async function secretOf(key: string, rotates = false): Promise<string> {
  const headers = { authorization: `Bearer ${key}` };
  const at = `/v1/webhooks/secret${rotates ? '/rotate' : ''}`;
  const reply = await rig.call(at, { headers, ...(rotates && { method: 'POST' }) });
  // The cast is safe because both endpoints return a secret.
  const { secret } = (await reply.json()) as { secret: string };
  expect(secret).toMatch(/^whsec_/);
  return secret;
}

/** Reads all of Alice's objects. */
async function readOwnedObjects(): Promise<string[]> {
  const { video, image, response, webhook, delivery, callback, file, batch, group } = ownedByAlice;
  const paths = [
    `/v1/videos/${video}`,
    `/v1/images/generations/${image}`,
    `/v1/responses/${response}`,
    `/v1/webhooks/${webhook}`,
    `/v1/webhooks/${webhook}/deliveries`,
    `/v1/webhooks/deliveries/${delivery}`,
    `/v1/webhooks/deliveries/${callback}`,
    '/v1/webhooks/deliveries',
    '/v1/webhooks/secret',
    `/v1/files/${file}`,
    `/v1/files/${file}/content`,
    `/v1/batches/${batch}`,
    `/v1/videos/batch/${group}`,
  ];
  const responses = await Promise.all(paths.map((path) => rig.call(path)));
  expect(responses.map(({ status }) => status)).toEqual(paths.map(() => 200));
  // The signature in a file link differs for each request.
  return Promise.all(responses.map(async (reply) => (await reply.text()).replaceAll(/\?expires=[^"]*/g, '')));
}

describe('an object of another key', () => {
  it('is covered for every served route', () => {
    const served = [
      ...ENDPOINTS,
      ...MEDIA_TASK_ENDPOINTS,
      ...USAGE_ENDPOINTS,
      ...ADMIN_ENDPOINTS,
      ...CONSOLE_PATHS.filter(({ path }) => !path.startsWith('/console/api/oidc')),
    ];
    const known = new Set([...Object.keys(OBJECTS), ...NO_OBJECTS]);
    const unknown = ENDPOINTS.filter((endpoint) => parametersOf(endpoint).some((name) => !known.has(name)));
    expect(unknown.map(({ method, path }) => `${method} ${path}`)).toEqual([]);

    // These tests only cover protocol endpoints, so the number of all other routes is checked here.
    const routes = rig.app.printRoutes({ commonPrefix: false, includeHooks: false }).split('\n');
    const registered = routes.flatMap((line) =>
      [...line.matchAll(/\((.*)\)$/g)].flatMap(([, all]) => all?.split(', ')),
    );
    const expected = new Map(
      served.map(({ method, path }) => [`${method} ${path.replace(/\*\w+$/, '*')}`, method === 'GET' ? 2 : 1]),
    );
    const operations = [
      '/health/live',
      '/health/ready',
      '/metrics',
      '/openapi.json',
      '/docs',
      '/docs/*',
      '/console',
      '/console/*',
    ];
    const count = [...expected.values()].reduce((sum, one) => sum + one, 0) + operations.length * 2;
    expect(registered.length).toBe(count);
  });

  it.each(WITH_OBJECT.map((one) => [`${one.endpoint.method} ${one.endpoint.path} (${one.object})`, one] as const))(
    'gets the response for an object that does not exist: %s',
    async (_name, { endpoint, object }) => {
      const before = await readOwnedObjects();
      const response = await callWith(endpoint, object, ownedByAlice, KEYS.bob);
      const none = await callWith(endpoint, object, UNUSED_IDS, KEYS.bob);
      expect(response).toEqual(none);
      if (endpoint.method === 'GET') {
        const [head, noHead] = [ownedByAlice, UNUSED_IDS].map((ids) =>
          callWith(endpoint, object, ids, KEYS.bob, 'HEAD'),
        );
        expect(await head).toEqual(await noHead);
      }
      if (namesInBody(endpoint)) expect(response.text).toContain('not_found');
      else expect(response.status, response.text).toBe(404);
      expect(response.text).not.toContain(MARKER);
      expect(await readOwnedObjects()).toEqual(before);
    },
  );

  it.each(
    WITH_OBJECT.filter(({ endpoint }) => endpoint.method === 'GET' || namesInBody(endpoint)).map(
      (one) => [`${one.endpoint.method} ${one.endpoint.path} (${one.object})`, one] as const,
    ),
  )('is available to its owner: %s', async (_name, { endpoint, object }) => {
    const { status, text } = await callWith(endpoint, object, ownedByAlice, KEYS.alice);
    // The batch has not ended.
    expect(status, text).toBe(endpoint.action === 'batch.results' ? 409 : 200);
    expect(text).not.toContain('not_found');
  });

  it('is in no list', async () => {
    const lists = ENDPOINTS.filter(({ method, path }) => method === 'GET' && parametersOf({ path }).length === 0);
    expect(lists.length).toBeGreaterThan(3);
    for (const { path } of lists) {
      const reply = await rig.call(path, { headers: { authorization: `Bearer ${KEYS.bob}` } });
      const text = await reply.text();
      for (const own of [...Object.values(ownedByAlice), MARKER]) expect(text, path).not.toContain(own);
    }
  });

  it('is not accepted as a list cursor', async () => {
    const lists = [
      ['/v1/videos', 'video'],
      ['/v1/webhooks', 'webhook'],
      ['/v1/webhook_endpoints', 'webhook'],
      ['/v1/webhooks/deliveries', 'delivery'],
      ['/v1/webhooks/deliveries', 'callback'],
      ['/v1/batches', 'batch'],
      ['/v1/videos/batch', 'group'],
    ] as const;
    for (const [path, object] of lists) {
      const [response, none] = await Promise.all(
        [ownedByAlice, UNUSED_IDS].map(async (ids) => {
          const at = `${path}?limit=1&after=${ids[object]}`;
          const reply = await rig.call(at, { headers: { authorization: `Bearer ${KEYS.bob}` } });
          return [path, reply.status, (await reply.text()).replaceAll(ids[object], 'ID')];
        }),
      );
      expect(response).toEqual(none);
    }
  });

  it('does not share its webhook secret', async () => {
    const aliceResult = await secretOf(KEYS.alice);
    const seen = [await secretOf(KEYS.bob), await secretOf(KEYS.bob, true), await secretOf(KEYS.bob)];
    expect(seen).not.toContain(aliceResult);
    expect(await secretOf(KEYS.alice)).toBe(aliceResult);
  });

  it('cannot be continued, neither by response id nor by item reference', async () => {
    const stored = await (await rig.call(`/v1/responses/${ownedByAlice.response}`)).text();
    const item = /"id":"(msg_[^"]+)"/.exec(stored)?.[1] ?? '';
    const goOn = async (more: object, key: string) => {
      const body = { model: 'by-chat', input: 'go on', ...more };
      const reply = await rig.post('/v1/responses', body, { headers: { authorization: `Bearer ${key}` } });
      return { status: reply.status, text: await reply.text() };
    };
    const previous = { previous_response_id: ownedByAlice.response };
    const reference = { input: [{ type: 'item_reference', id: item }] };
    expect((await goOn(previous, KEYS.alice)).status).toBe(200);
    expect((await goOn(reference, KEYS.alice)).status).toBe(200);
    const refused = [await goOn(previous, KEYS.bob), await goOn(reference, KEYS.bob)];
    expect(refused[0]?.text).toContain('"previous_response_not_found"');
    expect(refused[1]?.text).toContain('"item_not_found"');
    for (const { text } of refused) expect(text).not.toContain(MARKER);
  });

  it('is not returned for its idempotency key or external id', async () => {
    const headers = { 'idempotency-key': MARKER };
    const params = { model_name: 'video', prompt: MARKER, external_task_id: MARKER };
    const send = async (key: string) => {
      const reply = await rig.post('/kling/v1/videos/text2video', params, {
        headers: { ...headers, authorization: `Bearer ${key}` },
      });
      // The cast is safe because the vendor wraps the task in `data`.
      return JSON.parse(await reply.text()) as { data: { task_id: string } };
    };
    const aliceResult = await send(KEYS.alice);
    const at = `/kling/v1/videos/text2video/${MARKER}`;
    const bob = { headers: { authorization: `Bearer ${KEYS.bob}` } };
    expect((await rig.call(at, bob)).status).toBe(404);
    const bobResult = await send(KEYS.bob);
    expect(bobResult.data.task_id).not.toBe(aliceResult.data.task_id);
    expect(await (await rig.call(at, bob)).text()).toContain(bobResult.data.task_id);
  });
});

describe('the admin API', () => {
  it.each(ADMIN_ENDPOINTS.map((endpoint) => [endpoint.method, endpoint.path] as const))(
    'rejects API keys and missing keys: %s %s',
    async (method, path) => {
      const at = path.replaceAll(/:\w+/g, 'alice');
      for (const key of [KEYS.alice, KEYS.bob, 'unknown', '']) {
        const reply = await rig.call(at, { method, headers: { authorization: `Bearer ${key}` } });
        expect(reply.status).toBe(401);
        expect(await reply.text()).not.toContain('alice');
      }
    },
  );
});
