import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { image } from '../../test/videos-rig.ts';
import { closeFiles, openFiles } from './form-files.ts';

const opened = (stream: Readable) => ({ ...image('PNG', 'reference'), open: () => Promise.resolve(stream) });

it('names each file and keeps their order', async () => {
  const files = await openFiles([image('one', 'reference'), image('two!', 'mask')], ({ role }) => role);
  expect(files.map(({ name, filename, bytes }) => [name, filename, bytes])).toEqual([
    ['reference', 'kite.png', 3],
    ['mask', 'kite.png', 4],
  ]);
});

it('closes opened files if one cannot be opened', async () => {
  const stream = Readable.from(['PNG']);
  const unreadable = { ...image('x'), open: () => Promise.reject(new Error('gone')) };
  await expect(openFiles([opened(stream), unreadable], () => 'image')).rejects.toThrow('gone');
  expect(stream.destroyed).toBe(true);
});

it('closes unread files', async () => {
  const stream = Readable.from(['PNG']);
  closeFiles({ fields: [], files: await openFiles([opened(stream)], () => 'image') });
  expect(stream.destroyed).toBe(true);
  closeFiles(undefined);
});
