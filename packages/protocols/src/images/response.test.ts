import { type MediaTask, TASK_STATUSES } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { INTERNAL_STRINGS, videoTask } from '../../test/media-tasks.ts';
import type { ImageView } from '../contracts/media-protocol.ts';
import { encodeImages, encodeImageTask } from './response.ts';
import { ImagesSchema, ImageTaskSchema } from './schema.ts';

const content = { key: 'images/secret.png', bytes: 1, etag: 'e', mediaType: 'image/png' };
const task: MediaTask = { ...videoTask, id: 'image_01', kind: 'image', outputs: [{ content }] };
const images = (...views: [number, ImageView][]) => ({ images: new Map(views) });

describe('encodeImages', () => {
  it('returns every image in order, as delivered', () => {
    const two = { ...task, outputs: [{ content, revisedPrompt: 'A kite.' }, { content }] };
    const encoded = encodeImages(two, images([1, { b64_json: 'AAAA' }], [0, { url: 'http://g.test/0' }]));
    expect(ImagesSchema.strict().parse(encoded)).toEqual({
      created: 1_700_000_060,
      data: [{ url: 'http://g.test/0', revised_prompt: 'A kite.' }, { b64_json: 'AAAA' }],
    });
  });

  it('lists the failed images and their errors', () => {
    const error = { code: 'content_policy', message: 'Not this.', secret: 1 } as const;
    const outputs = [{ error }, { content }, { content }];
    expect(encodeImages({ ...task, outputs }, images([1, { url: 'http://g.test/1' }]))).toEqual({
      created: 1_700_000_060,
      data: [{ url: 'http://g.test/1' }],
      failed: [
        { index: 0, code: 'content_policy', message: 'Not this.' },
        { index: 2, code: 'content_expired', message: expect.any(String) },
      ],
    });
  });

  it('falls back to the time of the request', () => {
    const { completedAt: _completed, ...open } = task;
    expect(encodeImages(open, images()).created).toBe(1_700_000_000);
  });

  it('does not expose the vendor, the owner, or the storage', () => {
    const text = JSON.stringify(encodeImages(task, images([0, { url: 'http://g.test/0' }])));
    for (const inner of [...INTERNAL_STRINGS, 'secret.png']) expect(text).not.toContain(inner);
  });
});

describe('encodeImageTask', () => {
  it('maps every state to one of four, and returns an error exactly on failure', () => {
    const statuses = TASK_STATUSES.map((status) => {
      const encoded = encodeImageTask({ ...task, status });
      expect(ImageTaskSchema.strict().parse(encoded)).toEqual(encoded);
      expect('error' in encoded).toBe(encoded.status === 'failed');
      return [status, encoded.status];
    });
    expect(Object.fromEntries(statuses)).toEqual({
      queued: 'queued',
      submitting: 'queued',
      submit_unknown: 'queued',
      in_progress: 'in_progress',
      finishing: 'in_progress',
      canceling: 'in_progress',
      completed: 'completed',
      failed: 'failed',
      canceled: 'failed',
    });
  });

  it('returns the task id without exposing the vendor', () => {
    const encoded = encodeImageTask({ ...task, status: 'queued' });
    expect(encoded).toEqual({ id: 'image_01', object: 'image.task', status: 'queued', created_at: 1_700_000_000 });
  });

  it('reports the cause of a failure', () => {
    const error = { code: 'content_policy', message: 'Not this.' } as const;
    expect(encodeImageTask({ ...task, status: 'failed', error }).error).toEqual(error);
  });
});
