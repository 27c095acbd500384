import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOf, model, TOOLS, tools, uniqueWord, user } from './conversation.ts';
import { PAIRS, PIXEL, type UpstreamModel } from './pairs.ts';
import { expectOrder } from './stream-order.ts';
import type { ClientKind, Protocol } from './text-client.ts';
import { KEY, startTextStack, type TextStack } from './text-stack.ts';

let stack: TextStack;
beforeAll(async () => {
  stack = await startTextStack();
});
afterAll(() => stack.close());

/** The sandbox's older Gemini gives its calls no ids, and equal ends are relayed. */
function areUnnamed(client: ClientKind, upstream: UpstreamModel): boolean {
  return client.protocol === 'generative-content' && upstream.protocol === 'generative-content';
}

/** Whether a protocol can say that a tool's result is an error. */
function hasMark(protocol: Protocol): boolean {
  return protocol === 'messages' || protocol === 'generative-content';
}

/** Where the client's protocol has no mark for errors but the upstream's has, the words alone can tell. */
function verbOf({ protocol }: ClientKind, upstream: UpstreamModel): string {
  return hasMark(upstream.protocol) && !hasMark(protocol) ? 'answered: Error' : 'failed';
}

describe.each(PAIRS)('$pair: tools', ({ client: kind, upstream }) => {
  it.each(['ask', 'stream'] as const)('calls two at once and receives an error and an image (%s)', async (way) => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const request = { model: upstream.model, tools: TOOLS };
    const params = user('[tool:get_weather {"city":"Zürich","days":7}] [tool:show_map] please');

    const reply = await client[way]({ ...request, turns: [params] });
    expect(reply.finish).toBe('tools');
    expect(reply.calls.map(({ name, args }) => ({ name, args }))).toEqual([
      { name: 'get_weather', args: { city: 'Zürich', days: 7 } },
      { name: 'show_map', args: { city: 'text' } },
    ]);
    if (!areUnnamed(kind, upstream)) expect(new Set(reply.calls.map(({ id }) => id)).size).toBe(2);
    for (const { id } of reply.calls) expect(id).toMatch(areUnnamed(kind, upstream) ? /^$/ : /^[\w-]{1,64}$/);
    if ('frames' in reply) expectOrder(kind.protocol, reply.frames as unknown[]); // of a StreamedReply

    const outcomes = tools(
      { call: callOf(reply, 'get_weather'), text: 'the station is closed', isError: true },
      { call: callOf(reply, 'show_map'), text: 'a map of Zürich', image: PIXEL },
    );
    const response = await client[way]({ ...request, turns: [params, model(reply), outcomes] });
    expect(response.finish).toBe('stop');
    expect(response.text).toMatch(
      new RegExp(`^The tool get_weather ${verbOf(kind, upstream)}: .*the station is closed`),
    );
    expect(response.text).toContain('The tool show_map answered: ');
    expect(response.text).toContain('a map of Zürich');
    // Chat completions accepts no images from tools.
    if (kind.protocol !== 'chat-completions') expect(response.text).toContain('I see 1 image.');
    else expect(response.text).not.toContain('image');
  });

  it.each(['ask', 'stream'] as const)('takes results in another order than the calls (%s)', async (way) => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const request = { model: upstream.model, tools: TOOLS };
    const params = user('[tool:get_weather] [tool:show_map] please');
    const reply = await client[way]({ ...request, turns: [params] });
    const outcomes = tools(
      { call: callOf(reply, 'show_map'), text: 'second' },
      { call: callOf(reply, 'get_weather'), text: 'first' },
    );
    const { text } = await client[way]({ ...request, turns: [params, model(reply), outcomes] });
    expect(text).toContain('The tool get_weather answered: first');
    expect(text).toContain('The tool show_map answered: second');
  });

  it('sends the tools’ schemas on as they are', async () => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const word = uniqueWord();
    await client.ask({ model: upstream.model, tools: TOOLS, turns: [user(word)] });
    const [seen] = await stack.seen(word);
    const body = JSON.stringify(seen?.body);
    for (const { name, description, schema } of TOOLS) {
      expect(body).toContain(JSON.stringify(name));
      expect(body).toContain(JSON.stringify(description));
      expect(body).toContain(JSON.stringify(schema['properties']));
    }
  });

  it('goes on without a call when the tools are not needed', async () => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const reply = await client.ask({ model: upstream.model, tools: TOOLS, turns: [user('no tool')] });
    expect(reply).toMatchObject({ text: 'You said: no tool', finish: 'stop', calls: [] });
  });
});
