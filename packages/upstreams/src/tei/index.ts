import { createDirectUpstream } from '../direct/create-direct-upstream.ts';
import { keyHeaderOf } from '../media/api-key.ts';
import { defineUpstream } from '../contract/upstream.ts';
import { teiRerank } from './rerank.ts';

export const tei = defineUpstream({
  kind: 'tei',
  build: (account, context) => ({ rerank: createDirectUpstream(account, context, keyHeaderOf(account), teiRerank) }),
});
