import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEYS } from '../../../test/api-rig.ts';
import { type ScriptedUpstream, scriptedUpstream, sendJson, type TextRig, textRig } from '../../../test/text-rig.ts';
import { message, sendEvents, vendorConfig } from '../../../test/vendor.ts';

let upstream: ScriptedUpstream;
let rig: TextRig;

const thinking = { type: 'thinking', thinking: 'a map would help', signature: 'c2lnbmVkIGJ5IHRoZW0=' };
const call = { type: 'tool_use', id: 'toolu_1', name: 'show_map', input: { of: 'Bonn' } };

beforeEach(async () => {
  upstream = await scriptedUpstream(({ body }, response) => {
    if (body['stream'] !== true) return sendJson(response, 200, message([thinking, call], 'tool_use'));
    sendEvents(response, [
      { type: 'message_start', message: { ...message([]), stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: thinking.thinking } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: thinking.signature } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { ...call, input: {} } },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"of":"Bonn"}' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 2 } },
      { type: 'message_stop' },
    ]);
  });
  rig = await textRig(vendorConfig(upstream.url));
});
afterEach(async () => {
  await rig.close();
  await upstream.close();
});

const tools = [{ type: 'function', function: { name: 'show_map', parameters: { type: 'object', properties: {} } } }];
const common = { model: 'by-messages', tools, reasoning_effort: 'low', max_tokens: 9_000 };
const request = { role: 'user', content: 'where is it?' };

/** Runs a chat client's first turn, which ends in a tool call. @returns the call's id */
async function firstTurn(stream: boolean): Promise<string> {
  const reply = await rig.post('/v1/chat/completions', { ...common, stream, messages: [request] });
  const id = /"id":"(toolu_1|call_[^"]*)"/.exec(await reply.text())?.[1];
  expect(reply.status).toBe(200);
  return id ?? '';
}

function secondTurn(id: string, key: string): Promise<Response> {
  const calls = [{ id, type: 'function', function: { name: 'show_map', arguments: '{"of":"Bonn"}' } }];
  const messages = [
    request,
    { role: 'assistant', content: null, tool_calls: calls },
    { role: 'tool', tool_call_id: id, content: 'a map' },
  ];
  return rig.post('/v1/chat/completions', { ...common, messages }, { headers: { authorization: `Bearer ${key}` } });
}

describe.each([false, true])('reasoning before a call, streamed: %s', (stream) => {
  it('is restored with its signature for a chat client that cannot carry it', async () => {
    const id = await firstTurn(stream);
    expect((await secondTurn(id, KEYS.alice)).status).toBe(200);
    const turns = upstream.requests.at(-1)?.body['messages'] as { role: string; content: unknown[] }[];
    expect(turns[1]).toMatchObject({ role: 'assistant', content: [thinking, { type: 'tool_use', name: 'show_map' }] });
  });

  it('is not available to another key', async () => {
    const id = await firstTurn(stream);
    expect((await secondTurn(id, KEYS.bob)).status).toBe(200);
    expect(upstream.requests.at(-1)?.raw).not.toContain(thinking.signature);
  });
});

describe('a messages client without thinking', () => {
  const inputSchema = { type: 'object', properties: {} };
  const body = { model: 'by-responses', max_tokens: 9_000, tools: [{ name: 'show_map', input_schema: inputSchema }] };

  it('receives no thinking, and the upstream receives its reasoning in the next turn', async () => {
    upstream.script = (_request, response) =>
      sendJson(response, 200, {
        id: 'resp_1',
        object: 'response',
        status: 'completed',
        model: 'gpt-5',
        output: [
          { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'ENCRYPTED' },
          { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'show_map', arguments: '{}' },
        ],
        usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
      });
    const first = await rig.post('/v1/messages', { ...body, messages: [request] });
    const { content } = (await first.json()) as { content: { type: string; id: string }[] };
    expect(content).toMatchObject([{ type: 'tool_use' }]);
    const result = { type: 'tool_result', tool_use_id: content[0]?.id, content: 'a map' };
    const messages = [request, { role: 'assistant', content }, { role: 'user', content: [result] }];
    expect((await rig.post('/v1/messages', { ...body, messages })).status).toBe(200);
    expect(upstream.requests.at(-1)?.raw).toContain('"encrypted_content":"ENCRYPTED"');
  });
});

it('continues the conversation without unknown reasoning', async () => {
  expect((await secondTurn('call_of_yesterday', KEYS.alice)).status).toBe(200);
  expect(upstream.requests.at(-1)?.raw).not.toContain('"thinking","thinking"');
});
