import { z } from 'zod';
import { ContentSchema } from './content-schema.ts';
import { httpUrl, optionalText, positive, secretText, section, timerMs } from './field-types.ts';
import { KeySchema } from './key-schema.ts';
import { ModelSchema } from './model-schema.ts';
import { UpstreamSchema } from './upstream-schema.ts';
import { WebhooksSchema } from './webhooks-schema.ts';

export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

const DAY_MS = 24 * 3_600_000;
const MIB = 1024 ** 2;

const ServerSchema = section({
  host: z.string().min(1).default('127.0.0.1').describe('Address that the API listens on.'),
  port: z.int().min(0).max(65_535).default(8080).describe('Port that the API listens on; 0 picks a free one.'),
  public_url: httpUrl()
    .optional()
    .describe('Public URL of the API, used in URLs of responses. Absent: the host of the request.'),
  origins: z
    .array(z.string().regex(/^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+$/i, 'must be an origin such as https://app.example'))
    .optional()
    .describe(
      'Origins (`https://host:port`) whose pages may open realtime sessions. Absent: any page with a key; with `sk-test-local`, loopback pages only.',
    ),
  secret: secretText(16)
    .optional()
    .describe(
      'Signs opaque tokens and links, and encrypts webhook secrets; the same in every process. Absent: generated once and stored in the data folder.',
    ),
  admin_key: secretText(16).optional().describe('Credential of the admin API. Absent: the admin API is disabled.'),
});

const RedisSchema = section({
  url: z
    .string()
    .regex(/^(?:embedded$|rediss?:\/\/|unix:\/\/)/, 'must be `embedded` or a redis://, rediss:// or unix:// URL')
    .default('embedded')
    .describe(
      '`embedded` for a private server that starts and stops with Sluice, or a `redis://`, `rediss://` or `unix://` URL.',
    ),
  prefix: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, 'may contain only letters, digits, `_`, and `-`')
    .default('sluice')
    .describe('Prefix of every Redis key, and the hash tag that keeps the keys of one gateway in one cluster slot.'),
});

const TimeoutsSchema = section({
  submit_ms: timerMs(5_000).describe('One submission, without progress. Keep it under a third of `tasks.lock_ms`.'),
  poll_ms: timerMs(5_000).describe('One poll. Keep it under a third of `tasks.lock_ms`.'),
  image_ms: timerMs(180_000).describe('Timeout of one synchronous image call.'),
  image_wait_ms: timerMs(120_000).describe(
    'How long an image request waits for its task; then it returns 504 with the task id.',
  ),
  look_up_ms: timerMs(45_000).describe(
    'How long an upstream may take to list a new job before a missing job counts as never created.',
  ),
  download_idle_ms: timerMs(30_000).describe('Idle timeout of downloads from upstreams and of inputs.'),
  redis_ms: timerMs(2_000).describe('Timeout of one Redis command in the API process; then the request returns 503.'),
  text_first_ms: timerMs(600_000).describe('Time to the response status of calls without a task.'),
  text_idle_ms: timerMs(300_000).describe('Idle timeout between two chunks of such a response.'),
  realtime_idle_ms: timerMs(600_000).describe('Idle timeout of a realtime session, in both directions.'),
  realtime_session_ms: timerMs(3_600_000).describe('Maximum duration of a realtime session.'),
  keep_alive_ms: timerMs(15_000).describe("Idle time of a client's stream after which a keep-alive is sent."),
  shutdown_ms: timerMs(10_000).describe('Time to finish requests and steps after SIGTERM.'),
});

const PollingSchema = section({
  first_ms: timerMs(2_000).describe('From the acceptance of a task to its first poll.'),
  min_ms: timerMs(3_000).describe('Minimum wait between two polls of a task.'),
  max_ms: timerMs(30_000).describe('Maximum wait between two polls of a task.'),
  on_read_ms: timerMs(2_000).describe(
    "Minimum wait between two polls when a client's GET brings the next one forward.",
  ),
});

