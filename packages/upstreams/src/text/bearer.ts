/** Hosts of Azure OpenAI and Azure AI Foundry, in all clouds of Azure. */
const AZURE = /\.(?:openai|services\.ai|cognitiveservices)\.azure\.(?:com|us|cn)$/;

export function bearer(apiKey: string): [name: string, value: string] {
  return ['authorization', `Bearer ${apiKey}`];
}

/** Returns the header with an API key of OpenAI's protocols. Azure has its own header for keys. */
export function keyHeader(apiKey: string, baseUrl: string): [name: 'authorization' | 'api-key', value: string] {
  return AZURE.test(new URL(baseUrl).hostname) ? ['api-key', apiKey] : ['authorization', `Bearer ${apiKey}`];
}
