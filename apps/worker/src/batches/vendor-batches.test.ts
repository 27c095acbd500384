import { Readable } from 'node:stream';
import type { Batch, BatchParams } from '@sluice/canonical';
import { createLimiter } from '@sluice/limits';
import { type RunningSandbox, startSandbox } from '@sluice/sandbox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BatchesRig, batchesRig, LONG } from '../../test/batches-rig.ts';

const KEY = 'sk-vendor-key';

let sandbox: RunningSandbox;
let rig: BatchesRig;
beforeAll(async () => {
  sandbox = await startSandbox({ renderMs: 20, apiKey: KEY });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  rig = await batchesRig(configOf(sandbox.url));
});
afterEach(() => rig.close());

const VENDORS = {
  openai: { kind: 'chat-completions', path: '/v1' },
  'openai-r': { kind: 'responses', path: '/v1' },
  azure: { kind: 'chat-completions', path: '/azure/openai/v1' },
  anthropic: { kind: 'messages', path: '' },
  gemini: { kind: 'generative-content', path: '' },
};
type VendorName = keyof typeof VENDORS | 'bedrock';

function configOf(origin: string): object {
  const named = Object.entries(VENDORS);
  const bedrock = {
    kind: 'bedrock',
    base_url: `${origin}/bedrock`,
    access_key: 'ak-sandbox',
    secret_key: KEY,
    output_uri: 's3://batches/sluice',
    batch_role_arn: 'arn:aws:iam::123456789012:role/batches',
    s3_endpoint: `${origin}/s3`,
    vendor_batches: true,
  };
  return {
    keys: [
      { name: 'alice', key: 'sk-alice-key', budget: { usd: 10 } },
      { name: 'bob', key: 'sk-bob-key', budget: { usd: 0.0003 } },
    ],
    upstreams: {
      bedrock,
      ...Object.fromEntries(
        named.map(([name, { kind, path: at }]) => [
          name,
          { kind, base_url: origin + at, credentials: [{ name: 'first', api_key: KEY }], vendor_batches: true },
        ]),
      ),
    },
    models: [...named.map(([name]) => name), 'bedrock'].map((name) => ({
      id: `by-${name}`,
      routes: [{ upstream: name, model: 'sandbox-chat' }],
      price: { input: 1, output: 2, service_tiers: { batch: 0.5 } },
    })),
    tasks: { submit_unknown_ms: 3_000 },
  };
}

/**
 * @param texts the text of each line; the first may contain directives of the batch
 * @param params with `fields` of each body
 */
function create(
  vendor: VendorName,
  texts: string[],
  endpoint = '/v1/chat/completions',
  { fields = {}, ...params }: Partial<BatchParams> & { fields?: object } = {},
  owner?: string,
): Promise<Batch> {
  const bodies = texts.map((text) => {
    const isInput = endpoint === '/v1/responses' || endpoint === '/v1/moderations';
    const input = isInput ? { input: text } : { messages: [{ role: 'user', content: text }] };
    return { model: `by-${vendor}`, ...input, ...(endpoint === '/v1/messages' && { max_tokens: 50 }), ...fields };
  });
  return rig.create(endpoint, bodies, { headers: { 'anthropic-version': '2023-06-01' }, ...params }, owner);
}

interface Submissions {
  task: string;
  applied: number;
  lines: number;
  line_calls: number;
}

/** The vendor's count of submissions of a batch. */
async function submissionsOf({ id }: Batch): Promise<Submissions | undefined> {
  const report = (await (await fetch(`${sandbox.url}/_sandbox/batches`)).json()) as { batches: Submissions[] };
  return report.batches.find(({ task }) => task === id);
}

function spending(owner = 'alice') {
  return createLimiter(rig.redis, { prefix: rig.prefix }).spending(owner);
}

/** Sends a request through the API as its owner. */
async function post(to: string, body: object): Promise<{ id: string }> {
  const response = await rig.api.serve({ owner: 'alice', method: 'POST', path: to, body: JSON.stringify(body) });
  return JSON.parse(((await response.body.toArray()) as Buffer[]).join('')) as { id: string };
}

const IMAGE = { filename: 'pixel.png', mediaType: 'image/png', purpose: 'vision' } as const;
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const TEXTS = ['Say one.', 'Say two.', 'Say three.'];

