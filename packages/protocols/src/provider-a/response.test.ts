import { TASK_STATUSES } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyVideoTask, INTERNAL_STRINGS, videoTask as task, view } from '../../test/media-tasks.ts';
import { encodeCreated, encodeVideo } from './response.ts';
import { CreatedTaskSchema, TaskSchema } from './schema.ts';

const { completedAt: _completed, ...open } = { ...task, status: 'queued' as const, outputs: [] };

describe('created task', () => {
  it("combines the flat object and Kling's envelope", () => {
    expect(encodeCreated({ ...open, externalId: 'my-1' }, view)).toEqual({
      task_id: 'video_01',
      status: 'queued',
      code: 0,
      message: 'SUCCEED',
      request_id: 'req_1',
      data: {
        task_id: 'video_01',
        task_status: 'submitted',
        task_info: { external_task_id: 'my-1' },
        created_at: task.createdAt,
        updated_at: task.createdAt,
      },
    });
  });
});

describe('a retrieved task', () => {
  it('returns the finished video in both layers', () => {
    expect(encodeVideo({ ...task, seed: 42 }, view)).toEqual({
      task_id: 'video_01',
      status: 'completed',
      url: view.contentUrl,
      format: 'mp4',
      metadata: { duration: 4, fps: 24, width: 1280, height: 720, seed: 42 },
      code: 0,
      message: 'SUCCEED',
      request_id: 'req_1',
      data: {
        task_id: 'video_01',
        task_status: 'succeed',
        task_status_msg: '',
        task_info: {},
        task_result: { videos: [{ id: 'video_01', url: view.contentUrl, duration: '4.042' }] },
        created_at: task.createdAt,
        updated_at: task.completedAt,
      },
    });
  });

  it("reports a failure as the task's, not as the call's", () => {
    const error = { code: 'content_policy', message: 'Not this.' } as const;
    expect(encodeVideo({ ...task, status: 'failed', error }, view)).toMatchObject({
      status: 'failed',
      error: { code: 1301, message: 'Not this.' },
      code: 0,
      data: { task_status: 'failed', task_status_msg: 'Not this.' },
    });
  });

  it('returns the requested duration if the video cannot be parsed', () => {
    expect(encodeVideo({ ...task, outputs: [] }, view).data.task_result?.videos[0]?.duration).toBe('4');
  });

  it('maps every state to the values of each layer', () => {
    const statuses = TASK_STATUSES.map((status) => {
      const encoded = encodeVideo({ ...task, status }, view);
      return [status, `${encoded.status} ${encoded.data.task_status}`];
    });
    expect(Object.fromEntries(statuses)).toEqual({
      queued: 'queued submitted',
      submitting: 'queued submitted',
      submit_unknown: 'queued submitted',
      in_progress: 'in_progress processing',
      finishing: 'in_progress processing',
      canceling: 'in_progress processing',
      completed: 'completed succeed',
      failed: 'failed failed',
      canceled: 'failed failed',
    });
  });

  it('always matches its schema and starts like the created task', () => {
    fc.assert(
      fc.property(anyVideoTask, (any) => {
        const retrieved = encodeVideo(any, view);
        expect(TaskSchema.strict().parse(JSON.parse(JSON.stringify(retrieved)))).toEqual(retrieved);
        const created = encodeCreated(any, view);
        expect(CreatedTaskSchema.strict().parse(created)).toEqual(created);
        expect(retrieved).toMatchObject(created);
        expect('task_result' in retrieved.data).toBe(retrieved.status === 'completed');
      }),
    );
  });

  it('does not expose the vendor, the owner, or the storage', () => {
    const text = JSON.stringify(encodeVideo(task, view));
    for (const inner of INTERNAL_STRINGS) expect(text).not.toContain(inner);
  });
});
