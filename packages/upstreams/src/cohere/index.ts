import { createDirectUpstream } from '../direct/create-direct-upstream.ts';
import { unversioned } from '../direct/unversioned.ts';
import { apiKeyOf } from '../media/api-key.ts';
import { defineUpstream } from '../contract/upstream.ts';
import { cohereEmbedding } from './embedding.ts';
import { cohereRerank } from './rerank.ts';

export const cohere = defineUpstream({
  kind: 'cohere',
  build: (account, context) => {
    const authorization = `Bearer ${apiKeyOf(account)}`;
    const bare = unversioned(account);
    return {
      embedding: createDirectUpstream(bare, context, { authorization }, cohereEmbedding),
      rerank: createDirectUpstream(bare, context, { authorization }, cohereRerank),
    };
  },
});
