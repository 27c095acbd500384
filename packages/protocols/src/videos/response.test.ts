import { type MediaTask, TASK_ERROR_CODES, TASK_STATUSES } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeDeleted, encodePage, encodeVideo } from './response.ts';
import { DeletedVideoSchema, VideoPageSchema, VideoSchema } from './schema.ts';

const task: MediaTask = {
  id: 'video_01',
  ownerId: 'owner',
  status: 'completed',
  revision: 9,
  epoch: 3,
  model: 'film',
  progress: 100,
  seconds: '4',
  size: '1280x720',
  prompt: 'a kite',
  createdAt: 1_700_000_000_999,
  deadlineAt: 1_700_000_900_000,
  completedAt: 1_700_000_060_500,
  expiresAt: 1_700_600_000_000,
  content: { key: 'videos/secret.mp4', bytes: 10, etag: 'e', mediaType: 'video/mp4' },
  upstream: 'account-7',
  route: 0,
  upstreamModel: 'vendor-model',
  upstreamBaseUrl: 'https://vendor.test',
  attempt: 1,
  upstreamId: 'up_1',
  polls: 2,
  unclearPolls: 0,
  cancelRequested: false,
  deleted: false,
};
const URL = 'http://gateway.test/v1/videos/video_01/content';
const time = fc.integer({ min: 0, max: 4_000_000_000_000 });

const anyTask: fc.Arbitrary<MediaTask> = fc
  .record(
    {
      status: fc.constantFrom(...TASK_STATUSES),
      model: fc.string(),
      progress: fc.double({ min: 0, max: 100, noNaN: true }),
      seconds: fc.stringMatching(/^\d{1,3}$/),
      createdAt: time,
      prompt: fc.string(),
      size: fc.string(),
      completedAt: time,
      expiresAt: time,
      error: fc.record({ code: fc.constantFrom(...TASK_ERROR_CODES), message: fc.string() }),
    },
    { requiredKeys: ['status', 'model', 'progress', 'seconds', 'createdAt'] },
  )
  .map((told) => {
    const { size: _s, prompt: _p, completedAt: _c, expiresAt: _e, ...rest } = task;
    return Object.assign(told, { ...rest, ...told });
  });

describe('encodeVideo', () => {
  it('always has the seven required fields with their types, and one of the four status words', () => {
    fc.assert(
      fc.property(anyTask, (any) => {
        const video = encodeVideo(any, URL);
        expect(VideoSchema.strict().parse(video)).toEqual(video);
        expect(video.object).toBe('video');
        expect(['queued', 'in_progress', 'completed', 'failed']).toContain(video.status);
        for (const whole of [video.progress, video.created_at]) expect(Number.isInteger(whole)).toBe(true);
        for (const text of [video.id, video.model, video.seconds]) expect(typeof text).toBe('string');
      }),
    );
  });

  it('leaves out what is not known: nothing is null or undefined', () => {
    fc.assert(
      fc.property(anyTask, (any) => {
        const values = Object.values(encodeVideo(any, URL));
        expect(values.filter((value) => value === null || value === undefined)).toEqual([]);
      }),
    );
  });

  it('has an error exactly when the status is failed, and a URL exactly when it is completed', () => {
    fc.assert(
      fc.property(anyTask, (any) => {
        const video = encodeVideo(any, URL);
        expect('error' in video).toBe(video.status === 'failed');
        expect('metadata' in video).toBe(video.status === 'completed');
        if (video.status !== 'completed') {
          expect(video).not.toHaveProperty('completed_at');
          expect(video).not.toHaveProperty('expires_at');
        }
      }),
    );
  });

  it('tells times in whole Unix seconds', () => {
    expect(encodeVideo(task, URL)).toMatchObject({
      created_at: 1_700_000_000,
      completed_at: 1_700_000_060,
      expires_at: 1_700_600_000,
    });
  });

  it('tells nothing of the vendor, the owner or the store', () => {
    const text = JSON.stringify(encodeVideo(task, URL));
    for (const inner of ['up_1', 'vendor', 'account-7', 'owner', 'secret.mp4']) expect(text).not.toContain(inner);
  });

  it('tells a cancelation as a failure that says so', () => {
    expect(encodeVideo({ ...task, status: 'canceled' }, URL)).toMatchObject({
      status: 'failed',
      error: { code: 'canceled' },
    });
  });
});

describe('encodePage', () => {
  it('tells the first and last id, and whether there is more', () => {
    const page = encodePage([task, { ...task, id: 'video_02' }], true, (id) => `http://g.test/${id}`);
    expect(VideoPageSchema.parse(page)).toEqual(page);
    expect(page).toMatchObject({ object: 'list', first_id: 'video_01', last_id: 'video_02', has_more: true });
    expect(page.data.map(({ metadata }) => metadata?.url)).toEqual([
      'http://g.test/video_01',
      'http://g.test/video_02',
    ]);
  });

  it('says null for the ids of an empty page', () => {
    expect(encodePage([], false, () => '')).toEqual({
      object: 'list',
      data: [],
      first_id: null,
      last_id: null,
      has_more: false,
    });
  });
});

it('encodeDeleted spells what SDKs expect of a deletion', () => {
  expect(DeletedVideoSchema.parse(encodeDeleted('video_01'))).toEqual({
    id: 'video_01',
    object: 'video.deleted',
    deleted: true,
  });
});
