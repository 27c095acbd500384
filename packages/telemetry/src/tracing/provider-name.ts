/** `gen_ai.provider.name` by the end of the upstream's host name. */
const BY_HOST: readonly (readonly [end: string, provider: string])[] = [
  ['.openai.azure.com', 'azure.ai.openai'],
  ['.services.ai.azure.com', 'azure.ai.inference'],
  ['api.openai.com', 'openai'],
  ['api.anthropic.com', 'anthropic'],
  ['generativelanguage.googleapis.com', 'gcp.gemini'],
  ['aiplatform.googleapis.com', 'gcp.vertex_ai'],
  ['.amazonaws.com', 'aws.bedrock'],
  ['.api.aws', 'aws.bedrock'],
  ['api.cohere.com', 'cohere'],
  ['api.deepseek.com', 'deepseek'],
  ['api.groq.com', 'groq'],
  ['api.mistral.ai', 'mistral_ai'],
  ['api.moonshot.ai', 'moonshot_ai'],
  ['api.moonshot.cn', 'moonshot_ai'],
  ['api.perplexity.ai', 'perplexity'],
  ['api.x.ai', 'x_ai'],
];

/** The provider whose protocol a kind speaks, for hosts that the table does not contain. */
const BY_KIND: Readonly<Record<string, string>> = {
  'chat-completions': 'openai',
  responses: 'openai',
  videos: 'openai',
  messages: 'anthropic',
  'generative-content': 'gcp.gemini',
  veo: 'gcp.gemini',
  bedrock: 'aws.bedrock',
};

/** Returns `gen_ai.provider.name`. The conventions allow the protocol's provider if the vendor has no name of its own. */
export function providerName(kind: string, hostname: string): string {
  const known = BY_HOST.find(([end]) => hostname === end || (end.startsWith('.') && hostname.endsWith(end)));
  return known?.[1] ?? BY_KIND[kind] ?? kind;
}
