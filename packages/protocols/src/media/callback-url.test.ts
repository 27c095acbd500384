import { describe, expect, it } from 'vitest';
import { refusal } from '../../test/refusals.ts';
import { decodeEdit, decodeGeneration } from '../images/request.ts';
import { decodeImage2Video, decodeText2Video } from '../provider-a/request.ts';
import { decodeVideoParams } from './video-params.ts';
import { decodeRemix } from '../videos/request.ts';

const image = 'https://pics.test/a.png';
const messages = [{ role: 'user', content: [{ text: 'a' }] }];

/** Every request that creates a task, with a callback URL. */
const DECODERS: [name: string, decode: (callback: unknown) => { callbackUrl?: string; dropped?: string[] }][] = [
  ['videos', (callback_url) => decodeVideoParams({ fields: { prompt: 'a', callback_url }, files: [] })],
  ['a remix', (callback_url) => decodeRemix({ prompt: 'a', callback_url })],
  ['provider-a from text', (callback_url) => decodeText2Video({ fields: { prompt: 'a', callback_url }, files: [] })],
  [
    'provider-a from images',
    (callback_url) => decodeImage2Video({ fields: { image: image, callback_url }, files: [] }),
  ],
  ['images', (callback_url) => decodeGeneration({ fields: { prompt: 'a', callback_url }, files: [] })],
  ['edits', (callback_url) => decodeEdit({ fields: { prompt: 'a', image: image, callback_url }, files: [] })],
  [
    'images of messages',
    (callback_url) => decodeGeneration({ fields: { model: 'm', input: { messages }, callback_url }, files: [] }),
  ],
];

describe.each(DECODERS)('callback of %s', (_name, decode) => {
  it('is read and not reported as dropped', () => {
    const decoded = decode('HTTPS://Client.test:443/done?x=1');
    expect(decoded.callbackUrl).toBe('https://client.test/done?x=1');
    expect(decoded.dropped).toBeUndefined();
  });

  it.each([5, 'nonsense', '/done', 'ftp://a.test/', 'https://u:p@a.test/', 'https://u@a.test/', 'javascript:alert(1)'])(
    'must be the URL of a server: rejects %j',
    (callback) => expect(() => decode(callback)).toThrow(refusal('callback_url')),
  );

  it('must not exceed the maximum length, even after normalization', () => {
    expect(() => decode(`https://a.test/${'x'.repeat(2_048)}`)).toThrow(refusal('callback_url'));
    expect(() => decode(`https://a.test/${'ü'.repeat(1_000)}`)).toThrow(refusal('callback_url'));
  });
});
