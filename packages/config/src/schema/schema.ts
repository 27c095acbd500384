import { z } from 'zod';
import { ConsoleSchema } from './console-schema.ts';
import { ContentSchema } from './content-schema.ts';
import { httpUrl, isAddressOrRange, optionalText, positive, secretText, section, timerMs } from './field-types.ts';
import { KeySchema } from './key-schema.ts';
import { LedgerSchema } from './ledger-schema.ts';
import { ModelSchema } from './model-schema.ts';
import { RedisSchema } from './redis-schema.ts';
import { SourceSchema } from './source-schema.ts';
import { UpstreamSchema } from './upstream-schema.ts';
import { BatchesSchema, FilesSchema, VideoGroupsSchema } from './files-schema.ts';
import { WebhooksSchema } from './webhooks-schema.ts';

export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

const DAY_MS = 24 * 3_600_000;
const MIB = 1024 ** 2;
const MAX_PROCESSES = 256;

const ServerSchema = section({
  host: z.string().min(1).default('127.0.0.1').describe('The address that the API listens on.'),
  port: z
    .int()
    .min(0)
    .max(65_535)
    .default(8080)
    .describe('The port that the API listens on. With 0, the system selects a free port.'),
  processes: z
    .union([z.int().min(1).max(MAX_PROCESSES), z.literal('auto')], {
      error: `must be a number from 1 to ${MAX_PROCESSES}, or \`auto\``,
    })
    .default(1)
    .describe('The number of API processes that share the port. `auto` starts one for each CPU core.'),
  public_url: httpUrl()
    .optional()
    .describe(
      'The public URL of the API. URLs in responses begin with it. If omitted, they begin with the host of the request.',
    ),
  origins: z
    .array(z.string().regex(/^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+$/i, 'must be an origin such as https://app.example'))
    .optional()
    .describe(
      'Origins (`https://host:port`) whose pages can open realtime sessions. If omitted, pages of all origins can. The key `sk-test-local` always works only for pages on the same machine.',
    ),
  trusted_proxies: z
    .array(z.string().refine(isAddressOrRange, 'must be an IP address, or a range such as 10.0.0.0/8'))
    .default([])
    .describe(
      'Addresses and ranges of proxies. Only if a request comes from one of them, Sluice reads the address of the client from `X-Forwarded-For`.',
    ),
  secret: secretText(16)
    .optional()
    .describe(
      'The secret that signs opaque tokens and links, and encrypts webhook secrets. All processes need the same secret. If omitted, Sluice generates one and stores it in the data folder.',
    ),
  admin_key: secretText(16)
    .optional()
    .describe('The credential of the admin API. If it and `console.oidc` are omitted, the admin API is disabled.'),
});

const TimeoutsSchema = section({
  submit_ms: timerMs(5_000).describe(
    'The timeout of a submission that makes no progress. Keep it under a third of `tasks.lock_ms`.',
  ),
  poll_ms: timerMs(5_000).describe('The timeout of one poll. Keep it under a third of `tasks.lock_ms`.'),
  image_ms: timerMs(180_000).describe('The timeout of a call that returns the images in its response.'),
  image_wait_ms: timerMs(120_000).describe(
    'The maximum time that an image request waits for its task. After that, it returns 504 with the task id.',
  ),
  look_up_ms: timerMs(45_000).describe(
    'The time that a vendor can need until its API lists a new job. After that, Sluice assumes that a missing job was never created.',
  ),
  download_idle_ms: timerMs(30_000).describe('The idle timeout of downloads (files from upstreams, and input files).'),
  redis_ms: timerMs(2_000).describe(
    'The timeout of one Redis command in the API process. After that, the request returns 503.',
  ),
  text_first_ms: timerMs(600_000).describe('The maximum time until the response status of a text or direct call.'),
  text_idle_ms: timerMs(300_000).describe('The maximum time between two chunks of a text or direct response.'),
  realtime_idle_ms: timerMs(600_000).describe(
    'The maximum time without events in a realtime session. After that, Sluice ends the session.',
  ),
  realtime_session_ms: timerMs(3_600_000).describe('The maximum duration of a realtime session.'),
  keep_alive_ms: timerMs(15_000).describe('The idle time after which Sluice sends a keep-alive to a streaming client.'),
  shutdown_ms: timerMs(10_000).describe('The time that a process has to finish requests and steps after SIGTERM.'),
});

const PollingSchema = section({
  first_ms: timerMs(2_000).describe(
    "The time from a task's acceptance to its first poll, if the model's usual time is unknown.",
  ),
  min_ms: timerMs(3_000).describe('The minimum time between two polls of a task.'),
  max_ms: timerMs(30_000).describe('The maximum time between two polls of a task.'),
  on_read_ms: timerMs(2_000).describe(
    "The minimum time between two polls if a client's GET makes the next poll earlier.",
  ),
});

const TasksSchema = section({
  concurrency: positive(50).describe(
    'The maximum number of concurrent steps in one worker process, per upstream account.',
  ),
  lock_ms: timerMs(15_000).describe(
    'The lock duration of a job. If a worker stalls, its tasks are retried after this time.',
  ),
  stall_check_ms: timerMs(5_000).describe('The interval between checks for tasks of stalled workers.'),
  sweep_ms: timerMs(5_000).describe('The interval between runs of the sweeper, which wakes overdue tasks.'),
  overdue_ms: timerMs(10_000).describe('The time that a step can be overdue before the sweeper wakes its task.'),
  queue_deadline_ms: positive(DAY_MS).describe('The maximum time until an upstream accepts a task.'),
  run_deadline_ms: positive(3_600_000).describe('The maximum time that a task runs at an upstream.'),
  submit_unknown_ms: positive(600_000).describe(
    'The time that Sluice searches for the job of a lost submission. After that, the task fails with `submission_unknown`.',
  ),
  retry_min_ms: timerMs(1_000).describe(
    'The first wait after a vendor refuses a submission with a retryable error. The wait doubles after each refusal, up to `retry_max_ms`.',
  ),
  retry_max_ms: timerMs(30_000).describe('The maximum wait after a retryable refusal.'),
  retention_ms: positive(7 * DAY_MS).describe(
    'The time for which Sluice keeps the record and the files of a task that has ended.',
  ),
});

