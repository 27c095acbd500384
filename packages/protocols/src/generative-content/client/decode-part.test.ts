import { describe, expect, it } from 'vitest';
import type { Loss } from '@sluice/canonical';
import { JsonField } from '../../json/json-field.ts';
import { createTokenCodec } from '../../text/token-codec.ts';
import { createCallIds } from './call-ids.ts';
import { decodePart } from './decode-part.ts';
import { packReasoning } from './reasoning-token.ts';

const tokenCodec = createTokenCodec('secret');

function decode(part: Record<string, unknown>, losses: Loss[] = []) {
  return decodePart(new JsonField(part, 'contents[0][parts][0]'), {
    tokenCodec,
    calls: createCallIds(),
    report: (loss) => losses.push(loss),
  });
}

describe('decodePart', () => {
  it('reads text, thoughts, and calls with their signatures', () => {
    const opaqueToken = { protocol: 'generative-content', value: 'AA==' };
    expect(decode({ text: 'hi', thoughtSignature: 'AA==' })).toEqual([{ type: 'text', text: 'hi', opaqueToken }]);
    expect(decode({ text: 'hm', thought: true, thoughtSignature: 'AA==' })).toEqual([
      { type: 'reasoning', text: ['hm'], isSummary: true, opaqueToken },
    ]);
    expect(decode({ functionCall: { id: 'c1', name: 'f', args: { a: 1 } }, thoughtSignature: 'AA==' })).toEqual([
      { type: 'tool-call', callId: 'c1', name: 'f', kind: 'function', arguments: '{"a":1}', opaqueToken },
    ]);
  });

  it('keeps a signature on an empty text and drops an empty text without one', () => {
    expect(decode({ text: '', thoughtSignature: 'AA==' })).toMatchObject([{ type: 'text', text: '' }]);
    expect(decode({ text: '' })).toEqual([]);
  });

  it("restores another vendor's reasoning before the part that carried it", () => {
    const opaqueToken = { protocol: 'messages', account: 'a1', model: 'claude-opus-5', value: 'sig' } as const;
    const block = { type: 'reasoning', text: ['why'], isSummary: false, opaqueToken } as const;
    const packed = packReasoning({ ...block, text: [...block.text] }, true);
    const thoughtSignature = packed && tokenCodec.wrap(packed);
    expect(decode({ functionCall: { name: 'f' }, thoughtSignature })).toEqual([
      block,
      { type: 'tool-call', callId: 'call_0_f', name: 'f', kind: 'function', arguments: '{}' },
    ]);
    expect(decode({ text: '', thoughtSignature })).toEqual([block]);
    expect(decode({ text: 'seen', thought: true, thoughtSignature })).toEqual([{ ...block, text: ['seen'] }]);
  });

  it('ignores the signature that skips validation', () => {
    expect(decode({ text: 'x', thoughtSignature: 'skip_thought_signature_validator' })).toEqual([
      { type: 'text', text: 'x' },
    ]);
  });

  it.each([
    [{ output: 'sunny' }, 'sunny', undefined],
    [{ output: { t: 1 } }, '{"t":1}', undefined],
    [{ error: 'down' }, 'down', true],
    [{ name: 'f', content: 'x' }, '{"name":"f","content":"x"}', undefined],
  ])('reads the function response %j', (response, text, isError) => {
    const [block] = decode({ functionResponse: { id: 'c1', name: 'f', response } });
    expect(block).toEqual({
      type: 'tool-result',
      callId: 'c1',
      name: 'f',
      kind: 'function',
      content: [{ type: 'text', text }],
      ...(isError && { isError }),
    });
  });

  it('reads media inside a function response', () => {
    const parts = [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }];
    expect(decode({ functionResponse: { name: 'f', response: {}, parts } })).toMatchObject([
      { content: [{ type: 'media', kind: 'image' }] },
    ]);
  });

  it('shortens names that other vendors reject, in call and response alike', () => {
    const [call] = decode({ functionCall: { name: 'ns.tool:x' } });
    const [reply] = decode({ functionResponse: { name: 'ns.tool:x' } });
    expect(call).toMatchObject({ name: expect.stringMatching(/^ns_tool_x_[\da-f]{8}$/) });
    expect(reply).toMatchObject({ name: call?.type === 'tool-call' ? call.name : '' });
  });

  it('keeps Gemini-only parts and reports dropped part settings', () => {
    const losses: Loss[] = [];
    const raw = { executableCode: { language: 'PYTHON', code: '1' } };
    expect(decode(raw)).toEqual([{ type: 'foreign', protocol: 'generative-content', kind: 'executableCode', raw }]);
    expect(decode({ text: 'x', videoMetadata: { fps: 1 } }, losses)).toHaveLength(1);
    expect(losses).toEqual([{ field: 'contents.parts.videoMetadata', how: 'dropped' }]);
  });

  it('reports the field of a call without a name', () => {
    expect(() => decode({ functionCall: { args: {} } })).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'contents[0][parts][0][functionCall][name]' }),
    );
  });
});
