import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { backgroundWorker } from '../../test/workers/background-worker.ts';
import { type ScriptedUpstream, scriptedUpstream, type TextRig, textRig } from '../../test/text-rig.ts';
import { MODELS, respondWith, vendorConfig } from '../../test/vendor.ts';

let upstream: ScriptedUpstream;
let rig: TextRig;
beforeAll(async () => {
  upstream = await scriptedUpstream(respondWith('in short: a kite'));
  rig = await textRig(vendorConfig(upstream.url));
});
afterAll(async () => {
  await rig.close();
  await upstream.close();
});
beforeEach(() => {
  upstream.script = respondWith('in short: a kite');
});

const input = [{ role: 'user', content: 'draw a kite' }];
const trigger = { type: 'compaction_trigger' };
const CALLS: [name: string, at: string, body: Record<string, unknown>][] = [
  ['a compaction', '/v1/responses/compact', { input }],
  ['a triggered compaction', '/v1/responses', { input: [...input, trigger] }],
  ['a streamed one', '/v1/responses', { input: [...input, trigger], stream: true }],
  ['a count', '/v1/responses/input_tokens', { input }],
];

interface Line {
  msg: string;
  upstream: string;
  upstream_model: string;
  relayed: boolean;
  dropped?: string[];
  usage?: { inputTokens: number };
}

async function lineOf(response: Response, message = 'request', logs = () => rig.logs()): Promise<Line> {
  const id = response.headers.get('x-request-id') ?? 'none';
  const lines = () =>
    logs()
      .split('\n')
      .filter((line) => line.includes(id) && line.includes(`"msg":"${message}"`));
  await expect.poll(lines).toHaveLength(1);
  return JSON.parse(lines()[0] ?? '') as Line; // The cast is safe because the log line is a JSON object.
}

describe.each(CALLS)('%s', (name, at, body) => {
  it.each(Object.entries(MODELS))('logs the upstream over %s', async (protocol, model) => {
    const response = await rig.post(at, { model, ...body });
    expect(response.status, await response.text()).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-sluice-upstream': protocol,
      'x-sluice-model': `their-${protocol}`,
    });
    const line = await lineOf(response);
    expect(line).toMatchObject({ upstream: protocol, relayed: protocol === 'responses' });
    if (name !== 'a count') expect(line).toMatchObject({ usage: { inputTokens: 3 } });
  });

  it('logs dropped fields', async () => {
    const response = await rig.post(at, { model: 'by-messages', ...body, made_up: 1 });
    await response.text();
    expect(response.headers.get('x-sluice-dropped')).toContain('made_up');
    expect((await lineOf(response)).dropped).toContain('made_up');
  });
});

it('a background response has a log line of its run, with the same request id', async () => {
  const worker = await backgroundWorker(rig);
  const response = await rig.post('/v1/responses', { model: 'by-messages', input, background: true, made_up: 1 });
  const line = await lineOf(response, 'request', () => worker.logs());
  expect(line).toMatchObject({
    upstream: 'messages',
    upstream_model: 'their-messages',
    dropped: ['made_up'],
    usage: { inputTokens: 3 },
  });
  await worker.close();
});

it('the prompts of a legacy completion have their dropped fields logged', async () => {
  const response = await rig.post('/v1/completions', { model: 'by-messages', prompt: 'hi', seed: 7 });
  expect(response.headers.get('x-sluice-dropped')).toContain('seed');
  expect((await lineOf(response)).dropped).toContain('seed');
});