const LimitsSchema = section({
  json_bytes: positive(32 * MIB).describe('The maximum size of a JSON body.'),
  upload_bytes: positive(512 * MIB).describe('The maximum size of a multipart body.'),
  spool_bytes: positive(4_096 * MIB).describe(
    'The disk space of one process for audio uploads that have `model` after the file. Above it, requests return 503.',
  ),
  header_bytes: positive(32 * 1024).describe("The maximum size of a request's headers."),
  download_bytes: positive(4_096 * MIB).describe(
    'The maximum size of a file that Sluice downloads, from an upstream or as an input.',
  ),
  realtime_frame_bytes: positive(32 * MIB).describe("The maximum size of a client's message in a realtime session."),
  answer_bytes: positive(64 * MIB).describe("The maximum size of an upstream's buffered text response."),
  on_outage: z
    .enum(['refuse', 'allow'])
    .default('refuse')
    .describe(
      'The behavior for text and direct calls of keys with a budget while Redis is unavailable or read-only. `refuse` returns 503. `allow` serves the calls without counting them.',
    ),
});

const RoutingSchema = section({
  failures: positive(5).describe("The number of consecutive failures after which an upstream's circuit breaker opens."),
  open_ms: positive(10_000).describe(
    'The time that a circuit breaker stays open. It doubles with each failed test request, up to `max_open_ms`.',
  ),
  max_open_ms: positive(60_000).describe('The maximum time that a circuit breaker stays open.'),
  retry_percent: z
    .int()
    .min(0)
    .max(1_000)
    .default(100)
    .describe(
      'Maximum calls of other upstreams after a failure, and of hedged requests, as a percentage of the requests of a model. The first 100 are free.',
    ),
});

/** The schema of `sluice.yaml`, with defaults. */
export const ConfigSchema = z.strictObject({
  server: ServerSchema,
  redis: RedisSchema,
  config: SourceSchema,
  keys: z.array(KeySchema).default([]),
  upstreams: z
    .record(
      z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, 'may contain only letters, digits, `_`, and `-`'),
      UpstreamSchema,
    )
    .default({}),
  models: z.array(ModelSchema).default([]),
  defaults: section({
    video_model: optionalText().describe('The model for video requests without a `model`.'),
    image_model: optionalText().describe('The model for image requests without a `model`.'),
    moderation_model: optionalText().describe('The model for moderation requests without a `model`.'),
    realtime_model: optionalText().describe('The model for realtime sessions without a `model`.'),
  }),
  timeouts: TimeoutsSchema,
  polling: PollingSchema,
  tasks: TasksSchema,
  limits: LimitsSchema,
  responses: section({
    store: z
      .enum(['vendor', 'gateway'])
      .default('vendor')
      .describe(
        'The storage of responses of vendors with the Responses API. With `gateway`, Sluice keeps copies too, so that `previous_response_id` continues on another upstream if the vendor fails.',
      ),
    retention_ms: positive(30 * DAY_MS).describe('The time for which Sluice keeps a response that it stores itself.'),
    max_running: positive(100).describe(
      'The maximum number of background responses that a worker runs at the same time.',
    ),
    retry_unknown: z
      .boolean()
      .default(true)
      .describe(
        'Whether a background response whose worker died during the call is generated again, which can cost twice. If `false`, it fails.',
      ),
    log_bytes: positive(16 * MIB).describe(
      'The maximum size of the stored events of a background response. Beyond it, Sluice drops the oldest events.',
    ),
  }),
  routing: RoutingSchema,
  content: ContentSchema,
  files: FilesSchema,
  batches: BatchesSchema,
  video_groups: VideoGroupsSchema,
  download: section({
    allow: z
      .array(httpUrl())
      .default([])
      .describe('Origins (`https://host:port`) from which Sluice can download even if their addresses are not public.'),
  }),
  webhooks: WebhooksSchema,
  ledger: LedgerSchema,
  console: ConsoleSchema,
  sandbox: section({
    enabled: z
      .boolean()
      .optional()
      .describe('Whether Sluice serves the sandbox models. If omitted, it does so only without a configuration file.'),
  }),
  log: section({ level: z.enum(LOG_LEVELS).default('info').describe('Minimum log level.') }),
});

/** The fields have the same names as in the file, so that one search finds both. */
export type ConfigFile = z.output<typeof ConfigSchema>;
export type UpstreamConfig = ConfigFile['upstreams'][string];
export type ModelConfig = ConfigFile['models'][number];
export type KeyConfig = ConfigFile['keys'][number];

/** An upstream that is disabled because a credential is not set. */
export interface DisabledUpstream {
  name: string;
  variable: string;
}

/** A model that is disabled because all of its upstreams are disabled. */
export interface DisabledModel {
  id: string;
  variables: string[];
}

/** Paths are absolute. Disabled upstreams and models are not in `upstreams` and `models`. */
export interface Config extends ConfigFile {
  /** The configuration file. Absent for the zero configuration. */
  file?: string;
  /** The value of `SLUICE_DATA_DIR`; the default is `./.sluice`. */
  dataDir: string;
  contentDir: string;
  disabledUpstreams: DisabledUpstream[];
  disabledModels: DisabledModel[];
}
