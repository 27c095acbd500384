import type { UsageRow } from '../../api/usage-report.ts';
import { formatCost, formatCount, formatDuration } from '../../lib/format.ts';

/** A number of usage reports. All of them can be added. */
export interface UsageMetric {
  /** The name in the URL. */
  name: string;
  title: string;
  /** `metric` of the API. */
  metric: string;
  valueOf: (row: UsageRow) => number;
  format: (value: number) => string;
  /** Whether usage without a price is not in its values. */
  isCost?: boolean;
}

const seconds = (value: number): string => formatDuration(value * 1_000);

type Field = { [name in keyof UsageRow]-?: NonNullable<UsageRow[name]> extends number ? name : never }[keyof UsageRow];

function fieldMetric(field: Field, title: string, metric: string, format = formatCount): UsageMetric {
  return { name: field, title, metric, valueOf: (row) => row[field] ?? 0, format };
}

const COST: UsageMetric = { ...fieldMetric('cost_usd', 'Cost', 'cost', formatCost), isCost: true };

export const METRICS: readonly UsageMetric[] = [
  COST,
  fieldMetric('requests', 'Requests', 'requests'),
  fieldMetric('errors', 'Errors', 'errors'),
  fieldMetric('tasks', 'Tasks', 'tasks'),
  {
    name: 'tokens',
    title: 'Tokens',
    metric: 'tokens',
    valueOf: ({ input_tokens: input = 0, output_tokens: output = 0 }) => input + output,
    format: formatCount,
  },
  fieldMetric('input_tokens', 'Input tokens', 'tokens'),
  fieldMetric('output_tokens', 'Output tokens', 'tokens'),
  fieldMetric('cached_tokens', 'Cached tokens', 'tokens'),
  fieldMetric('cache_write_tokens', 'Cache writes', 'tokens'),
  fieldMetric('reasoning_tokens', 'Reasoning tokens', 'tokens'),
  fieldMetric('audio_input_tokens', 'Audio input tokens', 'audio'),
  fieldMetric('audio_output_tokens', 'Audio output tokens', 'audio'),
  fieldMetric('audio_seconds', 'Audio', 'audio', seconds),
  fieldMetric('images', 'Images', 'images'),
  fieldMetric('video_seconds', 'Video', 'video_seconds', seconds),
  fieldMetric('characters', 'Characters', 'characters'),
  fieldMetric('searches', 'Searches', 'searches'),
  fieldMetric('duration_ms', 'Total duration', 'duration', formatDuration),
  fieldMetric('unpriced', 'Without a price', 'unpriced'),
];

export function metricNamed(name: string | undefined): UsageMetric {
  return METRICS.find((metric) => metric.name === name) ?? COST;
}
