import type { GenerationRequest } from '@sluice/canonical';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTokenCodec } from '../text/token-codec.ts';
import { decodeRequest } from './client/decode-request.ts';
import { encodeRequest } from './upstream/encode-request.ts';

const tokenCodec = createTokenCodec('secret');
const target = {
  upstream: 'google',
  account: 'a1',
  protocol: 'generative-content',
  model: 'gemini-2.5-pro',
  quirks: {},
} as const;

const decode = (body: Record<string, unknown>): GenerationRequest =>
  decodeRequest({ body, model: 'm', stream: false, tokenCodec, report: () => undefined });
const encode = (request: GenerationRequest) => encodeRequest(request, target, () => undefined);

const text = fc.string({ unit: 'grapheme', minLength: 1 });
const object = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
const userPart = fc.oneof(
  fc.record({ text }),
  fc.constant({ inlineData: { mimeType: 'image/png', data: 'AAAA' } }),
  fc.constant({ fileData: { mimeType: 'application/pdf', fileUri: 'gs://b/x.pdf' } }),
  fc.constant({ codeExecutionResult: { outcome: 'OUTCOME_OK' } }),
);
const modelPart = fc.oneof(fc.record({ text }), fc.constant({ executableCode: { code: '1' } }));
const response = fc.oneof(fc.record({ output: fc.string() }), fc.record({ error: fc.string() }), object);

/** Generates a user turn, a model turn with calls, and their responses with every kind of id. */
const exchange = fc
  .record({
    user: fc.array(userPart, { minLength: 1, maxLength: 3 }),
    model: fc.array(modelPart, { maxLength: 2 }),
    calls: fc.array(fc.record({ name: fc.constantFrom('f', 'g'), args: object, response }), { maxLength: 3 }),
    hasIds: fc.boolean(),
  })
  .map(({ user, model, calls, hasIds }) => {
    const id = (at: number) => (hasIds ? { id: `id-${at}` } : {});
    const callParts = calls.map(({ name, args }, at) => ({ functionCall: { ...id(at), name, args } }));
    const functionResponses = calls.map((call, at) => ({
      functionResponse: { ...id(at), name: call.name, response: call.response },
    }));
    return [
      { role: 'user', parts: user },
      { role: 'model', parts: [...model, ...callParts] },
      { role: 'user', parts: [...functionResponses, { text: 'go on' }] },
    ];
  });

const body = fc.record(
  {
    contents: fc.array(exchange, { minLength: 1, maxLength: 2 }).map((list) => list.flat()),
    systemInstruction: fc.array(text, { minLength: 1, maxLength: 2 }).map((list) => ({
      parts: list.map((one) => ({ text: one })),
    })),
    tools: fc.constant([
      { functionDeclarations: [{ name: 'f', parameters: { type: 'OBJECT', properties: { a: { type: 'STRING' } } } }] },
      { googleSearch: {} },
    ]),
    toolConfig: fc.constantFrom('AUTO', 'ANY', 'NONE').map((mode) => ({ functionCallingConfig: { mode } })),
    serviceTier: fc.constantFrom('flex', 'standard', 'priority'),
    safetySettings: fc.constantFrom([], [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }]),
    generationConfig: fc.record(
      {
        temperature: fc.constantFrom(0, 0.5, 2),
        topK: fc.nat(40),
        candidateCount: fc.integer({ min: 0, max: 8 }),
        maxOutputTokens: fc.constantFrom(0, 50_000),
        stopSequences: fc.constantFrom([], ['a', 'b']),
        responseSchema: fc.constant({ type: 'OBJECT', properties: { a: { type: 'INTEGER', nullable: true } } }),
        responseModalities: fc.constantFrom([], ['TEXT'], ['TEXT', 'IMAGE'], ['AUDIO']),
        thinkingConfig: fc.constantFrom({}, { thinkingBudget: -1 }, { thinkingBudget: 4096, includeThoughts: true }),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['contents'] },
);

it('decodes an encoded request to the same request', () => {
  fc.assert(
    fc.property(body, (sent) => {
      const first = decode(sent);
      const again = decode(encode(first));
      expect(comparable(again)).toEqual(comparable(first));
      expect(encode(again)).toEqual(encode(first));
    }),
    { numRuns: 150 },
  );
});

/** Removes settings that are encoded only together with other settings. */
function comparable(request: GenerationRequest): GenerationRequest {
  const { toolChoice: _, ...rest } = request;
  return request.tools.length > 0 ? request : rest;
}
