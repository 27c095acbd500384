import { ENDPOINTS } from '@sluice/protocols';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { pathOf } from '../../test/security/valid-bodies.ts';
import { MALFORMED_FORMS } from '../../test/security/malformed-forms.ts';
import { openHandles, type FullRig, fullRig } from '../../test/security/full-rig.ts';
import { expectSafeResponse, readResponse } from '../../test/security/safe-response.ts';

let rig: FullRig;
let filesBefore: string[];
beforeAll(async () => {
  rig = await fullRig();
  filesBefore = openHandles().files;
});
afterAll(() => rig.close());

const FORM_ENDPOINTS = ENDPOINTS.filter(({ body }) => body && 'multipart/form-data' in body.content);

describe('malformed forms', () => {
  it.each(FORM_ENDPOINTS.map((endpoint) => [endpoint.operationId, endpoint] as const))(
    `%s returns no internal error for any of ${MALFORMED_FORMS.length} forms`,
    async (_name, endpoint) => {
      for (const { title, body, type = 'multipart/form-data; boundary=b' } of MALFORMED_FORMS) {
        const response = await readResponse(
          await fetch(rig.origin + pathOf(endpoint, rig.created), {
            method: 'POST',
            headers: { authorization: `Bearer ${KEYS.alice}`, 'content-type': type },
            body: typeof body === 'string' ? body : new Uint8Array(body),
          }),
        );
        expectSafeResponse(title, response, endpoint);
      }
      expect(await rig.isServing()).toBe(true);
    },
  );

  it('changes no prototype and logs no internal error', () => {
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined();
    const failed = rig
      .logs()
      .split('\n')
      .filter((line) => line.includes('request failed'));
    expect(failed.filter((line) => line.includes('internal_error'))).toEqual([]);
  });

  it('leaves no open file, spool file, partial upload, or file outside the folders', async () => {
    await vi.waitFor(async () => expect(openHandles().files).toEqual(filesBefore), 30_000);
    const files = await rig.storedFiles();
    expect(files.filter((name) => /spool|\/tmp\/[\da-f-]{36}$|passwd|win\.ini/.test(name))).toEqual([]);
  });
});
