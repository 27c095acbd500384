import { VENDOR_KEY } from '../stack.ts';

/** A model whose batches either its vendor runs, or workers that send each line. */
export interface BatchModel {
  model: string;
  runner: 'vendor' | 'workers';
  /** Number of lines of a batch. */
  lines: number;
}

interface Vendor {
  kind: string;
  path: string;
  /** Number of lines that the vendor needs to run a batch. Undefined if it has no batches. */
  minLines?: number;
  /** By default, an API key. */
  account?: Record<string, unknown>;
}

const LINES = 3;
const VENDORS: Readonly<Record<string, Vendor>> = {
  openai: { kind: 'chat-completions', path: '/v1', minLines: LINES },
  'openai-responses': { kind: 'responses', path: '/v1', minLines: LINES },
  anthropic: { kind: 'messages', path: '', minLines: LINES },
  gemini: { kind: 'generative-content', path: '', minLines: LINES },
  azure: { kind: 'chat-completions', path: '/azure/openai/v1', minLines: LINES },
  'azure-responses': { kind: 'responses', path: '/azure/openai/v1', minLines: LINES },
  'azure-claude': { kind: 'messages', path: '/azure/anthropic' },
  vertex: { kind: 'generative-content', path: '/vertex/v1/publishers/google' },
  'vertex-claude': {
    kind: 'messages',
    path: '/vertex/v1/projects/p/locations/us-central1/publishers/anthropic',
    account: { identity: { type: 'google-metadata' } },
  },
  bedrock: {
    kind: 'bedrock',
    path: '/bedrock',
    minLines: 100,
    account: {
      access_key: 'ak-sandbox',
      secret_key: VENDOR_KEY,
      s3_endpoint: '${SLUICE_SANDBOX_URL}/s3',
      output_uri: 's3://batches/sluice',
      batch_role_arn: 'arn:aws:iam::123456789012:role/batches',
    },
  },
};

const named = Object.entries(VENDORS);

/** Two models of each vendor with batches, `NAME` and `NAME-batches`, and one of each other vendor. */
export const BATCH_MODELS: readonly BatchModel[] = [
  ...named.map(([model]) => ({ model, runner: 'workers' as const, lines: LINES })),
  ...named
    .filter(([, { minLines }]) => minLines !== undefined)
    .map(([name, { minLines = LINES }]) => ({ model: `${name}-batches`, runner: 'vendor' as const, lines: minLines })),
];

/** Configures {@link BATCH_MODELS}, each with an upstream of the same name. */
export function batchModelConfig(sandboxUrl: string): { upstreams: Record<string, unknown>; models: unknown[] } {
  const upstreams: Record<string, unknown> = {};
  for (const [name, { kind, path, minLines, account = { api_key: VENDOR_KEY } }] of named) {
    const upstream = { kind, base_url: `${sandboxUrl}${path}`, ...account };
    upstreams[name] = upstream;
    if (minLines !== undefined) upstreams[`${name}-batches`] = { ...upstream, vendor_batches: true };
  }
  return {
    upstreams,
    models: BATCH_MODELS.map(({ model }) => ({ id: model, routes: [{ upstream: model, model: 'sandbox-chat' }] })),
  };
}
