import { TASK_ERROR_CODES, TASK_STATUSES } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyVideoTask, INTERNAL_STRINGS, videoTask as task, view } from '../../test/media-tasks.ts';
import { VOLCENGINE_CODES } from './codes.ts';
import { encodeCreated, encodeMissing, encodeVideo, statusOf } from './response.ts';
import { ResultSchema, SubmittedSchema } from './schema.ts';

const success = { code: 10_000, message: 'Success', request_id: 'req_1', status: 10_000, time_elapsed: '12.34ms' };

it('returns the id of a new task in any state', () => {
  fc.assert(
    fc.property(anyVideoTask, (any) => {
      const created = encodeCreated(any, view);
      expect(SubmittedSchema.strict().parse(created)).toEqual(created);
      expect(created).toEqual({ ...success, data: { task_id: any.id } });
    }),
  );
});

describe('a retrieved task', () => {
  it('returns the finished video', () => {
    expect(encodeVideo(task, view)).toEqual({
      ...success,
      data: { status: 'done', video_url: view.contentUrl, aigc_meta_tagged: false },
    });
    expect(statusOf(task)).toBe(200);
  });

  it('maps every state to a status or a failed call', () => {
    const statuses = TASK_STATUSES.map((status) => {
      const encoded = encodeVideo({ ...task, status }, view);
      return [status, `${statusOf({ ...task, status })} ${encoded.code} ${encoded.data?.status}`];
    });
    expect(Object.fromEntries(statuses)).toEqual({
      queued: '200 10000 in_queue',
      submitting: '200 10000 in_queue',
      submit_unknown: '200 10000 in_queue',
      in_progress: '200 10000 generating',
      finishing: '200 10000 generating',
      canceling: '200 10000 generating',
      completed: '200 10000 done',
      failed: '400 50500 undefined',
      canceled: '400 59003 undefined',
    });
  });

  it.each(TASK_ERROR_CODES.filter((code) => code !== 'content_expired'))(
    'reports the failure %s at the top',
    (code) => {
      const failed = { ...task, status: 'failed' as const, error: { code, message: 'No.' } };
      const number = VOLCENGINE_CODES[code];
      expect(encodeVideo(failed, view)).toEqual({
        ...success,
        code: number,
        status: number,
        message: 'No.',
        data: null,
      });
      expect(statusOf(failed)).toBe(400);
    },
  );

  it('reports a deleted result as expired', () => {
    const gone = { ...task, status: 'failed' as const, error: { code: 'content_expired' as const, message: 'Gone.' } };
    expect(encodeVideo(gone, view)).toEqual({ ...success, data: { status: 'expired' } });
    expect(statusOf(gone)).toBe(200);
  });

  it('always matches its schema', () => {
    fc.assert(
      fc.property(anyVideoTask, (any) => {
        const encoded = encodeVideo(any, view);
        expect(ResultSchema.strict().parse(encoded)).toEqual(encoded);
        expect(encoded.data === null).toBe(statusOf(any) === 400);
      }),
    );
  });

  it('does not expose the vendor, the owner, or the storage', () => {
    const text = JSON.stringify(encodeVideo(task, view));
    for (const inner of INTERNAL_STRINGS) expect(text).not.toContain(inner);
  });
});

it('reports an unknown task as a status in a successful call', () => {
  const missing = encodeMissing(view);
  expect(ResultSchema.strict().parse(missing)).toEqual({ ...success, data: { status: 'not_found' } });
});
