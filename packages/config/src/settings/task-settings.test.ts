import { describe, expect, it } from 'vitest';
import { type Config, ConfigSchema } from '../schema/schema.ts';
import { accountCaps, taskSettings } from './task-settings.ts';
import { capabilitiesOfKind, UPSTREAM_KINDS } from '../schema/kinds.ts';

const config: Config = {
  ...ConfigSchema.parse({
    upstreams: {
      capped: { kind: 'videos', base_url: 'http://a', max_in_flight: 3, max_submitting: 2 },
      open: { kind: 'videos', base_url: 'http://b' },
      text: { kind: 'messages', base_url: 'http://c' },
    },
    models: [{ id: 'slow-*', routes: [{ upstream: 'open', model: 'm' }], run_deadline_ms: 7 }],
    tasks: { run_deadline_ms: 5 },
    polling: { first_ms: 11 },
  }),
  dataDir: '/data',
  contentDir: '/data/content',
  disabledUpstreams: [],
  disabledModels: [],
};

describe('taskSettings', () => {
  it('uses the deadline of the resolved model, or else the default deadline', () => {
    const { runDeadlineMs } = taskSettings(config);
    expect([runDeadlineMs('slow-clip'), runDeadlineMs('other')]).toEqual([7, 5]);
  });

  it('passes every number of the file to the engine', () => {
    expect(taskSettings(config)).toMatchObject({
      polling: { firstMs: 11, minMs: 3000, maxMs: 30_000, onReadMs: 2000 },
      lockMs: 15_000,
      retentionMs: 604_800_000,
      concurrency: 50,
      uploadBytes: 536_870_912,
    });
  });
});

describe('accountCaps', () => {
  it('covers every media kind and no other', () => {
    const accounts = UPSTREAM_KINDS.map((kind) => [kind, { kind, base_url: 'http://a' }]);
    const { upstreams } = ConfigSchema.parse({ upstreams: Object.fromEntries(accounts) });
    const makers = UPSTREAM_KINDS.filter((kind) =>
      capabilitiesOfKind(kind).some((capability) => capability === 'video' || capability === 'image'),
    );
    expect(Object.keys(accountCaps({ ...config, upstreams }))).toEqual(makers);
    expect(makers).toEqual(expect.arrayContaining(['videos', 'chat-completions', 'provider-b', 'replicate']));
  });

  it('limits each media upstream, with no in-flight limit by default', () => {
    expect(accountCaps(config)).toEqual({
      capped: { maxInFlight: 3, maxSubmitting: 2 },
      open: { maxInFlight: undefined, maxSubmitting: 16 },
    });
    const tasks = { ...config.tasks, concurrency: 16 };
    expect(accountCaps({ ...config, tasks })).toMatchObject({ open: { maxSubmitting: 15 } });
  });
});