describe.each(Object.keys(VENDORS) as VendorName[])('a batch that %s runs', (vendor) => {
  it.each(['/v1/chat/completions', '/v1/responses', '/v1/messages'])(
    'has translated results of %s, is submitted once, and is charged once',
    LONG,
    async (endpoint) => {
      const before = (await spending()).total;
      const batch = await rig.ended(await create(vendor, TEXTS, endpoint));
      expect([batch.status, batch.counts.completed, batch.errors]).toEqual(['completed', 3, []]);
      const body = (await rig.results(batch)).get('line-1')?.response?.body;
      const object = { '/v1/chat/completions': 'chat.completion', '/v1/responses': 'response' }[endpoint];
      expect(body).toMatchObject(object === undefined ? { type: 'message' } : { object });
      expect(await submissionsOf(batch)).toMatchObject({ applied: 1, lines: 3, line_calls: 3 });
      const entries = await rig.entries(batch);
      expect(entries.map(({ upstream, credential }) => `${upstream} ${credential}`)).toEqual(
        Array(3).fill(`${vendor} first`),
      );
      const cost = entries.reduce((sum, { costNanos = 0 }) => sum + costNanos, 0);
      const live = entries.reduce(
        (sum, { usage = {} }) => sum + 1_000 * (usage.inputTokens ?? 0) + 2_000 * (usage.outputTokens ?? 0),
        0,
      );
      expect([cost, batch.costNanos]).toEqual([live / 2, cost]);
      expect(cost).toBeGreaterThan(0);
      const { total, reserved } = await spending();
      expect([total - before, reserved]).toEqual([cost, 0]);
    },
  );

  it('is found if the response to its submission was lost', LONG, async () => {
    const batch = await rig.ended(await create(vendor, ['Hi [batch:lost-reply]', 'Say two.']));
    expect([batch.status, batch.counts.completed]).toEqual(['completed', 2]);
    expect(await submissionsOf(batch)).toMatchObject({ applied: 1, line_calls: 2 });
  });

  it('has partial results if the vendor expires it', LONG, async () => {
    const batch = await rig.ended(await create(vendor, ['Hi [batch:expire]', 'two', 'three', 'four']));
    const { completed, expired } = batch.counts;
    // Gemini returns no results of such a batch.
    expect([batch.status, completed, expired]).toEqual(['expired', ...(vendor === 'gemini' ? [0, 4] : [2, 2])]);
    expect((await rig.results(batch)).get('line-3')?.error?.code).toBe('batch_expired');
  });
});

/** Bedrock's jobs have at least a hundred requests. */
function hundred(first: string): string[] {
  return [first, ...Array<string>(99).fill('Say it.')];
}

describe('a batch that Bedrock runs', () => {
  it('has translated results, is submitted once, and is charged at its price', LONG, async () => {
    const batch = await rig.ended(await create('bedrock', hundred('Hi [context]')));
    expect([batch.status, batch.counts.completed, batch.counts.failed]).toEqual(['completed', 99, 1]);
    const results = await rig.results(batch);
    expect(results.get('line-7')?.response?.body).toMatchObject({ object: 'chat.completion' });
    expect(results.get('line-0')?.response?.status_code).toBe(400);
    expect(await submissionsOf(batch)).toMatchObject({ applied: 1, lines: 100, line_calls: 100 });
    const entries = (await rig.entries(batch)).filter(({ costNanos }) => costNanos);
    expect(entries.map(({ usage }) => usage?.serviceTier)).toEqual(Array(99).fill('batch'));
  });

  it('is found after a lost response, and has partial results', LONG, async () => {
    const batch = await rig.ended(await create('bedrock', hundred('Hi [batch:lost-reply] [batch:expire]')));
    expect([batch.status, batch.counts.completed, batch.counts.expired]).toEqual(['expired', 50, 50]);
    expect(await submissionsOf(batch)).toMatchObject({ applied: 1, line_calls: 50 });
  });

  it('is run by workers if it has too few requests', LONG, async () => {
    const batch = await rig.ended(await create('bedrock', ['Say one.']));
    expect([batch.status, batch.counts.completed]).toEqual(['completed', 1]);
    expect(await submissionsOf(batch)).toBeUndefined();
  });
});

