import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closedObject, uniqueWord, userTurn } from './conversation.ts';
import { PAIRS } from './pairs.ts';
import type { Protocol } from './clients/text-client.ts';
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

/** The object that the sandbox generates for this schema. */
const RESULT = { city: 'text', degrees: 1, days: [{ date: '2026-01-02', warm: true }] };

/** If a messages model is unknown, it may not support output formats. The gateway then forces a tool call instead. */
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
  it('is parsed by the SDK and matches its schema', async () => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const reply = await client.create({ model: upstream.model, schema: SCHEMA, turns: [userTurn('the weather')] });
    expect(reply).toMatchObject({ parsed: RESULT, finish: 'stop', calls: [] });
    expect(JSON.parse(reply.text)).toEqual(RESULT);
  });

  it('is the same when streamed', async () => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const reply = await client.stream({ model: upstream.model, schema: SCHEMA, turns: [userTurn('the weather')] });
    expect(JSON.parse(reply.chunks.join(''))).toEqual(RESULT);
    expect(reply.parsed).toEqual(RESULT);
  });

  it('is requested with the vendor’s own fields', async () => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const word = uniqueWord();
    await client.create({ model: upstream.model, schema: SCHEMA, turns: [userTurn(word)] });
    const [seen] = await stack.seen(word);
    expect(seen?.body).toMatchObject(fieldsOf(kind.protocol, upstream.protocol));
  });
});
