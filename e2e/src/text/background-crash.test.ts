import OpenAI from 'openai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { KEY, type Stack, startStack, VENDOR_KEY } from '../stack.ts';

/** A dead worker is replaced after its lease of 30 s. */
const TIMEOUT_MS = 120_000;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({
    configFor: (sandboxUrl) => ({
      upstreams: { chat: { kind: 'chat-completions', base_url: `${sandboxUrl}/v1`, api_key: VENDOR_KEY } },
      models: [{ id: 'text', routes: [{ upstream: 'chat', model: 'sandbox-chat' }] }],
    }),
  });
});
afterAll(() => stack.close());

const client = () => new OpenAI({ apiKey: KEY, baseURL: `${stack.origin}/v1`, maxRetries: 0 });

it(
  'background responses survive kill -9 of the API and of the worker during the call, and their streams resume',
  async () => {
    const seen: OpenAI.Responses.ResponseStreamEvent[] = [];
    let id = '';
    const params = { model: 'text', input: 'think [slow:4]', background: true, stream: true } as const;
    for await (const event of await client().responses.create(params)) {
      seen.push(event);
      if (event.type === 'response.created') ({ id } = event.response);
      if (event.type === 'response.queued') break;
    }
    await expect.poll(async () => (await client().responses.retrieve(id)).status).toBe('in_progress');
    await Promise.all([stack.api.kill(), stack.workers.at(-1)?.kill()]);
    await Promise.all([stack.startApi(), stack.startWorker()]);
    expect((await client().responses.retrieve(id)).status).toBe('in_progress');

    const after = seen.at(-1)?.sequence_number ?? -1;
    for await (const event of await client().responses.retrieve(id, { stream: true, starting_after: after })) {
      seen.push(event);
    }
    expect(seen.at(-1)?.type).toBe('response.completed');
    expect(seen.map((event) => event.sequence_number)).toEqual(seen.map((_, number) => number));
    const whole: OpenAI.Responses.ResponseStreamEvent[] = [];
    for await (const event of await client().responses.retrieve(id, { stream: true })) whole.push(event);
    expect(seen).toEqual(whole);
    const { status, output_text: text } = await client().responses.retrieve(id);
    expect([status, text === '']).toEqual(['completed', false]);
  },
  TIMEOUT_MS,
);
