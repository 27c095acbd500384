import { USAGE_DIMENSIONS, USAGE_FIELDS, type UsageDimension, type UsageField } from '@sluice/ledger';
import { z } from 'zod';

const DIMENSIONS: Readonly<Record<UsageDimension, string>> = {
  key: 'Name of the API key.',
  model: "The model id of the clients' requests.",
  upstream: 'The upstream that served the requests.',
  endpoint: 'Method and path.',
  user: 'The end user, by default as a hash.',
  label: 'A label, as NAME=VALUE. An entry counts in the row of each of its labels.',
  day: 'A day of the time zone, as YYYY-MM-DD.',
  hour: 'Start of an hour, in RFC 3339 format with the offset of the time zone.',
};

const FIELDS: Readonly<Record<UsageField, string>> = {
  requests: 'Requests with a valid API key, also refused ones.',
  tasks: 'Tasks that have ended.',
  errors: 'Requests with a status of at least 400, streams that failed later, and failed tasks.',
  unpriced: 'Requests and tasks with an unknown price. Their cost is not in `cost_usd`.',
  input_tokens: 'With cached tokens and cache writes.',
  cached_tokens: 'Input tokens that were read from a cache.',
  cache_write_tokens: 'Input tokens that were written to a cache.',
  output_tokens: 'With reasoning.',
  reasoning_tokens: 'Output tokens for reasoning.',
  audio_input_tokens: 'Audio in the input.',
  audio_output_tokens: 'Audio in the output.',
  audio_seconds: 'Seconds of transcribed audio, if the upstream reports them.',
  characters: 'Characters of speech input.',
  searches: 'Web searches.',
  images: 'Generated images.',
  video_seconds: 'Seconds of generated video.',
  duration_ms: 'Sum of the durations, in milliseconds.',
  cost_usd: 'Cost in US dollars.',
};

const rowFields = {
  ...Object.fromEntries(
    USAGE_DIMENSIONS.map((name) => [name, z.string().nullable().optional().describe(DIMENSIONS[name])]),
  ),
  ...Object.fromEntries(USAGE_FIELDS.map((name) => [name, z.number().optional().describe(FIELDS[name])])),
};

export const UsageListSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(z.object(rowFields).meta({ id: 'UsageRow' })),
    has_more: z.boolean(),
    next: z.string().optional().describe('`after` of the next page.'),
    start_time: z.number().describe('Start of the period, in Unix seconds.'),
    end_time: z.number().describe('End of the period, exclusive, in Unix seconds.'),
  })
  .meta({ id: 'UsageList' });