describe('a batch that a vendor runs', () => {
  it('fails if its submission was lost, and is not submitted again', LONG, async () => {
    const batch = await rig.ended(await create('openai', ['Hi [batch:lost-request]', 'Say two.']));
    expect([batch.status, batch.errors[0]?.code]).toEqual(['failed', 'submission_unknown']);
    expect((await submissionsOf(batch))?.applied ?? 0).toBe(0);
  });

  it('is counted once if its results are recorded twice', LONG, async () => {
    rig.serve = async (request) => {
      // As by a worker that dies before it records the result.
      if (request.vendorLine?.step === 'record') await (await rig.api.serve(request)).body.toArray();
      return rig.api.serve(request);
    };
    const batch = await rig.ended(await create('openai', TEXTS));
    expect(batch.counts.completed).toBe(3);
    const labels = '{model="by-openai",key="alice",upstream="openai"';
    const rendered = await rig.metrics.api.render();
    const valueOf = (name: string, more = '') =>
      Number(
        rendered
          .split('\n')
          .find((line) => line.startsWith(`${name}${labels}${more}}`))
          ?.split(' ')[1],
      );
    const { inputTokens } = batch.usage ?? {};
    const cost = (await rig.entries(batch)).reduce((sum, { costNanos = 0 }) => sum + costNanos, 0);
    expect(valueOf('sluice_cost_usd_total') * 1e9).toBeCloseTo(cost, 3);
    expect(valueOf('sluice_tokens_total', ',direction="input"')).toBe(inputTokens);
  });

  it.each(['gemini', 'openai-r'] as const)(
    'has the results of %s, and is charged for them, if all that its requests need is removed meanwhile',
    LONG,
    async (vendor) => {
      const file = await rig.files.create('alice', IMAGE, await rig.files.write(Readable.from([PIXEL]), 1_000));
      const earlier = await post('/v1/responses', { model: 'by-anthropic', input: 'Say zero.' });
      const content = [{ type: 'input_image', file_id: file.id }];
      const fields = { previous_response_id: earlier.id, input: [{ role: 'user', content }] };
      let isRemoved: Promise<unknown> | undefined;
      rig.serve = async (request) => {
        const remove = async () => {
          await rig.files.remove('alice', file.id);
          await rig.api.serve({ owner: 'alice', method: 'DELETE', path: `/v1/responses/${earlier.id}` });
          await rig.api.apply({ ...rig.config, keys: [], models: [] }, []);
        };
        if (request.vendorLine?.step === 'record') await (isRemoved ??= remove());
        return rig.api.serve(request);
      };
      const batch = await rig.ended(await create(vendor, TEXTS, '/v1/responses', { fields }));
      expect([batch.status, batch.counts.completed, batch.errors]).toEqual(['completed', 3, []]);
      expect((await rig.results(batch)).get('line-1')?.response?.body).toMatchObject({ object: 'response' });
      expect(await submissionsOf(batch)).toMatchObject({ applied: 1, line_calls: 3 });
      const entries = await rig.entries(batch);
      expect(entries.map(({ key, usage }) => `${key} ${usage?.serviceTier}`)).toEqual(Array(3).fill('alice batch'));
    },
  );

  it('is refused if the reservations of others leave too little of the budget', LONG, async () => {
    const params = { fields: { max_tokens: 50 } };
    const running = await create('openai', ['Hi [batch:stall]', 'two'], undefined, params, 'bob');
    await expect.poll(async () => (await spending('bob')).reserved, LONG).toBeGreaterThan(100_000);
    const refused = await rig.ended(await create('openai', ['one', 'two'], undefined, params, 'bob'), 'bob');
    expect([refused.status, refused.errors[0]?.code]).toEqual(['failed', 'insufficient_quota']);
    await rig.store.cancel('bob', running.id);
    await rig.ended(running, 'bob');
    expect((await spending('bob')).reserved).toBe(0);
  });

  it('is canceled at the vendor, and has partial results', LONG, async () => {
    const created = await create('openai', ['Hi [batch:stall]', 'two', 'three', 'four']);
    await expect.poll(async () => (await submissionsOf(created))?.line_calls ?? 0, LONG).toBe(2);
    await rig.store.cancel('alice', created.id);
    const batch = await rig.ended(created);
    expect([batch.status, batch.counts.completed, batch.counts.cancelled]).toEqual(['cancelled', 2, 2]);
  });
});

describe('a batch that its vendor does not run', () => {
  it('is run by workers if the vendor refuses or fails it', LONG, async () => {
    for (const directive of ['refused', 'fail']) {
      const batch = await rig.ended(await create('openai', [`Hi [batch:${directive}]`, 'Say two.']));
      expect([batch.status, batch.counts.completed]).toEqual(['completed', 2]);
      expect((await submissionsOf(batch))?.line_calls ?? 0).toBe(0);
    }
  });

  it('is run by workers if its requests are no text', LONG, async () => {
    const batch = await rig.ended(await create('openai', ['Flag this.'], '/v1/moderations'));
    expect(batch.status).toBe('completed');
    expect(await submissionsOf(batch)).toBeUndefined();
  });
});
