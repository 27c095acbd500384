import { defineVendor, OPTIONAL_KEY } from '../schema/manifest.ts';

export const tei = defineVendor({
  kind: 'tei',
  capabilities: ['rerank'],
  credentials: OPTIONAL_KEY,
  sandboxPath: '/tei',
  examples: { rerank: 'bge' },
  sources: ['https://github.com/huggingface/text-embeddings-inference'],
});
