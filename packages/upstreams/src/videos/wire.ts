import { z } from 'zod';

const MAX = Number.MAX_SAFE_INTEGER;

/**
 * A value as text. Numbers are accepted because resellers send ids and durations as numbers, except integers so large
 * that JSON rounded them.
 */
const Text = z
  .union([z.string(), z.number().transform((value) => (Math.abs(value) <= MAX ? String(value) : undefined))])
  .optional()
  .catch(undefined);

const TEXT_FIELDS = {
  id: Text,
  task_id: Text,
  status: Text,
  task_status: Text,
  state: Text,
  progress: Text,
  model: Text,
  prompt: Text,
  seconds: Text,
  duration: Text,
  size: Text,
  created_at: Text,
  expires_at: Text,
  url: Text,
  video_url: Text,
  code: Text,
  type: Text,
  message: Text,
  fail_reason: Text,
  remixed_from_video_id: Text,
};
const LayerSchema = z.looseObject({
  ...TEXT_FIELDS,
  error: z.unknown().optional(),
  data: z.unknown().optional(),
  output: z.unknown().optional(),
  metadata: z.unknown().optional(),
});
type Layer = z.output<typeof LayerSchema>;
type TextField = keyof typeof TEXT_FIELDS;

/** An upstream's error, not sanitized. */
export interface WireError {
  code?: string;
  type?: string;
  message?: string;
}

/** A job; unreadable fields are absent. */
export interface WireJob {
  id?: string;
  /** Lower case. */
  status?: string;
  /** Percentage 0–100. */
  progress?: number;
  model?: string;
  prompt?: string;
  /** The upstream's id of the original of a variation. */
  remixedFrom?: string;
  /** A positive decimal. */
  seconds?: string;
  /** `WIDTHxHEIGHT`. */
  size?: string;
  /** Unix milliseconds. */
  createdAt?: number;
  /** Unix milliseconds. */
  expiresAt?: number;
  /** URL of the file, if the response has one. */
  url?: string;
  error?: WireError;
}

function layer(value: unknown): Layer | undefined {
  if (typeof value !== 'object' || value === null) return undefined; // most layers are absent: skip the parser
  const parsed = LayerSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

function first(layers: readonly Layer[], ...fields: TextField[]): string | undefined {
  for (const one of layers) {
    for (const field of fields) {
      const value = one[field];
      if (typeof value === 'string' && value.trim() !== '') return value.trim();
    }
  }
  return undefined;
}

/** A positive decimal number as text, e.g. `"4"`, from `4`, `"4"`, `"4s"`. */
function decimal(text: string | undefined): string | undefined {
  const digits = text === undefined ? undefined : /^(\d{1,6}(?:\.\d{1,3})?)\s*s?$/.exec(text)?.[1];
  return digits !== undefined && Number(digits) > 0 ? String(Number(digits)) : undefined;
}

/** A percentage, from `35`, `"35"`, `"35%"`. */
function percentage(text: string | undefined): number | undefined {
  const digits = text === undefined ? undefined : /^(\d{1,6}(?:\.\d+)?)\s*%?$/.exec(text)?.[1];
  return digits === undefined ? undefined : Math.min(Math.floor(Number(digits)), 100);
}

/** Unix milliseconds, from seconds, milliseconds, or an ISO date; some vendors send 0 for unset. */
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

/** Reads an error: `{error: {code, type, message}}`, `{error: "…"}`, or the same without `error`. */
export function readWireError(body: unknown): WireError | undefined {
  const top = layer(body);
  if (top === undefined) return undefined;
  const inner = [layer(top.data), layer(top.output)].filter((one) => one !== undefined);
  const layers = [top, ...inner];
  const errors = layers.map((one) => layer(one.error)).filter((one) => one !== undefined);
  const told = layers.map((one) => one.error).find((error) => typeof error === 'string' && error.trim() !== '');
  const code = first(errors, 'code') ?? first(layers, 'code');
  const type = first(errors, 'type');
  const message =
    first(errors, 'message') ?? (typeof told === 'string' ? told : first(layers, 'fail_reason', 'message'));
  if (code === undefined && type === undefined && message === undefined) return undefined;
  return {
    ...(code === undefined ? {} : { code }),
    ...(type === undefined ? {} : { type }),
    ...(message === undefined ? {} : { message }),
  };
}

/**
 * Reads a video object. Resellers of OpenAI's protocol put the job in `data` or `output`, send percentages as text, and
 * the file's URL at the top level, in `metadata`, or in `output`. The inner object of an envelope wins: a `success`
 * around a running job belongs to the envelope.
 * @returns undefined if the response is not an object
 */
export function readJob(body: unknown): WireJob | undefined {
  const top = layer(body);
  if (top === undefined) return undefined;
  const data = layer(top.data);
  const inside = [layer(data?.output), layer(top.output), layer(data?.data), data].filter((one) => one !== undefined);
  const layers = [...inside, top];
  const places = [...layers, ...layers.map((one) => layer(one.metadata)).filter((one) => one !== undefined)];
  const job: WireJob = {};
  const put = <K extends keyof WireJob>(key: K, value: WireJob[K] | undefined): void => {
    if (value !== undefined) job[key] = value;
  };
  put('id', first([top, ...inside], 'id', 'task_id'));
  put('status', first(layers, 'status', 'task_status', 'state')?.toLowerCase());
  put('progress', percentage(first(layers, 'progress')));
  put('model', first(layers, 'model'));
  put('prompt', first(layers, 'prompt'));
  put('remixedFrom', first(layers, 'remixed_from_video_id'));
  put('seconds', decimal(first(layers, 'seconds', 'duration')));
  put('size', frameSize(first(layers, 'size')));
  put('createdAt', time(first(layers, 'created_at')));
  put('expiresAt', time(first(layers, 'expires_at')));
  put('url', first(places, 'video_url', 'url'));
  put('error', readWireError(body));
  return job;
}

const PageSchema = z.looseObject({
  data: z.array(z.unknown()),
  has_more: z.boolean().optional().catch(undefined),
  last_id: Text,
});

export interface WirePage {
  jobs: WireJob[];
  /** `undefined` if the page does not say. */
  hasMore?: boolean;
  lastId?: string;
}

export function readPage(body: unknown): WirePage | undefined {
  const page = PageSchema.safeParse(body);
  if (!page.success) return undefined;
  const jobs = page.data.data.map(readJob).filter((job) => job !== undefined);
  const lastId = page.data.last_id ?? jobs.at(-1)?.id;
  return {
    jobs,
    ...(page.data.has_more === undefined ? {} : { hasMore: page.data.has_more }),
    ...(lastId === undefined ? {} : { lastId }),
  };
}
