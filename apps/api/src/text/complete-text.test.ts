import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../test/refusal.ts';
import {
  chatResponse,
  chatChunk,
  type ScriptedUpstream,
  scriptedUpstream,
  sendJson,
  type TextRig,
  textRig,
} from '../../test/text-rig.ts';
import { sendEvents, respondWith, vendorConfig } from '../../test/vendor.ts';

let upstream: ScriptedUpstream;
let rig: TextRig;
beforeEach(async () => {
  upstream = await scriptedUpstream(respondWith('world'));
  const { upstreams, models } = vendorConfig(upstream.url);
  const legacy = {
    kind: 'chat-completions',
    base_url: `${upstream.url}/legacy/v1`,
    api_key: 'sk-vendor-old',
    completions: true,
  };
  rig = await textRig({
    upstreams: { ...upstreams, legacy },
    models: [...models, { id: 'by-legacy', routes: [{ upstream: 'legacy', model: 'davinci' }] }],
    timeouts: { keep_alive_ms: 400 },
  });
});
afterEach(async () => {
  await rig.close();
  await upstream.close();
});

const SSE = { 'content-type': 'text/event-stream' };
const complete = (body: Record<string, unknown>) => rig.post('/v1/completions', body);

/** The parsed frames of a stream. The last one is not JSON. */
function framesOf(text: string): unknown[] {
  const frames = text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: '))
    .map((frame) => frame.slice('data: '.length));
  return frames.map((frame) => (frame === '[DONE]' ? frame : (JSON.parse(frame) as unknown)));
}

describe.each(['by-chat', 'by-messages', 'by-responses', 'by-gemini'])(
  'a completion through %s, which supports chat only',
  (model) => {
    it('returns the response to its prompt', async () => {
      const reply = await complete({ model, prompt: 'hello', max_tokens: 5 });
      expect(reply.headers.get('x-sluice-upstream')).toBeTruthy();
      expect(await reply.json()).toEqual({
        id: expect.stringMatching(/^cmpl-/),
        object: 'text_completion',
        created: expect.any(Number),
        model,
        choices: [{ text: 'world', index: 0, logprobs: null, finish_reason: 'stop' }],
        usage: expect.objectContaining({ prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }),
      });
      expect(upstream.requests[0]?.raw).toContain('"hello"');
    });

    it('accepts at most 128 prompts', async () => {
      const prompt = Array.from({ length: 128 }, () => 'hi');
      expect((await complete({ model, prompt, max_tokens: 1 })).status).toBe(200);
      const refused = await complete({ model, prompt: [...prompt, 'hi'], max_tokens: 1 });
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({ error: { param: 'prompt' } });
    });

    it('returns a choice for each prompt in order, with the total usage', async () => {
      const prompt = Array.from({ length: 20 }, (_, at) => `prompt ${at}`);
      const reply = (await (await complete({ model, prompt, echo: true })).json()) as {
        choices: { text: string; index: number }[];
        usage: unknown;
      };
      expect(reply.choices.map(({ text }) => text)).toEqual(prompt.map((text) => `${text}world`));
      expect(reply.choices.map(({ index }) => index)).toEqual(prompt.map((_, at) => at));
      expect(reply.usage).toMatchObject({ prompt_tokens: 60, completion_tokens: 40, total_tokens: 100 });
    });

    it('streams the prompts in order, each after its echo, and ends once', async () => {
      const prompt = Array.from({ length: 12 }, (_, at) => `prompt ${at} `);
      const reply = await complete({
        model,
        prompt,
        echo: true,
        stream: true,
        stream_options: { include_usage: true },
      });
      expect(reply.headers.get('content-type')).toContain('text/event-stream');
      const frames = framesOf(await reply.text());
      expect(frames.pop()).toBe('[DONE]');
      expect(frames.pop()).toMatchObject({ choices: [], usage: { total_tokens: 12 * 5 } });
      const texts: string[] = [];
      for (const frame of frames as { choices: { text: string; index: number }[] }[]) {
        for (const { text, index } of frame.choices) texts[index] = (texts[index] ?? '') + text;
      }
      expect(texts).toEqual(prompt.map((text) => `${text}world`));
    });

    it('counts the usage of buffered and streamed responses', async () => {
      for (const stream of [false, true]) {
        await (await complete({ model, prompt: ['a', 'b'], stream })).text();
      }
      const metrics = await (await rig.call('/metrics')).text();
      expect(metrics).toMatch(/sluice_text_tokens_total\{[^}]*direction="input"[^}]*\} 12\n/);
      expect(metrics).toMatch(/sluice_text_tokens_total\{[^}]*direction="output"[^}]*\} 8\n/);
    });

    it.each([
      ['suffix', 'the end'],
      ['logprobs', 2],
      ['best_of', 2],
      ['prompt', [1, 2, 3]],
      ['prompt', [[1, 2], [3]]],
    ])('rejects %s as %j', async (field, value) => {
      for (const stream of [false, true]) {
        const reply = await complete({ model, prompt: 'hello', stream, [field]: value });
        await expectRefusal(reply, 'chat-completions', { status: 400, code: 'unsupported_parameter', param: field });
      }
      expect(upstream.requests).toEqual([]);
    });
  },
);

function choice(index: number, content: string, finish: string | null = null) {
  return { index, delta: { content }, finish_reason: finish };
}

