import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect } from './clients/collect.ts';
import { TOOLS } from './conversation.ts';
import { UPSTREAMS } from './pairs.ts';
import { KEY, OTHER_KEY, startTextStack, type TextStack } from './text-stack.ts';

let stack: TextStack;
let openai: OpenAI;
let otherKey: OpenAI;
beforeAll(async () => {
  stack = await startTextStack();
  const baseURL = `${stack.origin}/v1`;
  openai = new OpenAI({ baseURL, apiKey: KEY });
  otherKey = new OpenAI({ baseURL, apiKey: OTHER_KEY });
});
afterAll(() => stack.close());

const UNKNOWN_PREVIOUS = { status: 400, code: 'previous_response_not_found', param: 'previous_response_id' };

describe.each(UPSTREAMS)('stored responses, over $model', ({ model }) => {
  it('continue from the previous response, three times', async () => {
    const first = await openai.responses.create({ model, input: 'one' });
    const second = await openai.responses.create({ model, input: 'two', previous_response_id: first.id });
    const third = await openai.responses.create({ model, input: 'three', previous_response_id: second.id });
    expect(third).toMatchObject({ output_text: 'You said: three', previous_response_id: second.id, model });
    // Each user turn has one token, and each model turn has three.
    expect(third.usage?.input_tokens).toBe(3 + 2 * 3);
    expect(new Set([first.id, second.id, third.id]).size).toBe(3);
  });

  it('continue after a stream, twice from the same response', async () => {
    const stream = openai.responses.stream({ model, input: 'one' });
    const first = await stream.finalResponse();
    for (const word of ['left', 'right']) {
      const next = openai.responses.stream({ model, input: word, previous_response_id: first.id });
      const { output_text: text, usage } = await next.finalResponse();
      expect(text).toBe(`You said: ${word}`);
      expect(usage?.input_tokens).toBe(1 + 3 + 1);
    }
  });

  it('continue from tool results only', async () => {
    const tools = TOOLS.map(({ name, description, schema: parameters }) => ({
      type: 'function' as const,
      name,
      description,
      parameters,
      strict: true,
    }));
    const first = await openai.responses.create({ model, tools, input: '[think] [tool:get_weather] [tool:show_map]' });
    const calls = first.output.filter((item) => item.type === 'function_call');
    expect(calls.map(({ name }) => name)).toEqual(['get_weather', 'show_map']);
    const second = await openai.responses.create({
      model,
      tools,
      previous_response_id: first.id,
      input: calls.map(({ call_id, name }) => ({ type: 'function_call_output', call_id, output: `of ${name}` })),
    });
    expect(second.output_text).toContain('The tool get_weather answered: of get_weather');
    expect(second.output_text).toContain('The tool show_map answered: of show_map');
  });

  it('can be retrieved with their input', async () => {
    const created = await openai.responses.create({ model, input: 'remember me', metadata: { topic: 'state' } });
    expect(created.status).toBe('completed');
    const read = await openai.responses.retrieve(created.id);
    expect(read).toMatchObject({ id: created.id, model, status: 'completed', metadata: { topic: 'state' } });
    expect(read.output).toEqual(created.output);
    expect(read.usage).toEqual(created.usage);
    const [item, ...others] = await collect(openai.responses.inputItems.list(created.id));
    expect(others).toEqual([]);
    expect(item).toMatchObject({
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: 'remember me' }],
    });
    expect(item?.id).toMatch(/^msg_/);
  });

  it('list their input page by page, in both orders', async () => {
    const input = ['a', 'b', 'c'].map((content) => ({ role: 'user' as const, content }));
    const { id } = await openai.responses.create({ model, input });
    const texts = async (order: 'asc' | 'desc') => {
      const items = await collect(openai.responses.inputItems.list(id, { order, limit: 2 }));
      return items.map((item) => ('content' in item ? item.content?.[0] : undefined));
    };
    const expected = ['a', 'b', 'c'].map((text) => expect.objectContaining({ text }) as unknown);
    expect(await texts('asc')).toEqual(expected);
    expect(await texts('desc')).toEqual(expected.toReversed());
  });

  it('do not exist after their deletion', async () => {
    const { id } = await openai.responses.create({ model, input: 'forget me' });
    await openai.responses.delete(id);
    await expect(openai.responses.retrieve(id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(openai.responses.delete(id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(collect(openai.responses.inputItems.list(id))).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    const next = openai.responses.create({ model, input: 'more', previous_response_id: id });
    await expect(next).rejects.toMatchObject(UNKNOWN_PREVIOUS);
  });

  it('do not exist for another key', async () => {
    const { id } = await openai.responses.create({ model, input: 'mine' });
    await expect(otherKey.responses.retrieve(id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(otherKey.responses.delete(id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(collect(otherKey.responses.inputItems.list(id))).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    const next = otherKey.responses.create({ model, input: 'more', previous_response_id: id });
    await expect(next).rejects.toMatchObject(UNKNOWN_PREVIOUS);
    expect((await openai.responses.retrieve(id)).id).toBe(id);
  });

  it('are not stored if store is false', async () => {
    const { id } = await openai.responses.create({ model, input: 'do not keep me', store: false });
    await expect(openai.responses.retrieve(id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    const next = openai.responses.create({ model, input: 'more', previous_response_id: id });
    await expect(next).rejects.toMatchObject(UNKNOWN_PREVIOUS);
  });

  it('cannot be streamed again unless they run in the background', async () => {
    const { id } = await openai.responses.create({ model, input: 'done' });
    await expect(openai.responses.retrieve(id, { stream: true })).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  });

  it('cannot be canceled unless they run in the background', async () => {
    const { id } = await openai.responses.create({ model, input: 'done' });
    await expect(openai.responses.cancel(id)).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  });
});

describe.each(UPSTREAMS)('a compacted conversation, over $model', ({ model }) => {
  const input = Array.from({ length: 10 }, (_, at) => [
    { role: 'user' as const, content: `question ${at} ${'with many words '.repeat(20)}` },
    { role: 'assistant' as const, content: `answer ${at} ${'with many words '.repeat(20)}` },
  ]).flat();

  it('continues from the output, which is shorter than the conversation', async () => {
    const compacted = await openai.responses.compact({ model, input });
    expect(compacted.object).toBe('response.compaction');
    expect(compacted.output.some(({ type }) => type === 'compaction')).toBe(true);
    // The cast is safe because the output is valid as input, although the types differ.
    const items = compacted.output as OpenAI.Responses.ResponseInputItem[];
    const next = await openai.responses.create({ model, input: [...items, { role: 'user', content: 'and now' }] });
    // In some protocols, the retained user turns are merged with the new turn.
    expect(next.output_text).toContain('and now');
    const complete = await openai.responses.create({ model, input: [...input, { role: 'user', content: 'and now' }] });
    expect(next.usage?.input_tokens).toBeLessThan(complete.usage?.input_tokens ?? 0);
    expect(next.usage?.input_tokens).toBeGreaterThan(2);
  });

  it('can be a stored conversation', async () => {
    const { id } = await openai.responses.create({ model, input: [...input, { role: 'user', content: 'remember' }] });
    const compacted = await openai.responses.compact({ model, previous_response_id: id });
    // The cast is safe because the output is valid as input, although the types differ.
    const items = compacted.output as OpenAI.Responses.ResponseInputItem[];
    const next = await openai.responses.create({ model, input: [...items, { role: 'user', content: 'and now' }] });
    expect(next.output_text).toContain('and now');
  });
});
