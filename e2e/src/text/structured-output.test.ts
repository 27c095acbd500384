import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closedObject, uniqueWord, user } from './conversation.ts';
import { PAIRS } from './pairs.ts';
import { KEY, startTextStack, type TextStack } from './text-stack.ts';

let stack: TextStack;
beforeAll(async () => {
  stack = await startTextStack();
});
afterAll(() => stack.close());

const SCHEMA = closedObject({
  city: { type: 'string' },
  unit: { type: 'string', enum: ['celsius', 'kelvin'] },
  days: { type: 'array', items: closedObject({ date: { type: 'string', format: 'date' }, warm: { type: 'boolean' } }) },
});

/** What the sandbox makes of the schema. */
const ANSWER = { city: 'text', unit: 'celsius', days: [{ date: '2026-01-02', warm: true }] };

describe.each(PAIRS)('$pair: structured output', ({ client: kind, upstream }) => {
  it('parses, and fits the schema that the SDK sent', async () => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const reply = await client.ask({ model: upstream.model, schema: SCHEMA, turns: [user('the weather')] });
    expect(reply).toMatchObject({ parsed: ANSWER, finish: 'stop', calls: [] });
    expect(JSON.parse(reply.text)).toEqual(ANSWER);
  });

  it('is the same when it is streamed', async () => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const reply = await client.stream({ model: upstream.model, schema: SCHEMA, turns: [user('the weather')] });
    expect(JSON.parse(reply.pieces.join(''))).toEqual(ANSWER);
    expect(reply.parsed).toEqual(ANSWER);
  });

  it('is asked of the vendor in the vendor’s own way', async () => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const word = uniqueWord();
    await client.ask({ model: upstream.model, schema: SCHEMA, turns: [user(word)] });
    const [seen] = await stack.seen(word);
    const body = seen?.body as Record<string, unknown>; // checked below
    const fields = {
      'chat-completions': { response_format: { type: 'json_schema' } },
      responses: { text: { format: { type: 'json_schema' } } },
      messages: { output_config: { format: { type: 'json_schema' } } },
      'generative-content': { generationConfig: { responseMimeType: 'application/json' } },
    };
    expect(body).toMatchObject(fields[upstream.protocol]);
  });
});
