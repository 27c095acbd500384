import { decodeVideoParams } from '../src/media/video-params.ts';

/** A stored file. */
export const stored = { key: 'inputs/1', mediaType: 'image/png', filename: 'a.png', bytes: 9, sha256: 'x' };
const file = (field: string) => ({ ...stored, field });
export const decode = (fields: unknown, ...files: string[]) => decodeVideoParams({ fields, files: files.map(file) });
/** Decodes parameters, with a default prompt. */
export const request = (fields: object) => decode({ prompt: 'a', ...fields }).request;
/** Creates an image by URL. */
export const atUrl = (role: string, name = 'a') => ({
  role,
  source: { kind: 'url', url: `https://pics.test/${name}.png` },
});
