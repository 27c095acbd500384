import { afterEach, describe, expect, it } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import {
  type ScriptedUpstream,
  type Script,
  scriptedUpstream,
  sendJson,
  type TextRig,
  textRig,
} from '../../test/text-rig.ts';

const MODERATION = {
  id: 'modr-theirs',
  model: 'theirs-2025',
  results: [{ flagged: true, categories: { violence: true }, category_scores: { violence: 0.9 } }],
};
const VECTORS = { data: [{ index: 0, embedding: [1, 0] }], usage: { prompt_tokens: 1, total_tokens: 1 } };
const respondWithModeration: Script = (_request, response) => sendJson(response, 200, MODERATION);
const refuses =
  (status: number, error: object, headers = {}): Script =>
  (_request, response) =>
    sendJson(response, status, { error }, headers);

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface Stage {
  rig: TextRig;
  one: ScriptedUpstream;
  two: ScriptedUpstream;
}

const account = (url: string) => ({ kind: 'chat-completions', base_url: `${url}/v1`, api_key: 'sk-vendor' });

/** Starts an API whose model `judge` has two upstreams. The first one follows the script. */
async function setStage(script: Script, model: object = {}, config: object = {}): Promise<Stage> {
  const [one, two] = await Promise.all([scriptedUpstream(script), scriptedUpstream(respondWithModeration)]);
  const routes = ['one', 'two'].map((upstream) => ({ upstream, model: `their-${upstream}` }));
  const rig = await textRig({
    upstreams: {
      one: { ...account(one.url), headers: { 'x-team': 'blue' } },
      two: account(two.url),
      claude: { kind: 'messages', base_url: two.url },
    },
    models: [
      { id: 'judge', routes, ...model },
      { id: 'mixed', routes: [{ upstream: 'claude', model: 'x' }, ...routes] },
    ],
    ...config,
  });
  closing.push(
    () => one.close(),
    () => two.close(),
    () => rig.close(),
  );
  return { rig, one, two };
}

const PARAMS = { model: 'judge', input: 'kill', user: 'u-1' };

