import { ENDPOINTS } from '@sluice/protocols';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { validBody, pathOf } from '../../test/security/valid-bodies.ts';
import { MALFORMED_BODIES } from '../../test/security/malformed-bodies.ts';
import { type FullRig, fullRig } from '../../test/security/full-rig.ts';
import { expectSafeResponse, readResponse } from '../../test/security/safe-response.ts';

let rig: FullRig;
beforeAll(async () => {
  rig = await fullRig();
});
afterAll(() => rig.close());

const JSON_ENDPOINTS = ENDPOINTS.filter(({ body }) => body && 'application/json' in body.content);
const HEADERS = {
  authorization: `Bearer ${KEYS.alice}`,
  'content-type': 'application/json',
  'messages-version': '2023-06-01',
  // Google's uploads start with JSON. Other endpoints ignore these headers.
  'x-goog-upload-protocol': 'resumable',
  'x-goog-upload-command': 'start',
};

describe('malformed JSON bodies', () => {
  it.each(JSON_ENDPOINTS.map((endpoint) => [endpoint.operationId, endpoint] as const))(
    `%s returns no internal error for any of ${MALFORMED_BODIES.length} bodies`,
    async (_name, endpoint) => {
      const path = pathOf(endpoint, rig.created);
      const good = JSON.stringify(validBody(endpoint, rig.created));
      for (const { title, body, headers, status } of MALFORMED_BODIES) {
        const sent = body(good);
        const response = await readResponse(
          await fetch(rig.origin + path, {
            method: endpoint.method,
            headers: { ...HEADERS, ...headers },
            body: typeof sent === 'string' ? sent : new Uint8Array(sent),
          }),
        );
        expectSafeResponse(title, response, endpoint);
        // The path is checked before the body is read.
        if (status === undefined || response.status === 404) continue;
        // A body that is streamed has limits and types of its own.
        if (endpoint.action === 'file.upload' || endpoint.action === 'batch.create-messages') continue;
        expect([title, response.status, response.body]).toEqual([title, status, response.body]);
      }
      expect(await rig.isServing()).toBe(true);
    },
  );

  it('changes no prototype, logs no internal error, and leaves no file behind', async () => {
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined();
    const failed = rig
      .logs()
      .split('\n')
      .filter((line) => line.includes('request failed'));
    expect(failed.filter((line) => line.includes('internal_error'))).toEqual([]);
    expect((await rig.storedFiles()).filter((file) => file.includes('spool'))).toEqual([]);
  });
});

it.each(JSON_ENDPOINTS.map((endpoint) => [endpoint.operationId, endpoint] as const))(
  'accepts the valid body that the malformed ones derive from: %s',
  async (_name, endpoint) => {
    const response = await fetch(rig.origin + pathOf(endpoint, rig.created), {
      method: endpoint.method,
      headers: HEADERS,
      body: JSON.stringify(validBody(endpoint, rig.created)),
    });
    const body = await response.text();
    // The rig's vendor does not support remixes, and the rig has no webhook to test and no upload to complete.
    if (endpoint.action === 'video.remix') expect(body).toContain('remix is not supported by this model');
    else if (endpoint.action === 'webhook.test' || endpoint.action === 'upload.complete')
      expect(response.status, body).toBe(404);
    else if (endpoint.action === 'group.retry') expect(body).toContain('no video to retry');
    else expect(response.status, body).toBe(200);
  },
);
