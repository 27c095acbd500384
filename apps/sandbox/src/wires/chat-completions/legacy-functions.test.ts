import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const weather = {
  name: 'weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
type Params = Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>;

const client = () => new OpenAI({ baseURL: `${sandbox.url}/v1`, apiKey: 'sk-sandbox', maxRetries: 0 });
const params = (more: Params) => ({
  model: 'm',
  messages: [{ role: 'user' as const, content: 'weather in Paris' }],
  functions: [weather],
  ...more,
});
const create = (more: Params) => client().chat.completions.create(params(more));

describe('functions of chat completions', () => {
  it('calls one function, and reads its result', async () => {
    const first = (await create({ function_call: { name: 'weather' } })).choices[0];
    expect(first).toMatchObject({ finish_reason: 'function_call', message: { function_call: { name: 'weather' } } });
    expect(first?.message.tool_calls).toBeUndefined();
    const call = first?.message.function_call ?? { name: '', arguments: '' };
    expect(JSON.parse(call.arguments)).toEqual({ city: expect.any(String) });

    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'user', content: 'weather in Paris' },
      { role: 'assistant', function_call: call },
      { role: 'function', name: 'weather', content: 'sunny' },
    ];
    const second = (await create({ messages })).choices[0];
    expect(second).toMatchObject({ finish_reason: 'stop', message: { content: expect.stringContaining('sunny') } });
  });

  it('streams the function call', async () => {
    const stream = await client().chat.completions.create({
      ...params({ function_call: { name: 'weather' } }),
      stream: true,
    });
    const choices: OpenAI.ChatCompletionChunk.Choice[] = [];
    for await (const chunk of stream) choices.push(...chunk.choices);
    const calls = choices.flatMap(({ delta }) => delta.function_call ?? []);
    expect(calls[0]).toEqual({ name: 'weather', arguments: '' });
    expect(JSON.parse(calls.map((call) => call.arguments).join(''))).toEqual({ city: expect.any(String) });
    expect(choices.at(-1)?.finish_reason).toBe('function_call');
  });

  it('calls no function if function_call is none', async () => {
    expect((await create({ function_call: 'none' })).choices[0]?.finish_reason).toBe('stop');
  });

  it.each<[string, Params, string]>([
    ['a function_call without functions', { functions: undefined, function_call: 'auto' }, 'function_call'],
    ['a function_call of an unknown function', { function_call: { name: 'other' } }, 'function_call'],
    [
      'parameters that are not an object',
      { functions: [{ ...weather, parameters: { type: 'string' } }] },
      'functions[0].parameters',
    ],
  ])('rejects %s', async (_, more, param) => {
    await expect(create(more)).rejects.toMatchObject({ status: 400, param });
  });
});
