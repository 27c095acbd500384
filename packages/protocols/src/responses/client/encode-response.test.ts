import type { ContentBlock, FinishReason, Generation, TextTarget } from '@sluice/canonical';
import type { Response as SdkResponse, ResponseUsage } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import { createTokenCodec } from '../../text/token-codec.ts';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { decodeRequest } from './decode-request.ts';
import { decodeResponse } from '../upstream/decode-response.ts';
import { encodeResponse, outputItems } from './encode-response.ts';
import { ResponseSchema } from '../wire/schema.ts';
import type { JsonObject } from '../../json/values.ts';

const tokenCodec = createTokenCodec('secret');
let idCount = 0;

function contextOf(
  body: JsonObject = {},
  request: Partial<ResponseContext['request']> = {},
  responseId?: string,
): ResponseContext {
  return {
    request: { protocol: 'responses', model: 'requested-model', stream: false, messages: [], tools: [], ...request },
    body,
    createdAt: 1_790_000_000,
    newId: (prefix) => `${prefix}${String(idCount++).padStart(32, '0')}`,
    tokenCodec,
    ...(responseId !== undefined && { responseId }),
  };
}

function generationOf(content: ContentBlock[], finish: FinishReason = 'stop'): Generation {
  const usage = { inputTokens: 10, outputTokens: 5, cachedTokens: 4, reasoningTokens: 3, audioInputTokens: 1 };
  return { id: 'chatcmpl-1', model: 'upstream-model', choices: [{ content, finish }], usage };
}

/** Fields that Open Responses requires, which are null if unknown. */
const REQUIRED =
  `id object created_at completed_at status incomplete_details model previous_response_id instructions output
  error tools tool_choice truncation parallel_tool_calls text top_p presence_penalty frequency_penalty top_logprobs
  temperature reasoning user usage max_output_tokens max_tool_calls store background service_tier metadata
  safety_identifier prompt_cache_key`.split(/\s+/);

const text: ContentBlock = { type: 'text', text: 'Hi' };
const call: ContentBlock = { type: 'tool-call', callId: 'call_1', name: 'f', kind: 'function', arguments: '{}' };
const opaqueToken = { protocol: 'generative-content' as const, account: 'acct', model: 'gemini', value: 'c2ln' };

const refused = (block: ContentBlock) => encodeResponse(generationOf([block], 'refusal'), contextOf());

describe('encodeResponse', () => {
  it('has every field that Open Responses requires, with any client settings', () => {
    const response = encodeResponse(generationOf([text]), contextOf());
    expect(Object.keys(response)).toEqual(expect.arrayContaining(REQUIRED));
    expect(ResponseSchema.parse(response)).toEqual(response);
    expect(response).toMatchObject({
      object: 'response',
      created_at: 1_790_000_000,
      status: 'completed',
      model: 'requested-model',
      tool_choice: 'auto',
      temperature: 1,
      text: { format: { type: 'text' } },
    } satisfies Partial<SdkResponse>);
    expect(response['output_text']).toBeUndefined();
  });

  it('reports the completion time only for a completed response', () => {
    const context = { ...contextOf(), now: () => 1_790_000_007 };
    expect(encodeResponse(generationOf([text]), context)['completed_at']).toBe(1_790_000_007);
    expect(encodeResponse(generationOf([text], 'length'), context)['completed_at']).toBeNull();
    expect(encodeResponse(generationOf([], 'other'), context)['completed_at']).toBeNull();
    expect(encodeResponse(generationOf([text]), contextOf())['completed_at']).toBeNull();
  });

  it('repeats the client’s settings', () => {
    const body = {
      instructions: 'Be kind.',
      temperature: 0.2,
      tools: [{ type: 'function', name: 'f' }, { type: 'web_search' }],
      tool_choice: 'required',
      text: { verbosity: 'low' },
      reasoning: { effort: 'low' },
      store: false,
      previous_response_id: 'resp_0',
      metadata: { a: 'b' },
      conversation: 'conv_1',
      top_p: null,
    };
    expect(encodeResponse(generationOf([text]), contextOf(body))).toMatchObject({
      ...body,
      tools: [
        { type: 'function', name: 'f', description: null, parameters: null, strict: null },
        { type: 'web_search' },
      ],
      text: { verbosity: 'low', format: { type: 'text' } },
      reasoning: { effort: 'low', summary: null },
      conversation: { id: 'conv_1' },
      top_p: 1,
    });
  });

  it('reports usage under both sets of field names', () => {
    const { usage } = encodeResponse(generationOf([text]), contextOf());
    expect(usage).toEqual({
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 3 },
      total_tokens: 15,
      prompt_tokens: 10,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 4, text_tokens: 9, audio_tokens: 1 },
      completion_tokens_details: { reasoning_tokens: 3 },
    } satisfies ResponseUsage & JsonObject);
  });

  it('uses the id that the gateway assigned, or a new one', () => {
    expect(encodeResponse(generationOf([text]), contextOf({}, {}, 'resp_x')).id).toBe('resp_x');
    expect(encodeResponse(generationOf([text]), contextOf()).id).toMatch(/^resp_/);
  });

  it('assigns items an id with their type’s prefix, and derives a call’s item id from its call id', () => {
    const thought: ContentBlock = { type: 'reasoning', text: ['Hm'], isSummary: true };
    const custom: ContentBlock = { ...call, callId: 'call_2', kind: 'custom' };
    const ids = (responseId: string) =>
      outputItems(generationOf([thought, text, call, custom]), contextOf({}, {}, responseId)).map(({ id }) =>
        String(id),
      );
    const [reasoning, message, fn, ctc] = ids('resp_a');
    expect(reasoning).toMatch(/^rs_[0-9a-f]{32}$/);
    expect(message).toMatch(/^msg_[0-9a-f]{32}$/);
    expect(fn).toMatch(/^fc_[0-9a-f]{32}$/);
    expect(ctc).toMatch(/^ctc_[0-9a-f]{32}$/);
    expect(ids('resp_a')).toEqual([reasoning, message, fn, ctc]);
    const others = ids('resp_b');
    expect(others[1]).not.toBe(message);
    expect(others[2]).toBe(fn);
  });

  it.each([
    ['stop', 'completed', null],
    ['tool_calls', 'completed', null],
    ['pause', 'completed', null],
    ['other', 'completed', null],
    ['length', 'incomplete', { reason: 'max_output_tokens' }],
    ['context_window', 'incomplete', { reason: 'max_output_tokens' }],
    ['content_filter', 'incomplete', { reason: 'content_filter' }],
  ] as const)('reports the finish %s as %s', (finish, status, details) => {
    const response = encodeResponse(generationOf([text], finish), contextOf());
    expect(response).toMatchObject({ status, incomplete_details: details, error: null });
  });

  it('reports a refusal as complete only if the response contains it', () => {
    expect(refused({ type: 'refusal', text: 'No.' })).toMatchObject({ status: 'completed', incomplete_details: null });
    expect(refused(text)).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'content_filter' } });
  });

  it('does not report an empty response as complete', () => {
    expect(encodeResponse(generationOf([], 'refusal'), contextOf()).status).toBe('incomplete');
    expect(encodeResponse(generationOf([], 'other'), contextOf())).toMatchObject({
      status: 'failed',
      error: { code: 'server_error' },
    });
  });

  it('restores foreign items of the same protocol and omits others', () => {
    const raw = { type: 'web_search_call', id: 'ws_1', status: 'completed' };
    const hostedCall: ContentBlock = { type: 'foreign', protocol: 'responses', kind: 'web_search_call', raw };
    const { output } = encodeResponse(generationOf([hostedCall, { ...hostedCall, protocol: 'messages' }]), contextOf());
    expect(output).toEqual([raw]);
  });
});

