import { createDirectUpstream } from '../direct/create-direct-upstream.ts';
import { unversioned } from '../direct/unversioned.ts';
import { apiKeyOf } from '../media/api-key.ts';
import { defineUpstream } from '../contract/upstream.ts';
import { jinaEmbedding } from './embedding.ts';
import { jinaRerank } from './rerank.ts';

export const jina = defineUpstream({
  kind: 'jina',
  build: (account, context) => {
    const authorization = `Bearer ${apiKeyOf(account)}`;
    const bare = unversioned(account);
    return {
      embedding: createDirectUpstream(bare, context, { authorization }, jinaEmbedding),
      rerank: createDirectUpstream(bare, context, { authorization }, jinaRerank),
    };
  },
});
