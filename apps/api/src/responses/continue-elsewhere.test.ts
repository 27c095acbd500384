import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ScriptedUpstream, scriptedUpstream, sendJson, type TextRig, textRig } from '../../test/text-rig.ts';
import { modelResponse, respondWith, sendEvents } from '../../test/vendor.ts';

/** The vendors of the routes, in their order. */
let first: ScriptedUpstream;
let second: ScriptedUpstream;
let rig: TextRig;
beforeEach(async () => {
  first = await scriptedUpstream(respondWith('from the first'));
  second = await scriptedUpstream(respondWith('from the second'));
});
afterEach(async () => {
  await rig.close();
  await Promise.all([first.close(), second.close()]);
});

const KINDS = ['responses', 'messages', 'chat-completions'];

async function start(kind = 'responses', responses: Record<string, unknown> = { store: 'gateway' }, strict = false) {
  rig = await textRig({
    upstreams: {
      first: { kind: 'responses', base_url: `${first.url}/v1`, api_key: 'sk-first' },
      second: { kind, base_url: `${second.url}/v1`, api_key: 'sk-second' },
    },
    models: [
      { id: 'm', strict, routes: ['first', 'second'].map((upstream) => ({ upstream, model: 'large' })) },
      { id: 'only-first', routes: [{ upstream: 'first', model: 'large' }] },
      { id: 'only-second', routes: [{ upstream: 'second', model: 'large' }] },
    ],
    responses,
  });
}

interface Told {
  id: string;
  status: number;
  upstream: string | null;
  dropped: string | null;
  text: string;
}

async function say(input: unknown, fields: Record<string, unknown> = {}): Promise<Told> {
  const response = await rig.post('/v1/responses', { model: 'm', input, ...fields });
  const text = await response.text();
  const id = /"id":"(resp_[^"]+)"/.exec(text)?.[1] ?? '';
  const { headers, status } = response;
  return { id, status, upstream: headers.get('x-sluice-upstream'), dropped: headers.get('x-sluice-dropped'), text };
}

function fail({ status = 500, code = 'server_error' } = {}): void {
  first.script = (_request, response) => sendJson(response, status, { error: { message: 'No.', code } });
}

const bodyAt = (upstream: ScriptedUpstream): string => upstream.requests.at(-1)?.raw ?? '';

describe('a conversation that its vendor stores', () => {
  it.each(KINDS.flatMap((kind) => [false, true].map((stream) => ({ kind, stream }))))(
    'continues at an upstream of kind $kind after a failure (stream: $stream)',
    async ({ kind, stream }) => {
      await start(kind);
      const one = await say('My name is Ada.', { stream });
      const two = await say('And I am 36.', { stream, previous_response_id: one.id });
      expect([one.upstream, two.upstream]).toEqual(['first', 'first']);
      expect(bodyAt(first)).toContain(`"previous_response_id":"${one.id}"`);
      fail();
      const three = await say('Who am I?', { stream, previous_response_id: two.id });
      expect([three.status, three.upstream], three.text).toEqual([200, 'second']);
      const sent = bodyAt(second);
      for (const text of ['My name is Ada.', 'from the first', 'And I am 36.', 'Who am I?'])
        expect(sent).toContain(text);
      expect(sent).not.toMatch(/previous_response_id":"|msg_of_/);
      // It continues from the other upstream's response, and again at the first one, with its copies.
      const four = await say('Thanks.', { stream, previous_response_id: three.id });
      expect([four.status, four.upstream], four.text).toEqual([200, 'second']);
      for (const text of ['My name is Ada.', 'from the second']) {
        if (kind !== 'responses') expect(bodyAt(second)).toContain(text);
      }
      if (kind !== 'responses') return;
      first.script = respondWith('from the first again');
      second.script = (_request, response) => sendJson(response, 503, { error: { message: 'No.' } });
      const five = await say('Bye.', { stream, previous_response_id: four.id });
      expect([five.status, five.upstream], five.text).toEqual([200, 'first']);
      for (const text of ['My name is Ada.', 'from the first', 'from the second', 'Thanks.', 'Bye.']) {
        expect(bodyAt(first)).toContain(text);
      }
    },
  );

  it.each([
    ['is limited', { status: 429, code: 'rate_limit_exceeded' }],
    ['rejects the credential', { status: 401, code: 'invalid_api_key' }],
    ['no longer has the response', { status: 400, code: 'previous_response_not_found' }],
  ])('continues elsewhere if the vendor %s', async (_what, failure) => {
    await start();
    const one = await say('My name is Ada.');
    fail(failure);
    expect(await say('Who am I?', { previous_response_id: one.id })).toMatchObject({ status: 200, upstream: 'second' });
  });

  it('does not continue elsewhere if the request is invalid', async () => {
    await start();
    const one = await say('My name is Ada.');
    fail({ status: 400, code: 'invalid_value' });
    expect((await say('Who am I?', { previous_response_id: one.id })).status).toBe(400);
    expect(second.requests).toEqual([]);
  });

  it('continues if the new model has no route to its vendor', async () => {
    await start();
    const one = await say('My name is Ada.');
    const two = await say('Who am I?', { model: 'only-second', previous_response_id: one.id });
    expect(two).toMatchObject({ status: 200, upstream: 'second' });
    expect(bodyAt(second)).toContain('Ada');
  });

  it('reports items that only the vendor can read, and is refused in strict mode', async () => {
    const output = [
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'of the first' },
      ...modelResponse('resp_1', 'Hello.').output,
    ];
    const script: ScriptedUpstream['script'] = (_request, response) =>
      sendEvents(response, [{ type: 'response.completed', response: modelResponse('resp_1', '', { output }) }]);
    first.script = script;
    await start();
    const one = await say('My name is Ada.', { stream: true });
    fail();
    const two = await say('Who am I?', { previous_response_id: one.id });
    expect(two).toMatchObject({ status: 200, dropped: 'reasoning' });
    expect(bodyAt(second)).not.toContain('of the first');
    await rig.close();
    first.script = script;
    await start('responses', { store: 'gateway' }, true);
    const strict = await say('My name is Ada.', { stream: true });
    fail();
    expect((await say('Who am I?', { previous_response_id: strict.id })).status).toBe(502);
    const moved = await say('Who am I?', { model: 'only-second', previous_response_id: strict.id });
    expect(moved).toMatchObject({ status: 200, dropped: 'reasoning' });
  });

  it.each([
    ['the gateway keeps no copies', { store: 'vendor' }, {}],
    ['no other upstream serves the model', { store: 'gateway' }, { model: 'only-first' }],
  ])('fails with its vendor if %s', async (_what, responses, fields) => {
    await start('responses', responses);
    const one = await say('My name is Ada.', fields);
    fail();
    expect((await say('Who am I?', { ...fields, previous_response_id: one.id })).status).toBe(502);
    expect(second.requests).toEqual([]);
  });

  it('is not copied with `store: false`, and cannot be read by another key', async () => {
    await start();
    const one = await say('My name is Ada.', { store: false });
    expect((await say('Who am I?', { previous_response_id: one.id })).status).toBe(400);
    const two = await say('My name is Ada.');
    fail();
    const headers = { authorization: 'Bearer sk-bob-key' };
    const other = await rig.post(
      '/v1/responses',
      { model: 'm', input: 'Who?', previous_response_id: two.id },
      { headers },
    );
    expect(other.status).toBe(400);
    expect(second.requests).toEqual([]);
  });
});
