import { describe, expect, it } from 'vitest';
import { JsonField } from '../../json/json-field.ts';
import { decodeMedia } from './decode-media.ts';

describe('decodeMedia', () => {
  it('reads bytes in standard and URL-safe base64', () => {
    expect(decodeMedia(new JsonField({ inlineData: { mimeType: 'image/PNG', data: '-_8=' } }, 'p'))).toEqual({
      type: 'media',
      kind: 'image',
      source: { from: 'base64', mediaType: 'image/png', data: '+/8=' },
    });
  });

  it('detects a missing type from the bytes', () => {
    expect(decodeMedia(new JsonField({ inlineData: { data: 'iVBORw0KGgo=' } }, 'p'))).toMatchObject({ kind: 'image' });
  });

  it('reads plain text as text', () => {
    const data = Buffer.from('größer').toString('base64');
    expect(decodeMedia(new JsonField({ inlineData: { mimeType: 'text/plain', data } }, 'p'))).toEqual({
      type: 'media',
      kind: 'document',
      source: { from: 'text', text: 'größer' },
    });
  });

  it("distinguishes Google's files from URLs", () => {
    expect(
      decodeMedia(new JsonField({ fileData: { fileUri: 'gs://b/a.pdf', mimeType: 'application/pdf' } }, 'p')),
    ).toEqual({
      type: 'media',
      kind: 'document',
      source: { from: 'file', protocol: 'generative-content', id: 'gs://b/a.pdf', mediaType: 'application/pdf' },
    });
    expect(
      decodeMedia(new JsonField({ fileData: { fileUri: 'https://example.com/a.png', displayName: 'A' } }, 'p')),
    ).toEqual({
      type: 'media',
      kind: 'image',
      source: { from: 'url', url: 'https://example.com/a.png' },
      name: 'A',
    });
  });

  it('names the field of invalid base64', () => {
    expect(() => decodeMedia(new JsonField({ inlineData: { data: '%' } }, 'contents[0]'))).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'contents[0][inlineData][data]' }),
    );
  });

  it('finds no media in other parts', () => {
    expect(decodeMedia(new JsonField({ text: 'x' }, 'p'))).toBeUndefined();
  });
});
