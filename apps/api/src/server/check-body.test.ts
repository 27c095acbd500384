import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS, SMALL_LIMITS } from '../../test/api-rig.ts';
import { head, rawHttp } from '../../test/raw-http.ts';

let rig: ApiRig;
beforeAll(async () => {
  rig = await apiRig({ limits: SMALL_LIMITS });
});
afterAll(() => rig.close());

const WAIT = 'expect: 100-continue';
const BODY = '{"prompt":"a kite"}';

describe('checkBodies', () => {
  it('sends 100 Continue to a waiting client if its body is accepted', async () => {
    const start = head(KEYS.alice, 'application/json', `content-length: ${BODY.length}`, WAIT);
    expect((await rawHttp(rig.port, [start, BODY])).text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  });

  it.each([
    ['an invalid key', head('sk-wrong', 'application/json', 'content-length: 19', WAIT), 401],
    ['too large JSON', head(KEYS.alice, 'application/json', 'content-length: 5000', WAIT), 413],
    ['too large a form', head(KEYS.alice, 'multipart/form-data; boundary=b', 'content-length: 20001', WAIT), 413],
    [
      'an encoded body',
      head(KEYS.alice, 'application/json', 'content-length: 9', 'content-encoding: deflate', WAIT),
      415,
    ],
  ])('does not request a body with %s', async (_what, start, status) => {
    const response = await rawHttp(rig.port, [start]);
    expect(response.text).not.toContain('100 Continue');
    expect(response.status).toBe(status);
  });

  it('allows a form of the upload size, and JSON of the body size', async () => {
    const form = await rawHttp(
      rig.port,
      [head(KEYS.alice, 'multipart/form-data; boundary=b', 'content-length: 20000', WAIT)],
      true,
    );
    expect(form.text).not.toContain(' 413 ');
    const response = await rig.create({ prompt: 'a kite' }, { 'content-encoding': 'identity' });
    expect(response.status).toBe(200);
  });
});
