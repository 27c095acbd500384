import { describe, expect, it } from 'vitest';
import { GroundingWriter } from '../client/grounding-writer.ts';
import { decodeGrounding, locate } from './decode-grounding.ts';
import { createTokenCodec } from '../../text/token-codec.ts';

const TEXT = 'Grüße, 世界.';
const web = { uri: 'https://a.example', title: 'A' };

describe('grounding', () => {
  it('converts ranges of bytes to ranges of characters', () => {
    const segment = { startIndex: 9, endIndex: 15 };
    const groundingMetadata = {
      groundingChunks: [{ web }],
      groundingSupports: [{ segment, groundingChunkIndices: [0] }],
    };
    const citations = decodeGrounding({ groundingMetadata }).map((citation) => locate(citation, TEXT));
    expect(citations).toEqual([{ url: web.uri, title: 'A', start: 7, end: 9 }]);
    expect(TEXT.slice(7, 9)).toBe('世界');
  });

  it('locates a range of one part by its repeated text', () => {
    const segment = { startIndex: 0, endIndex: 6, text: '世界' };
    const groundingMetadata = {
      groundingChunks: [{ web }],
      groundingSupports: [{ segment, groundingChunkIndices: [0] }],
    };
    const [citation] = decodeGrounding({ groundingMetadata });
    expect(citation && locate(citation, TEXT)).toMatchObject({ start: 7, end: 9 });
  });

  it('includes sources without a range, and recited sources', () => {
    const groundingMetadata = { groundingChunks: [{ retrievedContext: { title: 'T', text: 'quote' } }] };
    const citationMetadata = { citationSources: [{ uri: 'https://b.example', startIndex: 0, endIndex: 2 }] };
    const citations = decodeGrounding({ groundingMetadata, citationMetadata }).map((one) => locate(one, TEXT));
    expect(citations).toEqual([
      { title: 'T', text: 'quote' },
      { url: 'https://b.example', start: 0, end: 2 },
    ]);
  });

  it('counts the bytes of earlier texts for clients', () => {
    const writer = new GroundingWriter({
      request: { protocol: 'generative-content', model: 'm', stream: false, messages: [], tools: [] },
      body: {},
      createdAt: 1,
      newId: (prefix) => prefix,
      tokenCodec: createTokenCodec('secret'),
    });
    writer.add({ text: 'Ä' });
    writer.add({ text: TEXT, citations: [{ url: web.uri, title: 'A', start: 7, end: 9 }] });
    expect(writer.metadata()).toEqual({
      groundingChunks: [{ web }],
      groundingSupports: [{ segment: { startIndex: 11, endIndex: 17, text: '世界' }, groundingChunkIndices: [0] }],
    });
  });
});
