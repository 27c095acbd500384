import type { Config, ConfigFile } from '../schema/schema.ts';

type Effect = 'reload' | 'restart';

/**
 * Whether a changed field applies with a reload or only after a restart. The longest matching name decides. Sockets,
 * connections to Redis and stores, locks, and buffers are created once at the start.
 */
const EFFECTS = {
  server: 'restart',
  redis: 'restart',
  config: 'restart',
  keys: 'reload',
  upstreams: 'reload',
  models: 'reload',
  defaults: 'reload',
  timeouts: 'reload',
  'timeouts.redis_ms': 'restart',
  'timeouts.shutdown_ms': 'restart',
  polling: 'reload',
  tasks: 'reload',
  'tasks.concurrency': 'restart',
  'tasks.lock_ms': 'restart',
  'tasks.stall_check_ms': 'restart',
  'tasks.sweep_ms': 'restart',
  'tasks.overdue_ms': 'restart',
  'tasks.retention_ms': 'restart',
  limits: 'reload',
  'limits.json_bytes': 'restart',
  'limits.upload_bytes': 'restart',
  'limits.spool_bytes': 'restart',
  'limits.header_bytes': 'restart',
  responses: 'reload',
  routing: 'reload',
  console: 'restart',
  'console.trace_url': 'reload',
  content: 'restart',
  files: 'restart',
  batches: 'restart',
  video_groups: 'restart',
  download: 'reload',
  webhooks: 'restart',
  'webhooks.allow': 'reload',
  ledger: 'restart',
  sandbox: 'reload',
  log: 'reload',
} as const satisfies Record<keyof ConfigFile, Effect> & Record<string, Effect>;

const BY_NAME: ReadonlyMap<string, Effect> = new Map(Object.entries(EFFECTS));

/** Sections with fields of both effects, or whose fields all need a restart. */
const FIXED_SECTIONS = [...BY_NAME].flatMap(([name, effect]) =>
  effect === 'restart' ? [name.split('.', 1)[0] as keyof ConfigFile] : [],
); // The cast is safe because the table contains only names of sections and of their fields.

/** @param field a field of a section, e.g. `limits.json_bytes` or `server.port` */
export function needsRestart(field: string): boolean {
  const [section = '', name = ''] = field.split(/[.[]/, 2);
  return (BY_NAME.get(`${section}.${name}`) ?? BY_NAME.get(section)) === 'restart';
}

/** Returns the configuration that a process can apply: the new one, but with its own fields that need a restart. */
export function keepRestartFields(running: Config, next: Config): Config {
  const kept = new Map<string, unknown>();
  for (const section of new Set(FIXED_SECTIONS)) {
    const [own, other] = [fieldsOf(running[section]), fieldsOf(next[section])];
    const names = new Set([...Object.keys(own), ...Object.keys(other)]);
    const fields = [...names].map((name): [string, unknown] => [
      name,
      (needsRestart(`${section}.${name}`) ? own : other)[name],
    ]);
    kept.set(section, Object.fromEntries(fields.filter(([, value]) => value !== undefined)));
  }
  const { dataDir, contentDir } = running;
  return { ...next, ...(Object.fromEntries(kept) as Partial<ConfigFile>), dataDir, contentDir }; // The cast is safe because each section has the fields of a parsed one.
}

function fieldsOf(section: ConfigFile[keyof ConfigFile]): Readonly<Record<string, unknown>> {
  return section as Record<string, unknown>; // The cast is safe because these sections are objects.
}
