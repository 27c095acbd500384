import { decodeVideoParams } from '../src/media/video-params.ts';

/** A file that was stored. */
export const stored = { key: 'inputs/1', mediaType: 'image/png', filename: 'a.png', bytes: 9 };
const file = (field: string) => ({ ...stored, field });
/** Reads a wish for a video. */
export const decode = (fields: unknown, ...files: string[]) => decodeVideoParams({ fields, files: files.map(file) });
/** What is asked for by a wish with a prompt. */
export const request = (fields: object) => decode({ prompt: 'a', ...fields }).request;
/** A picture by reference. */
export const atUrl = (role: string, name = 'a') => ({
  role,
  source: { kind: 'url', url: `https://pics.test/${name}.png` },
});
