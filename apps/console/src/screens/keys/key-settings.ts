import type { Key } from '@sluice/api/responses';
import type { KeySettings } from '../../api/key-settings.ts';
import { fieldOfTime, timeOfField } from '../../lib/time-range.ts';

export const LIMITS = {
  rpm: 'Requests per minute',
  tpm: 'Tokens per minute',
  concurrent_tasks: 'Running tasks',
  open_tasks: 'Open tasks',
} as const;
type Limit = keyof typeof LIMITS;

// The cast is safe because these are the object's own keys.
const LIMIT_NAMES = Object.keys(LIMITS) as Limit[];

/** The form's fields as text. Names are those of the API's parameters, so that an error can name its field. */
export interface KeyForm {
  models: string;
  'budget[usd]': string;
  'budget[period]': 'day' | 'month' | 'total';
  labels: string;
  expires_at: string;
  strict: boolean;
  vendor_references: boolean;
  limits: Readonly<Record<Limit, string>>;
}

export function formOf(key: Partial<Key> = {}): KeyForm {
  const { models = [], limits = {}, budget, labels = {}, expires_at: expiresAt } = key;
  return {
    models: models.join('\n'),
    'budget[usd]': budget ? String(budget.usd) : '',
    'budget[period]': budget?.period ?? 'month',
    labels: Object.entries(labels)
      .map(([name, value]) => `${name}=${value}`)
      .join('\n'),
    expires_at: expiresAt === undefined ? '' : fieldOfTime(expiresAt, 'minutes'),
    strict: key.strict ?? false,
    vendor_references: key.vendor_references ?? false,
    limits: Object.fromEntries(LIMIT_NAMES.map((name) => [name, String(limits[name] ?? '')])) as Record<Limit, string>, // The cast is safe because all names are in it.
  };
}

/**
 * Returns the settings of a form. Empty fields are omitted, or null if the key has them.
 * @param before the key that is changed
 */
export function settingsOf(form: KeyForm, before: Partial<Key> = {}): KeySettings {
  const models = form.models
    .split(/[\n,]/)
    .map((id) => id.trim())
    .filter(Boolean);
  const labels = Object.fromEntries(
    form.labels
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
      .map((line) => {
        const [name = '', ...value] = line.split('=');
        return [name.trim(), value.join('=').trim()];
      }),
  );
  const usd = form['budget[usd]'].trim();
  const limits = Object.fromEntries(
    LIMIT_NAMES.flatMap((name): [Limit, number | null][] => {
      const text = form.limits[name].trim();
      if (text !== '') return [[name, Number(text)]];
      return before.limits?.[name] === undefined ? [] : [[name, null]];
    }),
  );
  const removed = Object.keys(before.labels ?? {}).filter((name) => !(name in labels));
  return {
    ...present('models', models.length > 0 ? models : undefined, before.models),
    ...present('budget', usd === '' ? undefined : { usd: Number(usd), period: form['budget[period]'] }, before.budget),
    ...present('expires_at', timeOfField(form.expires_at), before.expires_at),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(Object.keys(labels).length + removed.length > 0 && {
      labels: { ...Object.fromEntries(removed.map((name) => [name, null])), ...labels },
    }),
    strict: form.strict,
    vendor_references: form.vendor_references,
  };
}

function present<N extends keyof KeySettings>(
  name: N,
  value: KeySettings[N] | undefined,
  before: unknown,
): KeySettings {
  if (value !== undefined) return { [name]: value };
  return before === undefined ? {} : { [name]: null };
}
