import type { ContentBlock, GenerationRequest, ReasoningBlock, OpaqueToken } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { createTokenCodec } from '../../text/token-codec.ts';
import { createPartWriter } from './encode-parts.ts';
import { decodeContents } from './decode-contents.ts';

const tokenCodec = createTokenCodec('secret');
const claude: OpaqueToken = { protocol: 'messages', account: 'a1', model: 'claude-opus-5', value: 'sig' };
const thought: ReasoningBlock = { type: 'reasoning', text: ['why'], isSummary: false, opaqueToken: claude };
const call: ContentBlock = { type: 'tool-call', callId: 'c1', name: 'f', kind: 'function', arguments: '{"a":1}' };

function write(blocks: ContentBlock[], visible?: 'summary', tools: GenerationRequest['tools'] = []) {
  const writer = createPartWriter({
    request: {
      protocol: 'generative-content',
      model: 'gemini-3-pro',
      stream: false,
      messages: [],
      tools,
      ...(visible && { reasoning: { visible } }),
    },
    body: {},
    createdAt: 0,
    newId: (prefix) => prefix,
    tokenCodec,
  });
  return [...blocks.flatMap((block) => writer.block(block)), ...writer.end()];
}

/** Decodes the parts as the client would return them in its next request. */
function decodeParts(parts: Record<string, unknown>[]): ContentBlock[] | undefined {
  return decodeContents([{ role: 'model', parts }], { tokenCodec, report: () => undefined })[0]?.content;
}

describe('createPartWriter', () => {
  it('returns thoughts only if requested', () => {
    expect(write([{ ...thought, opaqueToken: { ...claude } }, call], 'summary')).toMatchObject([
      { text: 'why', thought: true, thoughtSignature: expect.stringMatching(/^R1cx[\w+/]+=*$/) },
      { functionCall: { id: 'c1', name: 'f', args: { a: 1 } } },
    ]);
    const hidden = write([thought, call]);
    expect(JSON.stringify(hidden)).not.toContain('why');
    expect(hidden).toHaveLength(1);
  });

  it.each([undefined, 'summary'] as const)(
    "preserves another vendor's reasoning in the next request (shown: %s)",
    (visible) => {
      const blocks: ContentBlock[] = [
        thought,
        { type: 'text', text: 'hi' },
        { ...thought, redacted: true, text: [] },
        { ...thought, text: ['then'] },
        call,
        { ...thought, id: 'rs_1', text: ['last'] },
      ];
      expect(decodeParts(write(blocks, visible))).toEqual(blocks);
    },
  );

  it("writes a text's signature on the text, and an empty text for a signature alone", () => {
    const gemini: OpaqueToken = { protocol: 'generative-content', account: 'a1', model: 'gemini-3-pro', value: 'AA==' };
    const blocks: ContentBlock[] = [
      { type: 'text', text: 'hi', opaqueToken: gemini },
      { ...call, opaqueToken: gemini },
      { type: 'text', text: '', opaqueToken: gemini },
    ];
    expect(decodeParts(write(blocks))).toEqual(blocks);
    expect(write([{ type: 'text', text: '' }])).toEqual([]);
  });

  it('names tools as the client does, with arguments always as an object', () => {
    const tool = { kind: 'function', name: 'ns_f_12345678', clientName: { name: 'ns.f' } } as const;
    const parts = write([{ ...call, name: 'ns_f_12345678', arguments: 'broken' }], undefined, [tool]);
    expect(parts).toEqual([{ functionCall: { id: 'c1', name: 'ns.f', args: { input: 'broken' } } }]);
  });

  it('writes media, refusals, and foreign blocks of the same protocol, and omits other foreign blocks', () => {
    const raw = { executableCode: { code: '1' } };
    expect(
      write([
        { type: 'media', kind: 'image', source: { from: 'base64', mediaType: 'image/png', data: 'AAAA' } },
        { type: 'media', kind: 'image', source: { from: 'url', url: 'https://example.com/a.png' } },
        { type: 'refusal', text: 'No.' },
        { type: 'foreign', protocol: 'generative-content', kind: 'executableCode', raw },
        { type: 'foreign', protocol: 'messages', kind: 'server_tool_use', raw: {} },
      ]),
    ).toEqual([
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      { fileData: { fileUri: 'https://example.com/a.png' } },
      { text: 'No.' },
      raw,
    ]);
  });
});