const back = (content: ContentBlock[], visible?: 'none' | 'summary'): readonly ContentBlock[] => {
  const reasoning = visible ? { reasoning: { visible } } : {};
  const items = outputItems(generationOf(content), contextOf({}, reasoning, 'resp_1'));
  // Codex sends null instead of the thoughts.
  const input = structuredClone(items);
  for (const item of input) if (item['type'] === 'reasoning') item['content'] = null;
  const request = decodeRequest({ body: { input }, model: 'm', stream: false, tokenCodec, report: () => {} });
  return request.messages.flatMap((message) => message.content);
};

describe('reasoning for a client', () => {
  const thought: ContentBlock = {
    type: 'reasoning',
    text: ['Hm.'],
    isSummary: false,
    opaqueToken: { ...opaqueToken, protocol: 'messages' },
  };

  it.each([undefined, 'none', 'summary'] as const)(
    'preserves a vendor’s reasoning exactly if shown as %s',
    (visible) => {
      expect(back([thought, text], visible)).toMatchObject([{ text: ['Hm.'], opaqueToken: { value: 'c2ln' } }, text]);
    },
  );

  it.each([undefined, 'none', 'summary'] as const)(
    'preserves reasoning without an opaque token, shown as %s',
    (visible) => {
      const open: ContentBlock = { type: 'reasoning', text: ['Hm.', 'So.'], isSummary: false };
      const [first, ...rest] = back([open, call], visible);
      expect(first).toMatchObject({ type: 'reasoning', text: ['Hm.', 'So.'] });
      expect(first).toMatchObject({ opaqueToken: undefined });
      expect(rest).toEqual([call]);
    },
  );

  it('omits a vendor’s summary from the wrapped token', () => {
    const summary: ContentBlock = { type: 'reasoning', text: ['Hm.'], isSummary: true };
    const items = outputItems(generationOf([summary]), contextOf({}, {}, 'resp_1'));
    expect(items[0]?.['encrypted_content']).toBeUndefined();
  });

  it('preserves a vendor’s hidden reasoning', () => {
    const redacted: ContentBlock = { ...thought, text: [], redacted: true };
    expect(back([redacted, text])).toMatchObject([{ redacted: true, text: [], opaqueToken: { value: 'c2ln' } }, text]);
  });

  it('preserves separate opaque tokens of calls and texts', () => {
    const content: ContentBlock[] = [
      { ...text, opaqueToken },
      { ...call, opaqueToken },
      { ...call, callId: 'call_2' },
      { type: 'text', text: '', opaqueToken },
    ];
    expect(back(content)).toEqual(content);
  });
});

it('returns the response of an upstream with this protocol unchanged', () => {
  const target: TextTarget = { upstream: 'u', account: 'a', protocol: 'responses', model: 'm', quirks: {} };
  const content: ContentBlock[] = [{ type: 'reasoning', text: ['Hm'], isSummary: true }, text, call];
  const first = encodeResponse(generationOf(content, 'tool_calls'), contextOf({}, {}, 'resp_1'));
  const read = decodeResponse(first, { target, newId: (prefix) => prefix });
  expect(encodeResponse(read, contextOf({}, {}, 'resp_1'))).toEqual(first);
});
