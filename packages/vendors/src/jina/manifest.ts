import { defineVendor, KEY, keyVendor } from '../schema/manifest.ts';

export const jina = defineVendor({
  kind: 'jina',
  capabilities: ['embedding', 'rerank'],
  credentials: [KEY],
  sandboxPath: '/jina',
  examples: { embedding: 'jina-embeddings-v3', rerank: 'jina-reranker-v2-base-multilingual' },
  vendors: [keyVendor('jina', 'JINA_API_KEY', 'https://api.jina.ai', ['jina-*'])],
});
