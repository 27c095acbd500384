import { describe, expect, it } from 'vitest';
import { decodeMedia } from './decode-media.ts';

describe('decodeMedia', () => {
  it('reads bytes, also in URL-safe base64', () => {
    expect(decodeMedia({ inlineData: { mimeType: 'image/PNG', data: '-_8=' } }, 'p')).toEqual({
      type: 'media',
      kind: 'image',
      source: { from: 'base64', mediaType: 'image/png', data: '+/8=' },
    });
  });

  it('detects a missing type from the bytes', () => {
    expect(decodeMedia({ inlineData: { data: 'iVBORw0KGgo=' } }, 'p')).toMatchObject({ kind: 'image' });
  });

  it('reads plain text as text', () => {
    const data = Buffer.from('größer').toString('base64');
    expect(decodeMedia({ inlineData: { mimeType: 'text/plain', data } }, 'p')).toEqual({
      type: 'media',
      kind: 'document',
      source: { from: 'text', text: 'größer' },
    });
  });

  it("distinguishes Google's files from URLs", () => {
    expect(decodeMedia({ fileData: { fileUri: 'gs://b/a.pdf', mimeType: 'application/pdf' } }, 'p')).toEqual({
      type: 'media',
      kind: 'document',
      source: { from: 'file', protocol: 'generative-content', id: 'gs://b/a.pdf', mediaType: 'application/pdf' },
    });
    expect(decodeMedia({ fileData: { fileUri: 'https://example.com/a.png', displayName: 'A' } }, 'p')).toEqual({
      type: 'media',
      kind: 'image',
      source: { from: 'url', url: 'https://example.com/a.png' },
      name: 'A',
    });
  });

  it('names the field of invalid base64', () => {
    expect(() => decodeMedia({ inlineData: { data: '%' } }, 'contents[0]')).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'contents[0][inlineData][data]' }),
    );
  });

  it('finds no media in other parts', () => {
    expect(decodeMedia({ text: 'x' }, 'p')).toBeUndefined();
  });
});
