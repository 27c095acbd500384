import { ENDPOINTS } from '@sluice/protocols';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { pathOf } from '../../test/security/valid-bodies.ts';
import { HOSTILE_FORMS } from '../../test/security/malformed-forms.ts';
import { heldNow, type HostileRig, hostileRig } from '../../test/security/full-rig.ts';
import { judge, judged } from '../../test/security/safe-response.ts';

let rig: HostileRig;
let filesBefore: string[];
beforeAll(async () => {
  rig = await hostileRig();
  filesBefore = heldNow().files;
});
afterAll(() => rig.close());

const TAKE_FORMS = ENDPOINTS.filter(({ body }) => body && 'multipart/form-data' in body.content);

describe(`${TAKE_FORMS.length * HOSTILE_FORMS.length} forms that nobody should send are refused, or their prompt is all that is read`, () => {
  it.each(TAKE_FORMS.map((endpoint) => [endpoint.operationId, endpoint] as const))('%s', async (_name, endpoint) => {
    for (const { what, body, type = 'multipart/form-data; boundary=b' } of HOSTILE_FORMS) {
      const response = await judged(
        await fetch(rig.origin + pathOf(endpoint, rig.made), {
          method: 'POST',
          headers: { authorization: `Bearer ${KEYS.alice}`, 'content-type': type },
          body: typeof body === 'string' ? body : new Uint8Array(body),
        }),
      );
      judge(what, response, endpoint);
    }
    expect(await rig.isAlive()).toBe(true);
  });

  it('and no prototype was changed, and nothing failed inside', () => {
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined();
    const failed = rig
      .logs()
      .split('\n')
      .filter((line) => line.includes('request failed'));
    expect(failed.filter((line) => line.includes('internal_error'))).toEqual([]);
  });

  it('and nothing of them stays: no open file, no spool, no half-written upload, nothing outside the folders', async () => {
    await vi.waitFor(async () => expect(heldNow().files).toEqual(filesBefore), 20_000);
    const files = await rig.storedFiles();
    expect(files.filter((name) => /spool|\/tmp\/[\da-f-]{36}$|passwd|win\.ini/.test(name))).toEqual([]);
  });
});
