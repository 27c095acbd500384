import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closedObject, uniqueWord, user } from './conversation.ts';
import { PAIRS } from './pairs.ts';
import type { Protocol } from './text-client.ts';
import { KEY, startTextStack, type TextStack } from './text-stack.ts';

let stack: TextStack;
beforeAll(async () => {
  stack = await startTextStack();
});
afterAll(() => stack.close());

const SCHEMA = closedObject({
  city: { type: 'string' },
  degrees: { type: 'number' },
  days: { type: 'array', items: closedObject({ date: { type: 'string', format: 'date' }, warm: { type: 'boolean' } }) },
});

/** The sandbox's result for the schema. */
const ANSWER = { city: 'text', degrees: 1, days: [{ date: '2026-01-02', warm: true }] };

/** A messages model with an unknown name gets a forced tool, since not all of them have a field for it. */
function fieldsOf(client: Protocol, upstream: Protocol): object {
  switch (upstream) {
    case 'chat-completions':
      return { response_format: { type: 'json_schema' } };
    case 'responses':
      return { text: { format: { type: 'json_schema' } } };
    case 'messages':
      return client === 'messages'
        ? { output_config: { format: { type: 'json_schema' } } }
        : { tools: [{ input_schema: SCHEMA }], tool_choice: { type: 'tool' } };
    case 'generative-content':
      return { generationConfig: { responseMimeType: 'application/json' } };
  }
}

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
    expect(JSON.parse(reply.chunks.join(''))).toEqual(ANSWER);
    expect(reply.parsed).toEqual(ANSWER);
  });

  it('is requested in the vendor’s own way', async () => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const word = uniqueWord();
    await client.ask({ model: upstream.model, schema: SCHEMA, turns: [user(word)] });
    const [seen] = await stack.seen(word);
    expect(seen?.body).toMatchObject(fieldsOf(kind.protocol, upstream.protocol));
  });
});
