import { dollarsOf, type UsageSums } from '@sluice/ledger';
import { type Endpoint, ENDPOINTS } from '@sluice/protocols';

/** Groups of OpenAI's usage API. The ledger has no values for the others, so that results have null. */
const GROUPS = [
  'project_id',
  'user_id',
  'api_key_id',
  'model',
  'batch',
  'service_tier',
  'api_source',
  'size',
  'source',
  'context_level',
  'line_item',
] as const;
export type Group = (typeof GROUPS)[number];

/** One report of OpenAI's usage API (openai-node 7, `resources/admin/organization/usage`). */
export interface UsageKind {
  /** The last part of the path, and of the type of its results. */
  path: string;
  result: string;
  title: string;
  groups: readonly Group[];
  /** The ledger's endpoints that the report counts. Absent: all. Empty: Sluice does not have this usage. */
  endpoints?: readonly string[];
  fieldsOf: (sums: UsageSums) => Record<string, unknown>;
}

const COMMON = ['project_id', 'user_id', 'api_key_id', 'model'] as const satisfies readonly Group[];

const requests = ({ requests: count }: UsageSums) => ({ num_model_requests: count });

export const USAGE_KINDS: readonly UsageKind[] = [
  {
    path: 'completions',
    result: 'completions',
    title: 'text and realtime requests',
    groups: [...COMMON, 'batch', 'service_tier', 'api_source'],
    endpoints: endpointsOf(
      'text.generate',
      'text.complete',
      'responses.create',
      'responses.compact',
      'realtime.connect',
    ),
    fieldsOf: (sums) => ({
      input_tokens: sums.inputTokens,
      output_tokens: sums.outputTokens,
      input_cached_tokens: sums.cachedTokens,
      input_cache_write_tokens: sums.cacheWriteTokens,
      input_uncached_tokens: Math.max(0, sums.inputTokens - sums.cachedTokens - sums.cacheWriteTokens),
      input_audio_tokens: sums.audioInputTokens,
      output_audio_tokens: sums.audioOutputTokens,
      ...requests(sums),
    }),
  },
  {
    path: 'embeddings',
    result: 'embeddings',
    title: 'embeddings',
    groups: COMMON,
    endpoints: endpointsOf('embedding.create'),
    fieldsOf: (sums) => ({ input_tokens: sums.inputTokens, ...requests(sums) }),
  },
  {
    path: 'moderations',
    result: 'moderations',
    title: 'moderations',
    groups: COMMON,
    endpoints: endpointsOf('moderation.create'),
    fieldsOf: (sums) => ({ input_tokens: sums.inputTokens, ...requests(sums) }),
  },
  {
    path: 'images',
    result: 'images',
    title: 'images',
    groups: [...COMMON, 'size', 'source'],
    endpoints: endpointsOf('image.create'),
    fieldsOf: (sums) => ({ images: sums.images, ...requests(sums) }),
  },
  {
    path: 'audio_speeches',
    result: 'audio_speeches',
    title: 'speech',
    groups: COMMON,
    endpoints: endpointsOf('speech.create'),
    fieldsOf: (sums) => ({ characters: sums.characters, ...requests(sums) }),
  },
  {
    path: 'audio_transcriptions',
    result: 'audio_transcriptions',
    title: 'transcriptions and translations',
    groups: COMMON,
    endpoints: endpointsOf('transcription.create', 'translation.create'),
    // Models that are billed by tokens report no seconds. OpenAI's field is an integer.
    fieldsOf: (sums) => ({ seconds: Math.round(sums.audioMs / 1_000), ...requests(sums) }),
  },
  {
    path: 'web_search_calls',
    result: 'web_searches',
    title: 'web searches',
    groups: [...COMMON, 'context_level', 'api_source'],
    fieldsOf: (sums) => ({ num_requests: sums.searches, ...requests(sums) }),
  },
  absent('file_search_calls', 'file_searches', ['project_id', 'user_id', 'api_key_id']),
  absent('vector_stores', 'vector_stores', ['project_id']),
  absent('code_interpreter_sessions', 'code_interpreter_sessions', ['project_id']),
];

/** Costs of everything. A line item is a model. */
export const COSTS: UsageKind = {
  path: 'costs',
  result: 'costs',
  title: 'costs',
  groups: ['project_id', 'user_id', 'line_item', 'api_key_id', 'api_source'],
  fieldsOf: ({ costNanos }) => ({ amount: { value: dollarsOf(costNanos), currency: 'usd' }, quantity: null }),
};

/** A report without results, so that dashboards that read all reports work. */
function absent(path: string, result: string, groups: readonly Group[]): UsageKind {
  return { path, result, title: path.replaceAll('_', ' '), groups, endpoints: [], fieldsOf: () => ({}) };
}

/** Returns the names that entries of these endpoints have. */
function endpointsOf(...actions: Endpoint['action'][]): string[] {
  const endpoints = ENDPOINTS.filter(({ action }) => actions.includes(action));
  return [
    ...new Set(endpoints.map(({ method, path, verb }) => `${method} ${path}${verb === undefined ? '' : `:${verb}`}`)),
  ];
}
