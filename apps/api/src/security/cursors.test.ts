import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminAuth } from '../../test/admin-rig.ts';
import { KEYS } from '../../test/api-rig.ts';
import { auth, send } from '../../test/bad-request.ts';
import { LEDGER_NOW, type LedgerRig, ledgerRig } from '../../test/ledger/ledger-rig.ts';

let rig: LedgerRig;
beforeAll(async () => {
  rig = await ledgerRig();
});
afterAll(() => rig.close());

const MESSAGES = { 'x-api-key': KEYS.alice, 'anthropic-version': '2023-06-01' };
const GENERATIVE = { 'x-goog-api-key': KEYS.alice };

interface List {
  path: string;
  cursor: string;
}

/** The lists of `/openapi.json` and their cursors. The cursors of Google and Anthropic belong to their formats. */
async function lists(): Promise<List[]> {
  // The cast names the members of an OpenAPI document that the test reads.
  const { paths } = (await (await rig.call('/openapi.json')).json()) as {
    paths: Record<string, { get?: { parameters?: { in: string; name: string }[] } }>;
  };
  return Object.entries(paths).flatMap(([path, { get }]) =>
    (get?.parameters ?? [])
      .filter(({ in: where, name }) => where === 'query' && /^(after|after_id|before_id|page|pageToken)$/.test(name))
      .map(({ name: cursor }) => ({ path, cursor })),
  );
}

function request({ path, cursor }: List) {
  const start = path.startsWith('/v1/organization/') ? `start_time=${LEDGER_NOW / 1_000 - 86_400}&` : '';
  const isMessages = cursor.endsWith('_id') || (path === '/v1/files' && cursor === 'page');
  const isGenerative = cursor === 'pageToken';
  const own = isGenerative ? GENERATIVE : isMessages ? MESSAGES : auth;
  const headers = path.startsWith('/admin/') ? adminAuth : own;
  return send('GET', `${path.replaceAll(/\{\w+\}/g, 'x')}?${start}${cursor}=zz`, { headers })(rig);
}

describe('a cursor that no list has returned', () => {
  it('is refused by each list, in the format of the client and with the name of the parameter', async () => {
    // The items of a response are listed only if it exists; stored-responses.test.ts has their cursors.
    const tested = (await lists()).filter(({ path }) => !path.startsWith('/v1/responses/'));
    expect(tested.length).toBeGreaterThan(30);
    for (const list of tested) {
      const { status, body } = await request(list);
      const { path, cursor } = list;
      const message = expect.stringMatching(new RegExp(`\`?${cursor}\`? must be `));
      const error =
        cursor === 'pageToken'
          ? { code: 400, status: 'INVALID_ARGUMENT', details: [{ fieldViolations: [{ field: cursor }] }] }
          : cursor === 'after' || path.startsWith('/v1/organization/')
            ? { code: 'invalid_request', param: cursor }
            : { type: 'invalid_request_error' };
      expect({ path, cursor, status, body }).toMatchObject({
        ...list,
        status: 400,
        body: { error: { message, ...error } },
      });
    }
  });

  it.each([
    ['after', auth],
    ['after_id', MESSAGES],
    ['before_id', MESSAGES],
    ['page', MESSAGES],
  ])('is refused as `%s` of /v1/files, if it only begins like an id of Sluice', async (cursor, headers) => {
    expect(await send('GET', `/v1/files?${cursor}=file-nope`, { headers })(rig)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining(`${cursor} must be the id of a file`) } },
    });
    const missing = `file-${'0'.repeat(25)}`;
    expect(await send('GET', `/v1/files?${cursor}=${missing}`, { headers })(rig)).toMatchObject({ status: 200 });
  });

  it.each([
    ['/v1/batches', 'batch'],
    ['/v1/videos', 'video'],
    ['/v1/videos/batch', 'group'],
  ])('is refused by %s if it only begins like an id of Sluice', async (path, prefix) => {
    expect(await send('GET', `${path}?after=${prefix}_nope`, { headers: auth })(rig)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param: 'after' } },
    });
  });

  it.each([
    ['/v1/webhooks', 'whe_0', auth],
    ['/v1/webhook_endpoints', 'whe_0', auth],
    ['/v1/webhooks/deliveries', 'whd_0', auth],
    ['/admin/v1/webhooks', 'whe_0', adminAuth],
    ['/admin/v1/webhooks/deliveries', 'whd_0', adminAuth],
  ])('is not found in %s, whose ids have no order, if it is the id of a missing item', async (path, id, headers) => {
    expect(await send('GET', `${path}?after=${id}`, { headers })(rig)).toMatchObject({
      status: 404,
      body: { error: { code: 'webhook_not_found', param: 'after' } },
    });
  });
});
