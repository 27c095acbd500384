import { type MediaTask, TASK_ERROR_CODES, TASK_STATUSES } from '@sluice/canonical';
import fc from 'fast-check';
import type { TaskView } from '../src/index.ts';

/** A completed video task. Responses must not expose the vendor, owner, or storage key in its record. */
export const videoTask: MediaTask = {
  id: 'video_01',
  kind: 'video',
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
  outputs: [
    {
      content: {
        key: 'videos/secret.mp4',
        bytes: 10,
        etag: 'e',
        mediaType: 'video/mp4',
        video: { durationMs: 4_042, width: 1280, height: 720, fps: 24 },
      },
    },
  ],
  upstream: 'account-7',
  route: 0,
  upstreamModel: 'vendor-model',
  upstreamBaseUrl: 'https://vendor.test',
  attempt: 1,
  upstreamId: 'up_1',
  upstreamPath: '/vendor/path',
  polls: 2,
  unclearPolls: 0,
  cancelRequested: false,
  deleted: false,
};

/** Strings in {@link videoTask} that must not appear in a response. */
export const INTERNAL_STRINGS = ['up_1', 'vendor', 'account-7', 'owner', 'secret.mp4'] as const;

/** The view of {@link videoTask}. */
export const view: TaskView = {
  contentUrl: 'http://gateway.test/v1/videos/video_01/content',
  requestId: 'req_1',
  elapsedMs: 12.34,
};

const time = fc.integer({ min: 0, max: 4_000_000_000_000 });

/** Generates a video task in any state with any combination of known fields. */
export const anyVideoTask: fc.Arbitrary<MediaTask> = fc
  .record(
    {
      status: fc.constantFrom(...TASK_STATUSES),
      model: fc.string(),
      progress: fc.double({ min: 0, max: 100, noNaN: true }),
      seconds: fc.stringMatching(/^\d{1,3}$/),
      createdAt: time,
      outputs: fc.constantFrom(videoTask.outputs, []),
      prompt: fc.string(),
      size: fc.constant('640x360'),
      seed: fc.integer(),
      externalId: fc.string({ minLength: 1 }),
      remixedFrom: fc.string({ minLength: 1 }),
      polledAt: time,
      completedAt: time,
      expiresAt: time,
      costNanos: fc.maxSafeInteger().map(Math.abs),
      unpriced: fc.constant(true as const),
      error: fc.record({ code: fc.constantFrom(...TASK_ERROR_CODES), message: fc.string() }),
    },
    { requiredKeys: ['status', 'model', 'progress', 'seconds', 'createdAt', 'outputs'] },
  )
  .map((changes) => {
    const { size: _s, prompt: _p, completedAt: _c, expiresAt: _e, ...rest } = videoTask;
    return Object.assign(changes, { ...rest, ...changes });
  });
