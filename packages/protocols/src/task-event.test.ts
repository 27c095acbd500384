import type { MediaTask } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { INTERNAL_STRINGS, videoTask } from '../test/media-tasks.ts';
import { createEventEncoder, encodeTaskEvent, type TaskEvent } from './task-event.ts';

const event: TaskEvent = { id: 'evt_01', type: 'video.completed', at: 1_700_000_060_500, shape: 'event' };
const linkTo = (index: number): string => `https://gateway.test/content/${index}`;
const [video] = videoTask.outputs;
const { size: _none, ...imageTask }: MediaTask = { ...videoTask, id: 'image_01', kind: 'image', delivery: 'b64_json' };

describe('task event', () => {
  it('contains the video without its prompt', () => {
    expect(encodeTaskEvent(videoTask, event, linkTo)).toEqual({
      object: 'event',
      id: 'evt_01',
      type: 'video.completed',
      created_at: 1_700_000_060,
      timestamp: '2023-11-14T22:14:20.500Z',
      data: {
        id: 'video_01',
        object: 'video',
        model: 'film',
        status: 'completed',
        progress: 100,
        created_at: 1_700_000_000,
        seconds: '4',
        size: '1280x720',
        completed_at: 1_700_000_060,
        expires_at: 1_700_600_000,
        metadata: { url: 'https://gateway.test/content/0' },
      },
    });
  });

  it('contains the cause of a failure', () => {
    const error = { code: 'content_policy', message: 'No.' } as const;
    const failed = { ...videoTask, status: 'failed', error, outputs: [] } as const;
    expect(encodeTaskEvent({ ...failed, outputs: [] }, { ...event, type: 'video.failed' }, linkTo)).toMatchObject({
      type: 'video.failed',
      data: { status: 'failed', error },
    });
    const canceled: MediaTask = { ...videoTask, status: 'canceled', outputs: [] };
    expect(encodeTaskEvent(canceled, event, linkTo)).toMatchObject({ data: { error: { code: 'canceled' } } });
  });

  it('contains links to images, also for a client that requested bytes, and no rewritten prompt', () => {
    const error = { code: 'content_policy', message: 'No.' } as const;
    const outputs = [{ ...video, revisedPrompt: 'a kite, rewritten' }, { error }];
    const encoded = encodeTaskEvent({ ...imageTask, outputs }, { ...event, type: 'image.completed' }, linkTo);
    expect(encoded).toMatchObject({
      data: {
        id: 'image_01',
        object: 'image.task',
        status: 'completed',
        data: [{ url: 'https://gateway.test/content/0' }],
        failed: [{ index: 1, ...error }],
      },
    });
    expect(JSON.stringify(encoded)).not.toContain('kite');
    const failed = encodeTaskEvent({ ...imageTask, status: 'failed', outputs: [], error }, event, linkTo);
    expect(failed).toMatchObject({ data: { object: 'image.task', status: 'failed', error } });
  });
});

it('a callback of provider-a has Kling’s format within a retrieved task’s response', () => {
  const task = { ...videoTask, externalId: 'my-1' };
  const encoded = encodeTaskEvent(task, { ...event, shape: 'provider-a' }, linkTo);
  const videos = [{ id: 'video_01', url: 'https://gateway.test/content/0', duration: '4.042' }];
  const kling = {
    task_id: 'video_01',
    task_status: 'succeed',
    task_status_msg: '',
    task_info: { external_task_id: 'my-1' },
    created_at: 1_700_000_000_999,
    updated_at: 1_700_000_060_500,
    task_result: { videos },
  };
  expect(encoded).toMatchObject({ ...kling, code: 0, message: 'SUCCEED', data: kling, status: 'completed' });
});

it.each(['event', 'provider-a'] as const)('does not expose the vendor, the owner, or the storage as %s', (shape) => {
  const text = JSON.stringify(encodeTaskEvent(videoTask, { ...event, shape }, linkTo));
  for (const internal of [...INTERNAL_STRINGS, 'kite']) expect(text).not.toContain(internal);
});

it('contains only the id of an object that is no task', () => {
  const encode = createEventEncoder('a secret', undefined);
  expect(JSON.parse(encode({ id: 'resp_1' }, { ...event, type: 'response.completed' }))).toEqual({
    object: 'event',
    id: 'evt_01',
    type: 'response.completed',
    created_at: 1_700_000_060,
    timestamp: '2023-11-14T22:14:20.500Z',
    data: { id: 'resp_1' },
  });
});
