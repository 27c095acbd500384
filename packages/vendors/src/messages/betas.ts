/**
 * The values of `anthropic-beta` that the clouds are said to accept. Second-hand, and not tested with a cloud: the
 * MIT-licensed header list of LiteLLM, and values that others quote from the user guide of Amazon Bedrock, read in
 * November 2026. Whether each cloud refuses or ignores other values is not known. Anthropic's own API is not in the
 * list, because it defines the values and accepts new ones at any time.
 */
const EVERYWHERE = [
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'interleaved-thinking-2025-05-14',
  'thinking-display-updates-2026-08-18',
];

/** Where Anthropic's models run in the infrastructure of AWS or Google. */
const CLOUD_HOSTED = [
  ...EVERYWHERE,
  'compact-2026-01-12',
  'thinking-binding-controls-2026-08-01',
  'tool-search-tool-2025-10-19',
];

const PLATFORMS: readonly { host: RegExp; betas: string[] }[] = [
  {
    host: /(?:^|\.)bedrock-runtime[a-z-]*\..*amazonaws\.com(?:\.cn)?$/,
    betas: [
      ...CLOUD_HOSTED,
      'dev-full-thinking-2025-05-14',
      'effort-2025-11-24',
      'fine-grained-tool-streaming-2025-05-14',
      'mid-conversation-output-config-2026-07-01',
      'mid-conversation-tool-changes-2026-07-01',
      'output-128k-2025-02-19',
      'token-efficient-tools-2025-02-19',
      'tool-examples-2025-10-29',
    ],
  },
  {
    host: /(?:^|\.)bedrock-mantle\..*(?:api\.aws|amazonaws\.com)$/,
    betas: [
      ...CLOUD_HOSTED,
      'claude-code-20250219',
      'effort-2025-11-24',
      'fine-grained-tool-streaming-2025-05-14',
      'output-128k-2025-02-19',
      'per-turn-control-2026-07-01',
      'structured-outputs-2025-11-13',
      'token-efficient-tools-2025-02-19',
      'tool-examples-2025-10-29',
      'web-search-2025-03-05',
    ],
  },
  {
    host: /(?:^|[.-])aiplatform(?:\.(?:us|eu)\.rep)?\.googleapis\.com$/,
    betas: [...CLOUD_HOSTED, 'compact-2026-09-04', 'per-turn-control-2026-07-01', 'web-search-2025-03-05'],
  },
  {
    host: /\.(?:services\.ai|cognitiveservices)\.azure\.(?:com|us)$/,
    betas: [
      ...EVERYWHERE,
      'advanced-tool-use-2025-11-20',
      'code-execution-2025-08-25',
      'effort-2025-11-24',
      'files-api-2025-04-14',
      'mcp-client-2025-04-04',
      'mcp-client-2025-11-20',
      'per-turn-control-2026-07-01',
      'prompt-caching-scope-2026-01-05',
      'skills-2025-10-02',
      'structured-outputs-2025-11-13',
      'web-fetch-2025-09-10',
      'web-search-2025-03-05',
    ],
  },
];

/**
 * Returns the values of `anthropic-beta` that the platform at a base URL accepts. Undefined for Anthropic's own API and
 * for unknown hosts, which receive all values.
 */
export function betasAt(baseUrl: string): string[] | undefined {
  const { hostname } = new URL(baseUrl);
  return PLATFORMS.find(({ host }) => host.test(hostname))?.betas;
}
