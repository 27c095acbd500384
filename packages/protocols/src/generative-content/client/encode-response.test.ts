import type { GenerateContentResponse } from '@google/genai';
import type { Choice, Generation } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { createTokenCodec } from '../../text/token-codec.ts';
import { encodeResponse } from './encode-response.ts';
import { GenerateContentResponseSchema } from '../wire/schema.ts';

const context: ResponseContext = {
  request: { protocol: 'generative-content', model: 'my-model', stream: false, messages: [], tools: [] },
  body: {},
  createdAt: 0,
  newId: (prefix) => `${prefix}new`,
  tokenCodec: createTokenCodec('secret'),
};

function encode(choice: Partial<Choice>, more: Partial<Generation> = {}) {
  const choices = [{ content: [], finish: 'stop' as const, ...choice }];
  const body = encodeResponse({ id: 'r1', model: 'gpt-6', choices, ...more }, context);
  expect(GenerateContentResponseSchema.parse(body)).toMatchObject({ modelVersion: 'my-model' });
  // The cast is safe because the SDK's type adds only getters.
  return body as Partial<GenerateContentResponse>;
}

describe('encodeResponse', () => {
  it('returns the requested model, the usage, and the id', () => {
    expect(encode({ content: [{ type: 'text', text: 'Hi' }] }, { usage: { inputTokens: 1, outputTokens: 2 } })).toEqual(
      {
        candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP', index: 0 }],
        usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 },
        modelVersion: 'my-model',
        responseId: 'r1',
      },
    );
    expect(encode({}, { id: '' }).responseId).toBe('resp_new');
  });

  it('never writes a content without parts, which SDKs discard', () => {
    const response = encode({ finish: 'content_filter', detail: 'Blocked.' });
    expect(response.candidates?.[0]).toEqual({
      content: { role: 'model', parts: [{ text: '' }] },
      finishReason: 'SAFETY',
      finishMessage: 'Blocked.',
      index: 0,
    });
  });

  it('writes STOP for calls, as the vendor does', () => {
    const call = { type: 'tool-call', callId: 'c1', name: 'f', kind: 'function', arguments: '' } as const;
    const [candidate] = encode({ content: [call], finish: 'tool_calls' }).candidates ?? [];
    expect(candidate?.finishReason).toBe('STOP');
    expect(candidate?.content?.parts).toEqual([{ functionCall: { id: 'c1', name: 'f', args: {} } }]);
  });
});
