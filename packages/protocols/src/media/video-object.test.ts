import fc from 'fast-check';
import { TASK_STATUSES } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { anyVideoTask, INTERNAL_STRINGS, videoTask as task, view } from '../../test/media-tasks.ts';
import { encodeVideoObject, VideoSchema } from './video-object.ts';

describe('encodeVideoObject', () => {
  it('always has the seven required fields with their types, and one of the four statuses', () => {
    fc.assert(
      fc.property(anyVideoTask, (any) => {
        const video = encodeVideoObject(any, view);
        expect(VideoSchema.strict().parse(video)).toEqual(video);
        expect(video.object).toBe('video');
        expect(['queued', 'in_progress', 'completed', 'failed']).toContain(video.status);
        for (const integer of [video.progress, video.created_at]) expect(Number.isInteger(integer)).toBe(true);
        for (const text of [video.id, video.model, video.seconds]) expect(typeof text).toBe('string');
      }),
    );
  });

  it('omits unknown fields instead of null or undefined', () => {
    fc.assert(
      fc.property(anyVideoTask, (any) => {
        const values = Object.values(encodeVideoObject(any, view));
        expect(values.filter((value) => value === null || value === undefined)).toEqual([]);
      }),
    );
  });

  it('has an error only for the status failed, and a URL only for completed', () => {
    fc.assert(
      fc.property(anyVideoTask, (any) => {
        const video = encodeVideoObject(any, view);
        expect('error' in video).toBe(video.status === 'failed');
        expect('metadata' in video).toBe(video.status === 'completed');
        if (video.status !== 'completed') {
          expect(video).not.toHaveProperty('completed_at');
          expect(video).not.toHaveProperty('expires_at');
        }
      }),
    );
  });

  it('maps every internal state to a status', () => {
    const statuses = TASK_STATUSES.map((status) => [status, encodeVideoObject({ ...task, status }, view).status]);
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

  it('returns times as integer Unix seconds', () => {
    expect(encodeVideoObject(task, view)).toMatchObject({
      created_at: 1_700_000_000,
      completed_at: 1_700_000_060,
      expires_at: 1_700_600_000,
    });
  });

  it('shows the video’s size without a requested one, and the source of a variation', () => {
    const { size: _size, ...unsized } = task;
    expect(encodeVideoObject({ ...unsized, remixedFrom: 'video_00' }, view)).toMatchObject({
      size: '1280x720',
      remixed_from_video_id: 'video_00',
      metadata: { url: view.contentUrl },
    });
  });

  it('does not expose the vendor, the owner, or the storage', () => {
    const text = JSON.stringify(encodeVideoObject(task, view));
    for (const inner of INTERNAL_STRINGS) expect(text).not.toContain(inner);
  });

  it('shows a canceled task as a failure with that message', () => {
    expect(encodeVideoObject({ ...task, status: 'canceled' }, view)).toMatchObject({
      status: 'failed',
      error: { code: 'canceled' },
    });
  });
});
