import type { StreamEvent } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { CandidateReader } from './candidate-reader.ts';

const target = {
  upstream: 'google',
  account: 'a1',
  protocol: 'generative-content',
  model: 'gemini-3-pro',
  quirks: {},
} as const;
const opaqueToken = (value: string) => ({
  protocol: 'generative-content',
  account: 'a1',
  model: 'gemini-3-pro',
  value,
});

function read(...parts: Record<string, unknown>[]): StreamEvent[] {
  let idCount = 0;
  const reader = new CandidateReader(0, { target, newId: (prefix) => `${prefix}${(idCount += 1)}` });
  const out: StreamEvent[] = [];
  for (const part of parts) reader.readPart(part, out);
  reader.close(out);
  return out;
}

const blocks = (events: StreamEvent[]) => events.flatMap((event) => (event.type === 'block-end' ? [event.block] : []));

describe('CandidateReader', () => {
  it('continues a block while its kind does not change', () => {
    expect(read({ text: 'hm', thought: true }, { text: 'm', thought: true }, { text: 'a' }, { text: 'b' })).toEqual([
      { type: 'block-start', choice: 0, head: { type: 'reasoning', isSummary: true } },
      { type: 'delta', choice: 0, text: 'hm' },
      { type: 'delta', choice: 0, text: 'm' },
      { type: 'block-end', choice: 0, block: { type: 'reasoning', text: ['hmm'], isSummary: true } },
      { type: 'block-start', choice: 0, head: { type: 'text' } },
      { type: 'delta', choice: 0, text: 'a' },
      { type: 'delta', choice: 0, text: 'b' },
      { type: 'block-end', choice: 0, block: { type: 'text', text: 'ab' } },
    ]);
  });

  it('keeps the signature of a trailing empty text without an empty delta', () => {
    const events = read({ text: 'hi' }, { text: '', thoughtSignature: 'AA==' });
    expect(blocks(events)).toEqual([{ type: 'text', text: 'hi', opaqueToken: opaqueToken('AA==') }]);
    expect(events.filter((event) => event.type === 'delta')).toEqual([{ type: 'delta', choice: 0, text: 'hi' }]);
  });

  it('ignores an empty text: it neither opens nor ends a block', () => {
    expect(read({ text: '' }, { text: '', thought: true })).toEqual([]);
    expect(blocks(read({ text: 'a' }, { text: '', thought: true }, { text: 'b' }))).toEqual([
      { type: 'text', text: 'ab' },
    ]);
  });

  it('cites once if grounding metadata is repeated after a signed text', () => {
    const reader = new CandidateReader(0, { target, newId: (prefix) => prefix });
    const grounding = {
      groundingMetadata: {
        groundingChunks: [{ web: { uri: 'https://a.example' } }],
        groundingSupports: [{ segment: { startIndex: 0, endIndex: 5 }, groundingChunkIndices: [0] }],
      },
    };
    const out: StreamEvent[] = [];
    for (const part of [{ text: 'hello', thoughtSignature: 'AA==' }, { text: ' world' }]) {
      reader.ground(grounding);
      reader.readPart(part, out);
    }
    reader.close(out);
    expect(blocks(out)).toEqual([
      {
        type: 'text',
        text: 'hello',
        citations: [{ url: 'https://a.example', start: 0, end: 5 }],
        opaqueToken: opaqueToken('AA=='),
      },
      { type: 'text', text: ' world' },
    ]);
  });

  it('keeps a signature after a call in a separate block', () => {
    const events = read({ functionCall: { id: 'c1', name: 'f' } }, { text: '', thoughtSignature: 'AA==' });
    expect(blocks(events)[1]).toEqual({ type: 'text', text: '', opaqueToken: opaqueToken('AA==') });
  });

  it('separates parallel calls, with the signature on its own call and generated ids', () => {
    expect(
      blocks(
        read(
          { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'AA==' },
          { functionCall: { id: '', name: 'f', args: {} } },
        ),
      ),
    ).toEqual([
      {
        type: 'tool-call',
        callId: 'call_1',
        name: 'f',
        kind: 'function',
        arguments: '{"a":1}',
        opaqueToken: opaqueToken('AA=='),
      },
      { type: 'tool-call', callId: 'call_2', name: 'f', kind: 'function', arguments: '{}' },
    ]);
  });

  it('reads media and Gemini-only parts, but no images from thinking', () => {
    const inlineData = { mimeType: 'image/png', data: 'AAAA' };
    const code = { executableCode: { code: '1' } };
    expect(blocks(read({ inlineData, thought: true }, { inlineData }, code))).toEqual([
      { type: 'media', kind: 'image', source: { from: 'base64', mediaType: 'image/png', data: 'AAAA' } },
      { type: 'foreign', protocol: 'generative-content', kind: 'executableCode', raw: code },
    ]);
  });

  it('reports broken parts as an upstream error', () => {
    const failure = expect.objectContaining({ code: 'provider_error' });
    expect(() => read({ functionCall: {} })).toThrow(failure);
    expect(() => read({ inlineData: { data: '%' } })).toThrow(failure);
  });
});
