import type { BlockSource, Loss } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { encodeMedia } from './encode-media.ts';

const encode = (source: BlockSource) => encodeMedia({ type: 'media', kind: 'image', source }, () => undefined);

describe('encodeMedia', () => {
  it.each([
    [{ from: 'base64', mediaType: 'image/png', data: 'AAAA' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
    [{ from: 'text', text: 'hi' }, { inlineData: { mimeType: 'text/plain', data: 'aGk=' } }],
    [{ from: 'url', url: 'data:image/gif;base64,AAAA' }, { inlineData: { mimeType: 'image/gif', data: 'AAAA' } }],
    [{ from: 'url', url: 'https://youtu.be/x' }, { fileData: { fileUri: 'https://youtu.be/x' } }],
    [
      { from: 'file', protocol: 'generative-content', id: 'gs://b/x', mediaType: 'image/png' },
      { fileData: { mimeType: 'image/png', fileUri: 'gs://b/x' } },
    ],
  ] as const)('writes %j', (source, part) => {
    expect(encode(source)).toEqual(part);
  });

  it.each([
    [{ from: 'url', url: 'https://example.com/a.png' }, 'image_url'],
    [{ from: 'file', protocol: 'responses', id: 'file-1' }, 'file_id'],
  ] as const)('rejects %j, which Gemini cannot reach', (source, param) => {
    expect(() => encode(source)).toThrow(expect.objectContaining({ code: 'unsupported_parameter', param }));
  });

  it('reports a dropped level of detail', () => {
    const losses: Loss[] = [];
    const source = { from: 'base64', mediaType: 'image/png', data: 'AAAA' } as const;
    encodeMedia({ type: 'media', kind: 'image', source, detail: 'low' }, (loss) => losses.push(loss));
    expect(losses).toEqual([{ field: 'detail', how: 'dropped' }]);
  });
});