describe('a direct call', () => {
  it('sends all fields to the first route with its model and key, and encodes the response for the client', async () => {
    const { rig, one, two } = await setStage(respondWithModeration);
    const reply = await rig.post('/v1/moderations', PARAMS);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('x-sluice-upstream')).toBe('one');
    expect(reply.headers.get('x-sluice-model')).toBe('their-one');
    expect(reply.headers.get('x-request-id')).toMatch(/^req_/);
    expect(await reply.json()).toEqual({
      ...MODERATION,
      id: expect.stringMatching(/^modr-[0-9a-f]{32}$/),
      model: 'judge',
    });
    expect(two.requests).toEqual([]);
    const [request] = one.requests;
    expect(request).toMatchObject({ path: '/v1/moderations', body: { ...PARAMS, model: 'their-one' } });
    expect(request?.headers).toMatchObject({ authorization: 'Bearer sk-vendor', 'x-team': 'blue' });
    expect(JSON.stringify(request?.headers)).not.toContain(KEYS.alice);
  });

  it('opens the circuit for its own kind of call only', async () => {
    const { rig, one } = await setStage((request, response) =>
      request.path.endsWith('/moderations') ? response.destroy() : sendJson(response, 200, VECTORS),
    );
    for (let times = 0; times < 6; times++) await rig.post('/v1/moderations', PARAMS);
    // Five failures open the circuit breaker, so the sixth call is sent to the next upstream.
    expect(one.requests).toHaveLength(5);
    const reply = await rig.post('/v1/embeddings', { model: 'judge', input: 'kite' });
    expect([reply.status, reply.headers.get('x-sluice-upstream')]).toEqual([200, 'one']);
  });

  it('skips a route that does not support it', async () => {
    const { rig } = await setStage(respondWithModeration);
    const reply = await rig.post('/v1/moderations', { ...PARAMS, model: 'mixed' });
    expect([reply.status, reply.headers.get('x-sluice-upstream')]).toEqual([200, 'one']);
  });

  it.each([
    ['is rate limited', refuses(429, { message: 'slow down' })],
    ['fails', refuses(500, { message: 'oops' })],
    ['rejects the key', refuses(401, { message: 'Incorrect API key provided: sk-vendor' })],
    ['aborts the connection', (_request, response) => response.destroy()],
    ['returns another format', (_request, response) => response.end('<html>hello</html>')],
    ['returns no results', (_request, response) => sendJson(response, 200, { ...MODERATION, results: [] })],
  ] satisfies [string, Script][])('falls back to the next route when an upstream %s', async (_what, script) => {
    const { rig, one, two } = await setStage(script);
    const reply = await rig.post('/v1/moderations', PARAMS);
    expect([reply.status, reply.headers.get('x-sluice-upstream')]).toEqual([200, 'two']);
    expect([one.requests.length, two.requests.length]).toEqual([1, 1]);
  });

  it('tries no other route after a 503 with x-should-retry: false', async () => {
    const { rig, two } = await setStage(refuses(503, { message: 'later' }, { 'x-should-retry': 'false' }));
    const reply = await rig.post('/v1/moderations', PARAMS);
    expect([reply.status, reply.headers.get('x-should-retry')]).toEqual([503, 'false']);
    expect(two.requests).toEqual([]);
  });

  it("passes on an upstream's rejection without a fallback", async () => {
    const message = 'input is longer than sk-vendor allows';
    const { rig, two } = await setStage(refuses(400, { message, type: 'invalid_request_error', param: 'input' }));
    const reply = await rig.post('/v1/moderations', PARAMS);
    expect(reply.status).toBe(400);
    const { error } = (await reply.json()) as { error: { code: string; param: string; message: string } };
    expect(error).toMatchObject({
      code: 'invalid_request',
      param: 'input',
      message: expect.stringContaining('longer'),
    });
    expect(error.message).not.toContain('sk-vendor');
    expect(two.requests).toEqual([]);
  });

  it.each([
    [401, { message: 'wrong key sk-vendor' }, 502, 'provider_auth'],
    [402, { message: 'pay' }, 502, 'provider_quota'],
    [429, { message: 'later' }, 429, 'rate_limited'],
    [503, { message: 'later' }, 503, 'provider_overloaded'],
    [500, { message: 'oops at http://10.0.0.1/x' }, 502, 'provider_error'],
    [400, { message: 'no', code: 'content_policy_violation' }, 400, 'content_policy'],
  ])('maps status %i with error %j to %i %s', async (status, error, ours, code) => {
    const { rig, two } = await setStage(refuses(status, error, { 'retry-after': '7' }));
    two.script = refuses(status, error, { 'retry-after': '7' });
    const reply = await rig.post('/v1/moderations', PARAMS);
    const text = await reply.text();
    expect([reply.status, text]).toEqual([ours, expect.stringContaining(`"code":"${code}"`)]);
    expect(text + rig.logs()).not.toMatch(/sk-vendor|10\.0\.0\.1/);
    if (ours === 429) expect(reply.headers.get('retry-after')).toBe('7');
  });

  it('aborts the upstream call when the client disconnects', async () => {
    const { rig, one, two } = await setStage(() => undefined);
    const controller = new AbortController();
    const response = rig.post('/v1/moderations', PARAMS, { signal: controller.signal });
    await expect.poll(() => one.requests.length).toBe(1);
    controller.abort();
    await expect(response).rejects.toThrow();
    await expect.poll(() => one.disconnects).toBe(1);
    expect(two.requests).toEqual([]);
  });

  it('skips an upstream whose circuit is open', async () => {
    const { rig, one } = await setStage(refuses(500, {}), {}, { routing: { failures: 2 } });
    for (let at = 0; at < 4; at += 1) expect((await rig.post('/v1/moderations', PARAMS)).status).toBe(200);
    expect(one.requests.length).toBe(2);
  });

  it('uses the default model if the client sends none', async () => {
    const { rig, one } = await setStage(respondWithModeration, {}, { defaults: { moderation_model: 'judge' } });
    const reply = await rig.post('/v1/moderations', { input: 'kill' });
    expect(await reply.json()).toMatchObject({ model: 'judge' });
    expect(one.requests[0]?.body).toEqual({ model: 'their-one', input: 'kill' });
  });

  it('logs the upstream but not the input', async () => {
    const { rig } = await setStage(respondWithModeration);
    await (await rig.post('/v1/moderations', { ...PARAMS, input: 'a private thing' })).text();
    await expect.poll(() => rig.logs()).toMatch(/"upstream":"one","upstream_model":"their-one"/);
    expect(rig.logs()).not.toContain('private');
  });
});
