import { afterEach, describe, expect, it } from 'vitest';
import { waitForEntries } from '../../test/ledger/ledger-entries.ts';
import { type LimitsRig, limitsRig } from '../../test/limits-rig.ts';
import { type Script, sendJson } from '../../test/text-rig.ts';
import { modelResponse } from '../../test/vendor.ts';

const PATIENT = { timeout: 10_000 };
/** The prompt `hi` is estimated at 5 tokens. */
const HI = 5;
const prices = { 'by-responses': { price: { input: 1, output: 2, request: 0.01 } } };
/** The cost of the given tokens. */
const cost = (input: number, output: number) => 10_000_000 + (input + 2 * output) * 1_000;
const RESERVED = cost(HI, 500);
const eve = { eve: { budget: { usd: 1 }, limits: { tpm: 100_000 } } };
const params = { model: 'by-responses', input: 'hi', background: true, max_output_tokens: 500 };
const usage = { input_tokens: 9, output_tokens: 900, total_tokens: 909 };
const less = { input_tokens: 3, output_tokens: 2, total_tokens: 5 };
const running = modelResponse('resp_slow', '', { status: 'in_progress', output: [], usage: null });
const done = modelResponse('resp_slow', 'at last', { usage });
const ended = (status: string, text: string) => modelResponse('resp_slow', text, { status, usage: null });

let rig: LimitsRig;
afterEach(() => rig.close());

const prefix = (): string => rig.rigs[0]?.tasks.prefix ?? '';
const jobs = () => rig.redis.keys(`{${prefix()}}:text:job:*`);

async function expectSpent(nanos: number, reserved = 0): Promise<void> {
  await expect.poll(() => rig.limiter.spending('eve'), PATIENT).toMatchObject({ total: nanos, reserved });
}

/** The only entry of the ledger has the usage that was charged. */
async function expectCharged(nanos: number, tokens: number, fields: object = {}): Promise<void> {
  await expectSpent(nanos);
  await expect.poll(() => rig.tokens('eve'), PATIENT).toBe(tokens);
  const entries = await waitForEntries(rig.redis, prefix(), 1);
  expect(entries).toMatchObject([{ requestId: expect.any(String), status: 200, costNanos: nanos, ...fields }]);
  await expect.poll(jobs, PATIENT).toEqual([]);
}

async function send(rest = '', method = 'GET'): Promise<number> {
  const headers = { authorization: 'Bearer sk-eve-key' };
  const reply = await fetch(`${rig.rigs[0]?.origin}/v1/responses/resp_slow${rest}`, { method, headers });
  await reply.text();
  return reply.status;
}

/** Accepts a response, and returns the result of `later` afterward. */
async function start(later: (path: string) => object | undefined): Promise<void> {
  const vendor: Script = ({ path }, response) => {
    if (path.endsWith('/responses')) return sendJson(response, 200, { ...running, status: 'queued' });
    const result = later(path);
    if (result) sendJson(response, 200, result);
    else sendJson(response, 404, { error: { message: 'not found' } });
  };
  rig = await limitsRig(eve, vendor, { prices });
  await (await rig.post('eve', '/v1/responses', params)).text();
}

describe('a background response at its vendor', () => {
  it('keeps its reservation until it ends, and is then charged once', async () => {
    let state: object = running;
    await start(() => state);
    await expectSpent(0, RESERVED);
    expect(await send()).toBe(200);
    await expectSpent(0, RESERVED);
    state = done;
    await Promise.all([send(), send('/cancel', 'POST'), send()]);
    await expectCharged(cost(9, 900), 909, { usage: { inputTokens: 9, outputTokens: 900 } });
    // As after a minute.
    await rig.redis.del(...(await rig.redis.keys(`{${prefix()}}:settled:*`)));
    await send();
    await send('/input_items');
    await expectCharged(cost(9, 900), 909);
  });

  it.each([
    ['less than its reservation', modelResponse('resp_slow', 'short', { usage: less }), cost(3, 2), 5, {}],
    ['its reservation if it reports no usage', ended('completed', 'so'), RESERVED, HI + 500, {}],
    ['nothing if it fails', ended('failed', ''), 0, 0, { errorCode: 'provider_error' }],
    ['its output if it fails later', ended('failed', 'so far'), cost(HI, 2), HI + 2, { errorCode: 'provider_error' }],
    ['its output if it is canceled', ended('cancelled', 'so far'), cost(HI, 2), HI + 2, { errorCode: 'aborted' }],
  ])('costs %s', async (_, response, nanos, tokens, fields) => {
    await start(() => response);
    await send();
    await expectCharged(nanos, tokens, fields);
  });

  it('keeps its reservation if its client disconnects from the stream', async () => {
    let open: (() => void) | undefined;
    const vendor: Script = ({ path }, response) => {
      if (!path.endsWith('/responses')) return sendJson(response, 200, done);
      open = () => response.destroy();
      const event = { type: 'response.created', sequence_number: 0, response: running };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    };
    rig = await limitsRig(eve, vendor, { prices });
    const controller = new AbortController();
    const reply = await rig.post('eve', '/v1/responses', { ...params, stream: true }, controller);
    await reply.body?.getReader().read();
    controller.abort();
    await expect.poll(() => rig.upstream.disconnects, PATIENT).toBe(1);
    await expectSpent(0, RESERVED);
    await send();
    await expectCharged(cost(9, 900), 909);
    open?.();
  });

  it('is charged for the usage that its stream and its vendor report', async () => {
    const event = { type: 'response.completed', sequence_number: 1, response: done };
    const vendor: Script = ({ path }, response) => {
      if (!path.endsWith('/responses')) return sendJson(response, 200, done);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    };
    rig = await limitsRig(eve, vendor, { prices });
    await (await rig.post('eve', '/v1/responses', { ...params, stream: true })).text();
    await send();
    await expectSpent(cost(9, 900));
    expect(await waitForEntries(rig.redis, prefix(), 1)).toMatchObject([{ costNanos: cost(9, 900) }]);
  });
});

describe('a deleted background response at its vendor', () => {
  it.each([
    ['its usage if it has ended', done, cost(9, 900), 909],
    ['its output so far if it runs, after it was canceled', running, cost(HI, 2), HI + 2],
    ['its reservation if the vendor has lost it', undefined, RESERVED, HI + 500],
  ])('costs %s', async (_, state, nanos, tokens) => {
    const canceled = ended('cancelled', 'so far');
    await start((path) => (path.endsWith('/cancel') ? canceled : state));
    expect(await send('', 'DELETE')).toBe(state ? 200 : 404);
    if (state) return expectCharged(nanos, tokens);
    await expectSpent(0, nanos);
    await rig.startWorker();
    await expectCharged(nanos, tokens);
  });
});
