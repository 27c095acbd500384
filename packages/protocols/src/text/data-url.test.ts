import type { GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { checkBase64, dataUrl, parseDataUrl } from './data-url.ts';

describe('parseDataUrl', () => {
  it.each([
    ['data:image/png;base64,iVBORw0KGgo=', { mediaType: 'image/png', data: 'iVBORw0KGgo=' }],
    ['data:IMAGE/PNG;name=a.png;base64,AA==', { mediaType: 'image/png', data: 'AA==' }],
    ['data:;base64,iVBORw0KGgo=', { mediaType: 'image/png', data: 'iVBORw0KGgo=' }],
    ['data:;base64,AA==', { mediaType: 'application/octet-stream', data: 'AA==' }],
    ['data:text/plain,a%20b', { mediaType: 'text/plain', data: 'YSBi' }],
    ['data:image/png;base64,iVBO\nRw0K\r\n Ggo=', { mediaType: 'image/png', data: 'iVBORw0KGgo=' }],
    ['https://example.com/a.png', undefined],
  ])('%j', (url, expected) => {
    expect(parseDataUrl(url, 'image')).toEqual(expected);
  });

  it.each(['data:image/png;base64,%%%', 'data:image/png;base64,AAAAA', 'data:text/plain,%E0%A4%A'])(
    'rejects %s, naming the field',
    (url) => {
      expect(() => parseDataUrl(url, 'messages[0]')).toThrow(
        expect.objectContaining({ code: 'invalid_request', param: 'messages[0]' }) as GatewayError,
      );
    },
  );

  it('reads its own output', () => {
    const inline = { mediaType: 'application/pdf', data: 'JVBERi0=' };
    expect(parseDataUrl(dataUrl(inline), 'file')).toEqual(inline);
    expect(checkBase64(inline.data, 'file')).toBe(inline.data);
  });
});
