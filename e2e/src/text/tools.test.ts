import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOf, modelTurn, TOOLS, toolTurn, uniqueWord, userTurn } from './conversation.ts';
import { PAIRS, PIXEL, type UpstreamModel } from './pairs.ts';
import { expectOrder } from './stream-order.ts';
import type { ClientKind, Protocol } from './clients/text-client.ts';
import { KEY, startTextStack, type TextStack } from './text-stack.ts';

let stack: TextStack;
beforeAll(async () => {
  stack = await startTextStack();
});
afterAll(() => stack.close());

/** The sandbox's Gemini returns calls without ids. If both sides use the same protocol, the gateway adds none. */
function haveNoIds(client: ClientKind, upstream: UpstreamModel): boolean {
  return client.protocol === 'generative-content' && upstream.protocol === 'generative-content';
}

/** Whether the protocol's tool results have an error flag. */
function hasErrorFlag(protocol: Protocol): boolean {
  return protocol === 'messages' || protocol === 'generative-content';
}

/** If only the upstream's protocol has an error flag, the client can report the error only in the tool's text. */
function verbOf({ protocol }: ClientKind, upstream: UpstreamModel): string {
  return hasErrorFlag(upstream.protocol) && !hasErrorFlag(protocol) ? 'answered: Error' : 'failed';
}

describe.each(PAIRS)('$pair: tools', ({ client: kind, upstream }) => {
  it.each(['create', 'stream'] as const)(
    'calls two tools in parallel and returns an error and an image (%s)',
    async (way) => {
      const client = kind.open({ origin: stack.origin, key: KEY });
      const request = { model: upstream.model, tools: TOOLS };
      const params = userTurn('[tool:get_weather {"city":"Zürich","days":7}] [tool:show_map] please');

      const reply = await client[way]({ ...request, turns: [params] });
      expect(reply.finish).toBe('tools');
      expect(reply.calls.map(({ name, args }) => ({ name, args }))).toEqual([
        { name: 'get_weather', args: { city: 'Zürich', days: 7 } },
        { name: 'show_map', args: { city: 'text' } },
      ]);
      if (!haveNoIds(kind, upstream)) expect(new Set(reply.calls.map(({ id }) => id)).size).toBe(2);
      for (const { id } of reply.calls) expect(id).toMatch(haveNoIds(kind, upstream) ? /^$/ : /^[\w-]{1,64}$/);
      // The cast is safe because these are the frames of a StreamedReply.
      if ('frames' in reply) expectOrder(kind.protocol, reply.frames as unknown[]);

      const outcomes = toolTurn(
        { call: callOf(reply, 'get_weather'), text: 'the station is closed', isError: true },
        { call: callOf(reply, 'show_map'), text: 'a map of Zürich', image: PIXEL },
      );
      const response = await client[way]({ ...request, turns: [params, modelTurn(reply), outcomes] });
      expect(response.finish).toBe('stop');
      expect(response.text).toMatch(
        new RegExp(`^The tool get_weather ${verbOf(kind, upstream)}: .*the station is closed`),
      );
      expect(response.text).toContain('The tool show_map answered: ');
      expect(response.text).toContain('a map of Zürich');
      // In chat completions, tool results cannot contain images.
      if (kind.protocol !== 'chat-completions') expect(response.text).toContain('I see 1 image.');
      else expect(response.text).not.toContain('image');
    },
  );

  it.each(['create', 'stream'] as const)('accepts results in another order than the calls (%s)', async (way) => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const request = { model: upstream.model, tools: TOOLS };
    const params = userTurn('[tool:get_weather] [tool:show_map] please');
    const reply = await client[way]({ ...request, turns: [params] });
    const outcomes = toolTurn(
      { call: callOf(reply, 'show_map'), text: 'second' },
      { call: callOf(reply, 'get_weather'), text: 'first' },
    );
    const { text } = await client[way]({ ...request, turns: [params, modelTurn(reply), outcomes] });
    expect(text).toContain('The tool get_weather answered: first');
    expect(text).toContain('The tool show_map answered: second');
  });

  it('forwards the schemas of tools unchanged', async () => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const word = uniqueWord();
    await client.create({ model: upstream.model, tools: TOOLS, turns: [userTurn(word)] });
    const [seen] = await stack.seen(word);
    const body = JSON.stringify(seen?.body);
    for (const { name, description, schema } of TOOLS) {
      expect(body).toContain(JSON.stringify(name));
      expect(body).toContain(JSON.stringify(description));
      expect(body).toContain(JSON.stringify(schema['properties']));
    }
  });

  it('responds without a call if no tool is needed', async () => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const reply = await client.create({ model: upstream.model, tools: TOOLS, turns: [userTurn('no tool')] });
    expect(reply).toMatchObject({ text: 'You said: no tool', finish: 'stop', calls: [] });
  });
});
