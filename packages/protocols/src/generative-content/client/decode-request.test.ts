import { GatewayError, type Loss } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokenCodec } from '../../text/token-codec.ts';
import { decodeRequest } from './decode-request.ts';

const tokenCodec = createTokenCodec('secret');

function decode(body: Record<string, unknown>, losses: Loss[] = []) {
  return decodeRequest({
    body,
    model: 'gemini-3-pro',
    stream: true,
    tokenCodec,
    report: (loss) => losses.push(loss),
  });
}

const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
const plain = {
  protocol: 'generative-content',
  model: 'gemini-3-pro',
  stream: true,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  tools: [],
};

/** Keys that a malicious or broken client can send anywhere. */
const KEYS =
  'text thought thoughtSignature functionCall function_response inlineData fileData name args response parts role data mode functionDeclarations parameters type x __proto__'.split(
    ' ',
  );

describe('decodeRequest', () => {
  it('reads what the JavaScript SDK sends', () => {
    expect(
      decode({
        contents,
        serviceTier: 'flex',
        systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }] },
        safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
        tools: [{ functionDeclarations: [{ name: 'f' }] }],
        generationConfig: { maxOutputTokens: 5 },
      }),
    ).toEqual({
      ...plain,
      messages: [{ role: 'system', content: [{ type: 'text', text: 'Be brief.' }] }, ...plain.messages],
      tools: [{ kind: 'function', name: 'f' }],
      serviceTier: 'flex',
      safety: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
      maxOutputTokens: 5,
    });
  });

  it('treats empty arrays and objects as absent, without a loss', () => {
    const losses: Loss[] = [];
    const empty = { safetySettings: [], tools: [], toolConfig: {}, labels: {}, cachedContent: '' };
    const generationConfig = { stopSequences: [] };
    expect(decode({ contents, ...empty, generationConfig }, losses)).toEqual(plain);
    expect(decode({ contents, generation_config: {}, system_instruction: null }, losses)).toEqual(plain);
    expect(losses).toEqual([]);
  });

  it('reports unknown fields as the client wrote them', () => {
    const losses: Loss[] = [];
    decode({ model: 'models/gemini-3-pro', contents, labels: { team: 'a' }, my_field: 1, store: false }, losses);
    expect(losses.map(({ field }) => field)).toEqual(['labels', 'my_field', 'store']);
  });

  it('decodes any input or rejects it with a gateway error', () => {
    const key = fc.constantFrom(...KEYS);
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom(null, '', 'a', 'AAAA', 0, -1, true, 'model', 'ANY', 'OBJECT'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      ),
    }));
    const members = fc.record({
      contents: fc.array(fc.record({ role: fc.constantFrom('user', 'model', null), parts: value })),
      systemInstruction: value,
      tools: value,
      tool_config: value,
      generationConfig: value,
      safetySettings: value,
      serviceTier: value,
    });
    fc.assert(
      fc.property(members, (body) => {
        try {
          expect(decode(body).protocol).toBe('generative-content');
        } catch (error) {
          expect(error).toBeInstanceOf(GatewayError);
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each(['cachedContent', 'cached_content', 'continuationToken'])(
    'rejects %s, which only the vendor can resolve',
    (field) => {
      expect(() => decode({ contents, [field]: 'x' })).toThrow(
        expect.objectContaining({ code: 'unsupported_parameter', status: 400 }),
      );
    },
  );
});