describe('a streamed completion', () => {
  const params = { model: 'by-chat', prompt: ['one', 'two'], stream: true };

  it('omits usage unless the client requests it', async () => {
    for (const options of [undefined, {}, { include_usage: false }]) {
      const reply = await complete({ ...params, stream_options: options });
      const frames = framesOf(await reply.text());
      expect(frames.pop()).toBe('[DONE]');
      for (const frame of frames) expect(frame).not.toHaveProperty('usage');
    }
  });

  it('interleaves the choices of `n`', async () => {
    upstream.script = (_request, response) => {
      const common = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
      sendEvents(response, [
        { ...common, choices: [choice(0, 'a'), choice(1, 'b')] },
        { ...common, choices: [choice(1, 'B', 'stop')] },
        { ...common, choices: [choice(0, 'A', 'length')] },
      ]);
    };
    const frames = framesOf(await (await complete({ ...params, n: 2 })).text());
    const texts: Record<number, string> = {};
    for (const frame of frames.slice(0, -1) as { choices: { text: string; index: number }[] }[]) {
      for (const { text, index } of frame.choices) texts[index] = (texts[index] ?? '') + text;
    }
    expect(texts).toEqual({ 0: 'aA', 1: 'bB', 2: 'aA', 3: 'bB' });
  });

  it('fails with a status at the first prompt, and inside the stream at a later one', async () => {
    upstream.script = (_request, response) => sendJson(response, 500, { error: { message: 'no' } });
    expect((await complete(params)).status).toBe(502);
    const respond = respondWith('fine');
    upstream.script = (request, response) => {
      if (request.raw.includes('"two"')) sendJson(response, 500, { error: { message: 'no' } });
      else respond(request, response);
    };
    const text = await (await complete(params)).text();
    expect(text).toContain('fine');
    expect(text).toMatch(/data: \{"error":\{[^\n]*\}\n\n$/);
    expect(text).not.toContain('[DONE]');
  });

  it('never ends as complete when an upstream breaks off, which counts as an upstream failure', async () => {
    upstream.script = (_request, response) => {
      response.writeHead(200, SSE).write(chatChunk({ role: 'assistant', content: 'one' }));
      setTimeout(() => response.socket?.destroy(), 20);
    };
    const text = await (await complete(params)).text();
    expect(text).toContain('"one"');
    expect(text).toMatch(/data: \{"error":\{/);
    expect(text).not.toContain('[DONE]');
    expect(upstream.requests).toHaveLength(1);
    await expect.poll(() => rig.logs()).toContain('response interrupted');
  });

  it('sends keep-alives while its upstream is silent', async () => {
    const respond = respondWith('slow');
    upstream.script = (request, response) => void setTimeout(() => respond(request, response), 1_200);
    expect(await (await complete({ ...params, prompt: 'one' })).text()).toMatch(/: keep-alive\n[^]*slow[^]*\[DONE\]/);
  });

  it('aborts the upstream call when its client disconnects, and sends no further prompts', async () => {
    upstream.script = (_request, response) =>
      void response.writeHead(200, SSE).write(chatChunk({ role: 'assistant', content: 'one' }));
    const controller = new AbortController();
    const reply = await rig.post('/v1/completions', params, { signal: controller.signal });
    await reply.body?.getReader().read();
    controller.abort();
    await expect.poll(() => upstream.disconnects).toBe(1);
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('a disconnected client', () => {
  it('aborts the calls of all prompts', async () => {
    upstream.script = () => undefined;
    const controller = new AbortController();
    const prompt = ['a', 'b', 'c'];
    const response = rig.post('/v1/completions', { model: 'by-chat', prompt }, { signal: controller.signal });
    await expect.poll(() => upstream.requests).toHaveLength(3);
    controller.abort();
    await expect(response).rejects.toThrow();
    await expect.poll(() => upstream.disconnects).toBe(3);
  });
});

describe('an upstream with a completions endpoint', () => {
  const completeResponse = {
    id: 'cmpl-theirs',
    object: 'text_completion',
    created: 1,
    model: 'davinci-2',
    choices: [{ text: 'x', index: 0, logprobs: { tokens: ['x'] }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  };

  it("receives the client's request unchanged, and its response is relayed", async () => {
    upstream.script = (_request, response) => sendJson(response, 200, completeResponse);
    const body =
      '{"model":"by-legacy","prompt":[[1,2],[3]],"suffix":"end","logprobs":2,"best_of":3,"unknown_field":1.0}';
    const reply = await rig.post('/v1/completions', body);
    expect(await reply.json()).toEqual({ ...completeResponse, model: 'by-legacy' });
    expect(upstream.requests[0]?.path).toBe('/legacy/v1/completions');
    expect(upstream.requests[0]?.raw).toBe(body.replace('"by-legacy"', '"davinci"'));
  });

  it('has its stream relayed', async () => {
    upstream.script = (_request, response) => {
      response.writeHead(200, SSE).end(`data: ${JSON.stringify(completeResponse)}\n\ndata: [DONE]\n\n`);
    };
    const reply = await complete({ model: 'by-legacy', prompt: 'a', stream: true });
    const frames = framesOf(await reply.text());
    expect(frames.at(-1)).toBe('[DONE]');
    expect(frames[0]).toMatchObject({ id: 'cmpl-theirs', model: 'by-legacy', choices: [{ text: 'x' }] });
    expect(upstream.requests[0]?.body).toMatchObject({ stream: true });
  });

  it('uses chat for chat clients', async () => {
    upstream.script = (_request, response) => sendJson(response, 200, chatResponse('hi'));
    const messages = [{ role: 'user', content: 'hi' }];
    expect((await rig.post('/v1/chat/completions', { model: 'by-legacy', messages })).status).toBe(200);
    expect(upstream.requests[0]?.path).toBe('/legacy/v1/chat/completions');
  });
});
