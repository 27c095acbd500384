import { defineVendor, KEY_OR_NONE } from '../manifest.ts';

export const tei = defineVendor({
  kind: 'tei',
  capabilities: ['rerank'],
  credentials: KEY_OR_NONE,
  sandboxPath: '/tei',
  examples: { rerank: 'bge' },
  sources: ['https://github.com/huggingface/text-embeddings-inference'],
});
