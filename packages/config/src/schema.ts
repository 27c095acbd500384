import { z } from 'zod';

/** The kinds of upstream that can be configured; each is a folder of `packages/upstreams`. */
export const UPSTREAM_KINDS = ['videos'] as const;

const ms = (value: number) => z.int().min(1).default(value);
const bytes = (value: number) => z.int().min(1).default(value);
const section = <T extends z.ZodRawShape>(shape: T) => z.strictObject(shape).prefault({} as never);

const ServerSchema = section({
  host: z.string().min(1).default('127.0.0.1'),
  port: z.int().min(0).max(65_535).default(8080),
});

const RedisSchema = section({
  /** `embedded`, or a `redis://`, `rediss://` or `unix://` URL. */
  url: z.string().min(1).default('embedded'),
  /** First part of every Redis key; also the hash tag that keeps all keys of one Sluice in one cluster slot. */
  prefix: z
    .string()
    .regex(/^[a-z0-9_-]+$/i)
    .default('sluice'),
});

const KeySchema = z.strictObject({
  name: z.string().min(1),
  key: z.string().min(8, 'an API key needs at least 8 characters'),
  /** Models that the key may use; `*` stands for any run of characters. Absent: all. */
  models: z.array(z.string().min(1)).optional(),
});

const UpstreamSchema = z.strictObject({
  kind: z.enum(UPSTREAM_KINDS),
  base_url: z.url({ protocol: /^https?$/ }),
  api_key: z.string().optional(),
  access_key: z.string().optional(),
  secret_key: z.string().optional(),
  /** Videos that may run at this account at once; more wait their turn. Absent: no cap. */
  max_in_flight: z.int().min(1).optional(),
  /** Submissions under way at this account at once, over all workers. */
  max_submitting: z.int().min(1).default(16),
});

const ModelSchema = z.strictObject({
  id: z.string().min(1),
  routes: z.array(z.strictObject({ upstream: z.string().min(1), model: z.string().min(1) })).min(1),
  /** Duration told for a task whose client asked for none, until the upstream says better. */
  default_seconds: z.string().default('4'),
  /** How long a task of this model may run at the upstream. Absent: `tasks.run_deadline_ms`. */
  run_deadline_ms: z.int().min(1).optional(),
});

const TimeoutsSchema = section({
  /** One submission, without progress. Keep it under a third of `tasks.lock_ms`. */
  submit_ms: ms(5_000),
  /** One poll. Keep it under a third of `tasks.lock_ms`. */
  poll_ms: ms(5_000),
  /** A download from an upstream or of an input, without a byte coming in. */
  download_idle_ms: ms(30_000),
  /** One Redis command of the API process; past it the request is answered with 503. */
  redis_ms: ms(2_000),
  /** Finishing requests and steps when a process is asked to stop. */
  shutdown_ms: ms(10_000),
});

const PollingSchema = section({
  first_ms: ms(2_000),
  min_ms: ms(3_000),
  max_ms: ms(30_000),
  /** A client that looks may bring the next poll forward, but never closer to the last one than this. */
  on_read_ms: ms(2_000),
});

const TasksSchema = section({
  /** Steps under way in one worker process per upstream account. */
  concurrency: z.int().min(1).default(50),
  lock_ms: ms(15_000),
  stall_check_ms: ms(5_000),
  sweep_ms: ms(5_000),
  /** How long past its due time a step may be before the sweeper wakes it again. */
  overdue_ms: ms(10_000),
  queue_deadline_ms: ms(24 * 3_600_000),
  run_deadline_ms: ms(3_600_000),
  submit_unknown_ms: ms(600_000),
  /** First wait after a definite, retryable refusal; doubles up to `retry_max_ms`. */
  retry_min_ms: ms(1_000),
  retry_max_ms: ms(30_000),
  retention_ms: ms(7 * 24 * 3_600_000),
});

const LimitsSchema = section({
  json_bytes: bytes(32 * 1024 * 1024),
  upload_bytes: bytes(512 * 1024 * 1024),
  header_bytes: bytes(32 * 1024),
  download_bytes: bytes(4 * 1024 * 1024 * 1024),
});

/** The whole configuration as `sluice.yaml` spells it, defaults filled in. */
export const ConfigSchema = z.strictObject({
  server: ServerSchema,
  redis: RedisSchema,
  keys: z.array(KeySchema).default([]),
  upstreams: z.record(z.string().regex(/^[a-z0-9][a-z0-9_-]*$/i), UpstreamSchema).default({}),
  models: z.array(ModelSchema).default([]),
  defaults: section({
    /** Model of a video request that names none. */
    video_model: z.string().optional(),
  }),
  timeouts: TimeoutsSchema,
  polling: PollingSchema,
  tasks: TasksSchema,
  limits: LimitsSchema,
  content: section({
    /** Folder of the content store. Absent: `content` in the data folder. */
    dir: z.string().min(1).optional(),
  }),
  download: section({
    /** Origins (`https://host:port`) that may be fetched although their addresses are not public. */
    allow: z.array(z.url()).default([]),
  }),
  sandbox: section({
    /** Whether the stand-in vendor's models are served. Absent: yes without a configuration file, no with one. */
    enabled: z.boolean().optional(),
  }),
  log: section({
    level: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  }),
});

/** {@link ConfigSchema} after parsing. Names are those of the file, so that each is found by one search. */
export type ConfigFile = z.output<typeof ConfigSchema>;
/** An enabled upstream account. */
export type UpstreamConfig = ConfigFile['upstreams'][string];
/** A model that clients can ask for. */
export type ModelConfig = ConfigFile['models'][number];
/** An API key as configured. */
export type KeyConfig = ConfigFile['keys'][number];

/** An upstream that is left out because a credential it names is not set. */
export interface DisabledUpstream {
  name: string;
  /** The environment variable that is missing. */
  variable: string;
}

/** What a process runs on: the file's sections and what was resolved around them. */
export interface Config extends ConfigFile {
  /** Path of the file that was read; absent with the zero configuration. */
  file?: string;
  /** Absolute path of the data folder (`SLUICE_DATA_DIR`, default `./.sluice`). */
  dataDir: string;
  /** Absolute path of the content store's folder. */
  contentDir: string;
  /** Upstreams with a missing credential; they are not in `upstreams`. */
  disabledUpstreams: DisabledUpstream[];
}
