import type { Loss } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { decodeDocument, decodeImage, decodeSearchResult } from './decode-media.ts';

const PNG = 'iVBORw0KGgo=';
const none = () => undefined;

describe('decodeImage', () => {
  it.each([
    [
      { type: 'base64', media_type: 'image/png', data: PNG },
      { from: 'base64', mediaType: 'image/png', data: PNG },
    ],
    [
      { type: 'base64', data: PNG },
      { from: 'base64', mediaType: 'image/png', data: PNG },
    ],
    [
      { type: 'url', url: 'https://a/b.png' },
      { from: 'url', url: 'https://a/b.png' },
    ],
    [
      { type: 'url', url: `data:image/png;base64,${PNG}` },
      { from: 'base64', mediaType: 'image/png', data: PNG },
    ],
    [
      { type: 'file', file_id: 'f_1' },
      { from: 'file', protocol: 'messages', id: 'f_1' },
    ],
  ])('reads the source %j', (source, expected) => {
    expect(decodeImage({ source, cache_control: { ttl: '5m' } }, 'p')).toEqual({
      type: 'media',
      kind: 'image',
      source: expected,
      cache: { ttl: '5m' },
    });
  });

  it.each([
    [{ type: 'base64', data: 'not base64!' }, 'p[source][data]'],
    [{ type: 'base64' }, 'p[source][data]'],
    [{ type: 'url' }, 'p[source][url]'],
    [{ type: 'file' }, 'p[source][file_id]'],
    [{ type: 'carrier-pigeon' }, 'p[source][type]'],
    ['https://a', 'p[source]'],
  ])('rejects the source %j by its path', (source, param) => {
    expect(() => decodeImage({ source }, 'p')).toThrow(expect.objectContaining({ code: 'invalid_request', param }));
  });
});

describe('decodeDocument', () => {
  it('reads a PDF with its title, and its context before it', () => {
    const source = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' };
    expect(decodeDocument({ source, title: 'T', context: 'C' }, 'p', none)).toEqual([
      { type: 'text', text: 'C' },
      {
        type: 'media',
        kind: 'document',
        source: { from: 'base64', mediaType: 'application/pdf', data: 'JVBERi0=' },
        name: 'T',
      },
    ]);
  });

  it('reads a document made of blocks as its text and its images', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'image', source: { type: 'url', url: 'https://a' } },
      { type: 'text', text: 'b' },
    ];
    const block = { source: { type: 'content', content }, title: 'T', cache_control: { type: 'ephemeral' } };
    expect(decodeDocument(block, 'p', none)).toEqual([
      { type: 'media', kind: 'document', source: { from: 'text', text: 'a\n\nb' }, name: 'T' },
      { type: 'media', kind: 'image', source: { from: 'url', url: 'https://a' }, cache: {} },
    ]);
    expect(decodeDocument({ source: { type: 'content', content: 'plain' } }, 'p', none)).toEqual([
      { type: 'media', kind: 'document', source: { from: 'text', text: 'plain' } },
    ]);
  });

  it('reports dropped citations', () => {
    const losses: Loss[] = [];
    const source = { type: 'text', media_type: 'text/plain', data: 'a' };
    decodeDocument({ source, citations: { enabled: true } }, 'p', (loss) => losses.push(loss));
    expect(losses).toEqual([{ field: 'citations', how: 'dropped' }]);
  });
});

describe('decodeSearchResult', () => {
  it('reads a document with its source', () => {
    const block = { source: 'https://a', title: 'A', content: [{ type: 'text', text: 'found' }] };
    expect(decodeSearchResult(block, 'p', () => undefined)).toEqual({
      type: 'media',
      kind: 'document',
      source: { from: 'text', text: 'Source: https://a\n\nfound' },
      name: 'A',
    });
  });

  it('rejects a search result without content', () => {
    expect(() => decodeSearchResult({}, 'p', () => undefined)).toThrow(
      expect.objectContaining({ param: 'p[content]' }),
    );
  });
});
