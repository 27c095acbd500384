import { type Endpoint, ENDPOINTS } from '@sluice/protocols';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { ACCOUNT } from '../../test/security/permissive-vendor.ts';
import { validBody, pathOf } from '../../test/security/valid-bodies.ts';
import { ADMIN_KEY, type FullRig, fullRig } from '../../test/security/full-rig.ts';
import { CLIENT_SECRET, CLIENT_HEADERS, unexpectedHeaders } from '../../test/security/client-headers.ts';
import { formOf } from '../../test/audio-rig.ts';
import { PNG } from '../../test/raw-http.ts';

/** Contained in every prompt. */
const MARKER = 'confidential-prompt';

let rig: FullRig;
beforeAll(async () => {
  rig = await fullRig();
  rig.vendor.echoes = true;
});
afterAll(() => rig.close());

type Body = { type: string; bytes: string | Uint8Array<ArrayBuffer> };

/** Every kind of body that an endpoint accepts: JSON, JSON with `stream`, and a form. */
function bodiesOf(endpoint: Endpoint): (Body | undefined)[] {
  if (!endpoint.body) return [undefined];
  const bodies: Body[] = [];
  if ('application/json' in endpoint.body.content) {
    const good = validBody(endpoint, rig.created);
    const isText = /^(?:text.generate|responses.create)$/.test(endpoint.action) && endpoint.verb === undefined;
    for (const body of isText ? [good, { ...good, stream: true }] : [good]) {
      const marked = JSON.stringify(body).replaceAll(/"(?:hi|a kite)"/g, `"${MARKER}"`);
      bodies.push({ type: 'application/json', bytes: marked });
    }
  }
  if ('multipart/form-data' in endpoint.body.content) {
    const isAudio = endpoint.path.includes('/audio/');
    const form = formOf(
      [
        [
          'model',
          isAudio
            ? 'by-chat'
            : endpoint.path.includes('/edits')
              ? 'image-edit'
              : endpoint.path.includes('/images')
                ? 'image'
                : 'video',
        ],
        ['prompt', MARKER],
        ...(isAudio
          ? [['file', { filename: `${MARKER}.wav`, bytes: 'RIFF' }] as const satisfies [string, object]]
          : []),
        ...(endpoint.path.includes('/edits')
          ? [['image', { filename: 'a.png', bytes: PNG }] as const satisfies [string, object]]
          : []),
      ].map((part) => part as Parameters<typeof formOf>[0][number]),
    ); // The form consists of fields and files.
    bodies.push({ type: 'multipart/form-data; boundary=b', bytes: new Uint8Array(form) });
  }
  return bodies;
}

/** Calls an endpoint with every body and every credential. */
async function callAll(endpoint: Endpoint, key: 'header' | 'query' = 'header') {
  const responses: { status: number; headers: Headers; text: string }[] = [];
  const path = pathOf(endpoint, rig.created);
  const at =
    key === 'query' ? `${path}${path.includes('?') ? '&' : '?'}key=${KEYS.alice}&api_key=client-secret-q` : path;
  for (const body of bodiesOf(endpoint)) {
    const response = await fetch(rig.origin + at, {
      method: endpoint.method,
      headers: {
        ...(key === 'header' ? { authorization: `Bearer ${KEYS.alice}`, ...CLIENT_HEADERS } : {}),
        'messages-version': '2023-06-01',
        ...(body && { 'content-type': body.type }),
      },
      ...(body && { body: body.bytes }),
    });
    responses.push({ status: response.status, headers: response.headers, text: await response.text() });
  }
  return responses;
}

function expectNoVendorSecret(what: string, { headers, text }: { headers: Headers; text: string }): void {
  const sent = JSON.stringify([...headers]) + text;
  for (const secret of ['sk-vendor', ACCOUNT, new URL(rig.vendor.url).host]) expect(sent, what).not.toContain(secret);
  expect(unexpectedHeaders(headers.keys()), what).toEqual([]);
}

/** Deletions are skipped because later calls need the objects. */
const CALLED = ENDPOINTS.filter(({ method, action }) => method !== 'DELETE' && action !== 'webhook.test');

describe.each(CALLED.map((endpoint) => [endpoint.operationId, endpoint] as const))('%s', (_name, endpoint) => {
  it.each(['header', 'query'] as const)('exposes no credential of client or vendor (key in the %s)', async (key) => {
    rig.vendor.refusal = undefined;
    for (const response of await callAll(endpoint, key)) expectNoVendorSecret(endpoint.operationId, response);
  });

  it('exposes no vendor credential in any error', async () => {
    if (!endpoint.body) return;
    for (const status of [400, 401, 404, 429, 500, 302]) {
      rig.vendor.refusal = status;
      for (const response of await callAll(endpoint))
        expectNoVendorSecret(`${endpoint.operationId} ${status}`, response);
    }
    rig.vendor.refusal = undefined;
  });
});

it('sends no vendor anything that identifies a client', () => {
  const { requests } = rig.vendor;
  expect(requests.length).toBeGreaterThan(100);
  for (const { path, rawHeaders, body } of requests) {
    const sent = `${path} ${JSON.stringify(rawHeaders)} ${body.toString()}`;
    expect(sent).not.toMatch(CLIENT_SECRET);
    expect(sent).not.toContain(KEYS.alice);
  }
  const submitted = rig.submitted.join('\n');
  expect(submitted).toContain(MARKER);
  expect(submitted).not.toMatch(CLIENT_SECRET);
  expect(submitted).not.toContain(KEYS.alice);
});

it('logs no prompt, key, or body at any level', () => {
  const lines = rig.logs();
  expect(lines).toContain('upstream attempt failed');
  expect(lines).toContain('"client":"alice"');
  for (const secret of [MARKER, ...Object.values(KEYS), ADMIN_KEY, 'sk-vendor', ACCOUNT]) {
    const matching = lines.split('\n').filter((line) => line.includes(secret));
    expect(matching.slice(0, 3)).toEqual([]);
  }
  expect(lines).not.toMatch(CLIENT_SECRET);
});
