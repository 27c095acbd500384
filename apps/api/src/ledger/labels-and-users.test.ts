import { afterEach, describe, expect, it } from 'vitest';
import { waitForEntries } from '../../test/ledger/ledger-entries.ts';
import { keyOf, type LimitsRig, limitsRig } from '../../test/limits-rig.ts';
import { respondWith } from '../../test/vendor.ts';

const CHAT = '/v1/chat/completions';
const chat = { model: 'by-chat', messages: [{ role: 'user', content: 'hi' }], max_tokens: 9 };

let rig: LimitsRig;
afterEach(() => rig.close());

async function start(labels?: Record<string, string>): Promise<void> {
  rig = await limitsRig({ eve: { labels } }, respondWith('hello'));
}

async function post(headers: Record<string, string>, body: object = chat, at = CHAT) {
  const [first] = rig.rigs;
  if (!first) throw new Error('there is one process');
  const response = await first.post(at, body, { headers: { authorization: `Bearer ${keyOf('eve')}`, ...headers } });
  return { status: response.status, body: (await response.json()) as { error?: Record<string, unknown> } };
}

const entries = (count: number) => waitForEntries(rig.redis, rig.rigs[0]?.tasks.prefix ?? '', count);

describe('x-sluice-labels', () => {
  it('sets the labels of the entry', async () => {
    await start();
    expect(await post({ 'x-sluice-labels': 'team=search, feature=a=b' })).toMatchObject({ status: 200 });
    expect(await entries(1)).toMatchObject([{ labels: { team: 'search', feature: 'a=b' } }]);
  });

  it("replaces and extends the key's labels", async () => {
    await start({ team: 'core', env: 'prod' });
    await post({ 'x-sluice-labels': 'team=search,feature=chat' });
    await post({});
    const labels = (await entries(2)).map((entry) => entry.labels);
    expect(labels).toEqual([
      { team: 'search', env: 'prod', feature: 'chat' },
      { team: 'core', env: 'prod' },
    ]);
  });

  it.each([
    ['team', 'must be a list such as `team=search,feature=chat`; got `team`'],
    ['team=a,', 'must be a list'],
    ['=a', 'The name of a label must be at most 64 letters'],
    ['te am=a', 'got `te am`'],
    [`${'n'.repeat(65)}=a`, 'The name of a label'],
    ['__proto__=a', 'The name of a label'],
    ['team=', 'The value of the label `team` must be 1 to 128'],
    [`team=${'v'.repeat(129)}`, 'The value of the label `team`'],
    ['team=\u00e9', 'The value of the label `team`'],
    ['team=a,team=b', 'The label `team` appears twice'],
    [
      Array.from({ length: 8 }, (_, index) => `l${index}=a`).join(','),
      'at most 8 labels, with the labels of its API key',
    ],
  ])('is rejected if it is %j', async (header, message) => {
    await start({ owner: 'core' });
    for (const [at, type] of [
      [CHAT, { type: 'invalid_request_error', param: 'x-sluice-labels' }],
      ['/v1/messages', { type: 'invalid_request_error' }],
    ] as const) {
      const { status, body } = await post({ 'x-sluice-labels': header }, chat, at);
      expect(status).toBe(400);
      expect(body.error).toMatchObject({ ...type, message: expect.stringContaining(message) });
    }
    expect(rig.upstream.requests).toEqual([]);
    const written = await entries(2);
    expect(written).toMatchObject([400, 400].map((status) => ({ status, labels: { owner: 'core' } })));
  });
});

describe('the end user of an entry', () => {
  const HASH = /^[0-9a-f]{32}$/;

  it.each([
    [CHAT, { ...chat, user: 'u-1' }],
    [CHAT, { ...chat, safety_identifier: 'u-1', user: 'u-2' }],
    ['/v1/messages', { ...chat, metadata: { user_id: 'u-1' } }],
    ['/v1/responses', { model: 'by-responses', input: 'hi', safety_identifier: 'u-1' }],
    ['/v1/embeddings', { model: 'by-chat', input: 'hi', user: 'u-1' }],
  ])('is hashed at %s', async (at, body) => {
    await start();
    await post({}, body, at);
    await post({}, { ...chat, user: 'u-1' });
    const [first, second] = await entries(2);
    expect(first?.user).toMatch(HASH);
    expect(first?.user).toBe(second?.user);
  });

  it.each([[{ user: 7 }], [{ user: '' }], [{ prompt: 'u-1' }]])('is missing for %o', async (fields) => {
    await start();
    await post({}, { model: 'by-chat', input: 'hi', ...fields }, '/v1/embeddings');
    const [entry] = await entries(1);
    expect(entry).not.toHaveProperty('user');
  });
});
