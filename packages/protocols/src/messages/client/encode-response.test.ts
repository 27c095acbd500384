import type { Message } from '@anthropic-ai/sdk/resources/messages';
import type { ContentBlock, Generation, GenerationRequest } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { createTokenCodec } from '../../text/token-codec.ts';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { encodeResponse, type WireMessage } from './encode-response.ts';
import { MessageSchema } from '../wire/schema.ts';

const request: GenerationRequest = {
  protocol: 'messages',
  model: 'client-model',
  stream: false,
  messages: [],
  tools: [],
};
const context: ResponseContext = {
  request,
  body: {},
  createdAt: 0,
  newId: (prefix) => `${prefix}new`,
  tokenCodec: createTokenCodec('secret'),
};
const generation: Generation = {
  id: 'chatcmpl-1',
  model: 'gpt-x',
  choices: [{ content: [{ type: 'text', text: 'Hi' }], finish: 'stop' }],
  usage: { inputTokens: 10, cachedTokens: 4, outputTokens: 2 },
};

// Compiles only if the SDK's types have these members. Unknown members are omitted instead of null.
const known = (one: WireMessage) =>
  ({
    type: one.type,
    role: one.role,
    stop_reason: one.stop_reason,
    stop_sequence: one.stop_sequence,
  }) satisfies Pick<Message, 'type' | 'role' | 'stop_reason' | 'stop_sequence'>;

const thinking: ResponseContext = { ...context, request: { ...request, reasoning: { adaptive: true } } };
const kinds = (content: ContentBlock[], on = thinking) =>
  encodeResponse({ ...generation, choices: [{ content, finish: 'stop' }] }, on).content.map(({ type }) => type);

describe('encodeResponse', () => {
  it('writes a message that the SDK reads', () => {
    const message = encodeResponse(generation, context);
    expect(message).toEqual({
      id: 'msg_new',
      type: 'message',
      role: 'assistant',
      model: 'client-model',
      content: [{ type: 'text', text: 'Hi', citations: null }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 6, cache_read_input_tokens: 4, cache_creation_input_tokens: 0, output_tokens: 2 },
    });
    expect(MessageSchema.parse(message)).toEqual(message);
    expect(known(message).type).toBe('message');
  });

  it("keeps an id of this protocol, or uses the gateway's", () => {
    expect(encodeResponse({ ...generation, id: 'msg_1' }, context).id).toBe('msg_1');
    expect(encodeResponse(generation, { ...context, responseId: 'msg_gateway' }).id).toBe('msg_gateway');
  });

  it('reports a blocked prompt as a refusal without content', () => {
    const blocked = { ...generation, choices: [{ content: [], finish: 'content_filter' as const }] };
    expect(encodeResponse(blocked, context)).toMatchObject({ content: [], stop_reason: 'refusal' });
  });

  it('puts the token of a call after it, that of a text before the next block, and neither at the end', () => {
    const opaqueToken = { protocol: 'generative-content', account: 'g', model: 'gemini-3', value: 'sig' } as const;
    const text: ContentBlock = { type: 'text', text: 'a', opaqueToken };
    const call: ContentBlock = {
      type: 'tool-call',
      callId: 'c',
      name: 'f',
      kind: 'function',
      arguments: '{}',
      opaqueToken,
    };
    expect(kinds([text, call])).toEqual(['text', 'redacted_thinking', 'tool_use', 'redacted_thinking']);
    expect(kinds([{ ...text, text: '' }, call])).toEqual(['redacted_thinking', 'tool_use', 'redacted_thinking']);
    expect(kinds([text, { ...text, text: '' }])).toEqual(['text']);
  });

  it.each([undefined, { enabled: false }, { effort: 'high' as const }])(
    'omits thinking and tokens for a client with the reasoning %j',
    (reasoning) => {
      const opaqueToken = { protocol: 'generative-content', account: 'g', model: 'gemini-3', value: 'sig' } as const;
      const content: ContentBlock[] = [
        { type: 'reasoning', text: ['Hm.'], isSummary: false, opaqueToken },
        { type: 'text', text: 'a', opaqueToken },
        { type: 'tool-call', callId: 'c', name: 'f', kind: 'function', arguments: '{}', opaqueToken },
      ];
      expect(kinds(content, { ...context, request: { ...request, reasoning } })).toEqual(['text', 'tool_use']);
    },
  );

  it('rejects an empty response without a finish reason', () => {
    const nothing = { ...generation, choices: [{ content: [], finish: 'other' as const }] };
    expect(() => encodeResponse(nothing, context)).toThrow(expect.objectContaining({ code: 'provider_error' }));
  });
});
