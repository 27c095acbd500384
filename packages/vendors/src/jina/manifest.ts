import { defineVendor, KEY, keyVendor } from '../manifest.ts';

export const jina = defineVendor({
  kind: 'jina',
  capabilities: ['embedding', 'rerank'],
  credentials: [KEY],
  sandboxPath: '/jina',
  vendors: [keyVendor('jina', 'JINA_API_KEY', 'https://api.jina.ai', ['jina-*'])],
});