const TasksSchema = section({
  concurrency: positive(50).describe('Steps under way in one worker process per upstream account.'),
  lock_ms: timerMs(15_000).describe("Lock duration of a job. A stalled worker's tasks are retried after this time."),
  stall_check_ms: timerMs(5_000).describe('Interval between checks for tasks of stalled workers.'),
  sweep_ms: timerMs(5_000).describe('Interval between sweeps for tasks without a job.'),
  overdue_ms: timerMs(10_000).describe('How long past its due time a step may be before the sweeper wakes it again.'),
  queue_deadline_ms: positive(DAY_MS).describe('How long a task may wait before an upstream accepts it.'),
  run_deadline_ms: positive(3_600_000).describe('How long a task may run at an upstream that accepted it.'),
  submit_unknown_ms: positive(600_000).describe(
    'How long a lost submission is reconciled before the task fails with `submission_unknown`.',
  ),
  retry_min_ms: timerMs(1_000).describe(
    'First wait after a definite, retryable refusal; doubles up to `retry_max_ms`.',
  ),
  retry_max_ms: timerMs(30_000).describe('Longest wait after a definite, retryable refusal.'),
  retention_ms: positive(7 * DAY_MS).describe('How long records and content of ended tasks are kept.'),
});

const LimitsSchema = section({
  json_bytes: positive(32 * MIB).describe('Largest JSON body of a request.'),
  upload_bytes: positive(512 * MIB).describe('Largest multipart body of a request.'),
  spool_bytes: positive(4_096 * MIB).describe(
    'Disk space of one process for audio whose `model` field comes after the file; beyond it requests return 503.',
  ),
  header_bytes: positive(32 * 1024).describe('Largest header section of a request.'),
  download_bytes: positive(4_096 * MIB).describe('Largest file fetched from an upstream or as an input.'),
  realtime_frame_bytes: positive(32 * MIB).describe('Largest message of a client in a realtime session.'),
  answer_bytes: positive(64 * MIB).describe("Maximum size of an upstream's buffered text response."),
  on_outage: z
    .enum(['refuse', 'allow'])
    .default('refuse')
    .describe(
      'Text and direct calls of keys with a budget while Redis is unavailable or read-only: `refuse` returns 503, `allow` serves them uncounted.',
    ),
});

const RoutingSchema = section({
  failures: positive(5).describe('Consecutive failures of an upstream that open its circuit breaker.'),
  open_ms: positive(10_000).describe(
    'How long the circuit breaker stays open; doubles with each failed probe up to `max_open_ms`.',
  ),
  max_open_ms: positive(60_000).describe('Maximum time that a circuit breaker stays open.'),
});

/** The schema of `sluice.yaml`, with defaults. */
export const ConfigSchema = z.strictObject({
  server: ServerSchema,
  redis: RedisSchema,
  keys: z.array(KeySchema).default([]),
  upstreams: z
    .record(
      z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, 'may contain only letters, digits, `_`, and `-`'),
      UpstreamSchema,
    )
    .default({}),
  models: z.array(ModelSchema).default([]),
  defaults: section({
    video_model: optionalText().describe('Model of video requests without one.'),
    image_model: optionalText().describe('Model of image requests without one.'),
    moderation_model: optionalText().describe('Model of moderations without one.'),
    realtime_model: optionalText().describe('Model of realtime sessions without one.'),
  }),
  timeouts: TimeoutsSchema,
  polling: PollingSchema,
  tasks: TasksSchema,
  limits: LimitsSchema,
  responses: section({
    retention_ms: positive(30 * DAY_MS).describe('Retention of responses that no vendor stores.'),
  }),
  routing: RoutingSchema,
  content: ContentSchema,
  download: section({
    allow: z
      .array(httpUrl())
      .default([])
      .describe('Origins (`https://host:port`) that may be fetched even if their addresses are not public.'),
  }),
  webhooks: WebhooksSchema,
  sandbox: section({
    enabled: z
      .boolean()
      .optional()
      .describe('Whether the sandbox models are served. Absent: yes without a configuration file, no with one.'),
  }),
  log: section({ level: z.enum(LOG_LEVELS).default('info').describe('Minimum log level.') }),
});

/** Field names match the file, so that one search finds both. */
export type ConfigFile = z.output<typeof ConfigSchema>;
export type UpstreamConfig = ConfigFile['upstreams'][string];
export type ModelConfig = ConfigFile['models'][number];
export type KeyConfig = ConfigFile['keys'][number];

/** An upstream that is disabled because a credential is not set. */
export interface DisabledUpstream {
  name: string;
  variable: string;
}

/** A model that is disabled because all of its upstreams are. */
export interface DisabledModel {
  id: string;
  variables: string[];
}

/** Paths are absolute. Disabled upstreams and models are not in `upstreams` and `models`. */
export interface Config extends ConfigFile {
  /** Absent with the zero configuration. */
  file?: string;
  /** `SLUICE_DATA_DIR`, default `./.sluice`. */
  dataDir: string;
  contentDir: string;
  disabledUpstreams: DisabledUpstream[];
  disabledModels: DisabledModel[];
}
