type Layer = Readonly<Record<string, unknown>>;

export interface WireError {
  code?: string;
  type?: string;
  message?: string;
}

export interface WireJob {
  id?: string;
  status?: string;
  /** Percentage from 0 to 100. */
  progress?: number;
  model?: string;
  prompt?: string;
  /** The upstream's id of the original video. Set if this video is a remix. */
  remixedFrom?: string;
  /** A positive decimal number. */
  seconds?: string;
  /** Size of the video, as `WIDTHxHEIGHT`. */
  size?: string;
  /** Unix milliseconds. */
  createdAt?: number;
  /** Unix milliseconds. */
  expiresAt?: number;
  url?: string;
  error?: WireError;
}

function layer(value: unknown): Layer | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

/**
 * Returns the first existing value as text. Also accepts numbers, because resellers send ids and durations as numbers.
 * Skips integers that JSON has rounded because they are too large.
 */
function first(layers: readonly Layer[], ...fields: string[]): string | undefined {
  for (const one of layers) {
    for (const field of fields) {
      const value = one[field];
      if (typeof value === 'string' && value.trim() !== '') return value.trim();
      if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return String(value);
    }
  }
  return undefined;
}

function decimal(text: string | undefined): string | undefined {
  const digits = text === undefined ? undefined : /^(\d{1,6}(?:\.\d{1,3})?)\s*s?$/.exec(text)?.[1];
  return digits !== undefined && Number(digits) > 0 ? String(Number(digits)) : undefined;
}

function percentage(text: string | undefined): number | undefined {
  const digits = text === undefined ? undefined : /^(\d{1,6}(?:\.\d+)?)\s*%?$/.exec(text)?.[1];
  return digits === undefined ? undefined : Math.min(Math.floor(Number(digits)), 100);
}

/** Converts seconds, milliseconds, or an ISO date to Unix milliseconds. Some vendors send 0 if a time is not set. */
function time(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,13}(\.\d+)?$/.test(text)) {
    const value = Number(text);
    if (value === 0) return undefined;
    return Math.floor(value < 100_000_000_000 ? value * 1000 : value);
  }
  const parsed = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(parsed) ? undefined : parsed;
}

function frameSize(text: string | undefined): string | undefined {
  const match = text === undefined ? null : /^(\d{1,5})\s*[x×*]\s*(\d{1,5})$/i.exec(text);
  return match === null ? undefined : `${match[1]}x${match[2]}`;
}

/** Reads an error: `{error: {code, type, message}}`, `{error: "…"}`, or the same fields without `error`. */
export function readWireError(body: unknown): WireError | undefined {
  const top = layer(body);
  if (top === undefined) return undefined;
  const inner = [layer(top['data']), layer(top['output'])].filter((one) => one !== undefined);
  const layers = [top, ...inner];
  const errors = layers.map((one) => layer(one['error'])).filter((one) => one !== undefined);
  const text = layers.map((one) => one['error']).find((error) => typeof error === 'string' && error.trim() !== '');
  const code = first(errors, 'code') ?? first(layers, 'code');
  const type = first(errors, 'type');
  const message =
    first(errors, 'message') ?? (typeof text === 'string' ? text : first(layers, 'fail_reason', 'message'));
  return (code ?? type ?? message) === undefined ? undefined : { code, type, message };
}

/**
 * Reads a video object. Resellers of OpenAI's protocol may put the job into `data` or `output`, and may send
 * percentages as text. The file's URL is at the top level, in `metadata`, or in `output`. The inner object takes
 * precedence, because an outer `success` refers only to the response, while the job may still be running.
 * @returns undefined if the response is not an object
 */
export function readJob(body: unknown): WireJob | undefined {
  const top = layer(body);
  if (top === undefined) return undefined;
  const data = layer(top['data']);
  const inside = [layer(data?.['output']), layer(top['output']), layer(data?.['data']), data].filter(
    (one) => one !== undefined,
  );
  const layers = [...inside, top];
  const sources = [...layers, ...layers.map((one) => layer(one['metadata'])).filter((one) => one !== undefined)];
  return {
    id: first([top, ...inside], 'id', 'task_id'),
    status: first(layers, 'status', 'task_status', 'state')?.toLowerCase(),
    progress: percentage(first(layers, 'progress')),
    model: first(layers, 'model'),
    prompt: first(layers, 'prompt'),
    remixedFrom: first(layers, 'remixed_from_video_id'),
    seconds: decimal(first(layers, 'seconds', 'duration')),
    size: frameSize(first(layers, 'size')),
    createdAt: time(first(layers, 'created_at')),
    expiresAt: time(first(layers, 'expires_at')),
    url: first(sources, 'video_url', 'url'),
    error: readWireError(body),
  };
}

interface WirePage {
  jobs: WireJob[];
  hasMore?: boolean;
  lastId?: string;
}

export function readPage(body: unknown): WirePage | undefined {
  const page = layer(body);
  if (!page || !Array.isArray(page['data'])) return undefined;
  const jobs = page['data'].map(readJob).filter((job) => job !== undefined);
  const hasMore = typeof page['has_more'] === 'boolean' ? page['has_more'] : undefined;
  return { jobs, hasMore, lastId: first([page], 'last_id') ?? jobs.at(-1)?.id };
}
