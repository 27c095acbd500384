import { TASK_ERROR_CODES } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyVideoTask, INTERNAL_STRINGS, videoTask as task, view } from '../../test/media-tasks.ts';
import { encodeFlatTask, FlatTaskSchema } from './flat-task.ts';
import { KLING_CODES } from './kling-codes.ts';

describe('encodeFlatTask', () => {
  it('shows a finished video with integers', () => {
    expect(encodeFlatTask({ ...task, seed: 42 }, view)).toEqual({
      task_id: 'video_01',
      status: 'completed',
      url: view.contentUrl,
      format: 'mp4',
      metadata: { duration: 4, fps: 24, width: 1280, height: 720, seed: 42 },
    });
  });

  it.each([
    ['queued', 'queued'],
    ['submitting', 'queued'],
    ['submit_unknown', 'queued'],
    ['in_progress', 'in_progress'],
    ['finishing', 'in_progress'],
    ['canceling', 'in_progress'],
  ] as const)('shows %s as %s with no further fields', (status, word) => {
    expect(encodeFlatTask({ ...task, status }, view)).toEqual({ task_id: 'video_01', status: word });
  });

  it.each(TASK_ERROR_CODES)('shows the failure %s as an integer', (code) => {
    expect(encodeFlatTask({ ...task, status: 'failed', error: { code, message: 'No.' } }, view)).toEqual({
      task_id: 'video_01',
      status: 'failed',
      error: { code: KLING_CODES[code], message: 'No.' },
    });
  });

  it('falls back to the requested values if the file cannot be read', () => {
    const plain = { ...task, seconds: '2.5', size: '640x360', outputs: [] };
    expect(encodeFlatTask(plain, view)).toMatchObject({
      format: 'mp4',
      metadata: { duration: 3, width: 640, height: 360 },
    });
    const { size: _size, ...unsized } = { ...plain, seconds: '' };
    expect(encodeFlatTask({ ...unsized, seed: 0.5 }, view).metadata).toEqual({});
  });

  it('rounds a very short video up to a second and shows the format of other media types', () => {
    const video = { durationMs: 200, width: 16, height: 16, fps: 24 };
    const content = { key: 'k', bytes: 1, etag: 'e', mediaType: 'video/webm', video };
    expect(encodeFlatTask({ ...task, outputs: [{ content }] }, view)).toMatchObject({
      format: 'webm',
      metadata: { duration: 1 },
    });
  });

  it('always matches its schema and omits unknown fields', () => {
    fc.assert(
      fc.property(anyVideoTask, (any) => {
        const flat = encodeFlatTask(any, view);
        expect(FlatTaskSchema.strict().parse(JSON.parse(JSON.stringify(flat)))).toEqual(flat);
        expect('url' in flat).toBe(flat.status === 'completed');
        expect('error' in flat).toBe(flat.status === 'failed');
      }),
    );
  });

  it('does not expose the vendor, the owner, or the storage', () => {
    const text = JSON.stringify(encodeFlatTask(task, view));
    for (const inner of INTERNAL_STRINGS) expect(text).not.toContain(inner);
  });
});
