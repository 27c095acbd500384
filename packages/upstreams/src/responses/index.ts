import type { TextOperation } from '@sluice/canonical';
import { bearer } from '../text/bearer.ts';
import { createTextUpstream } from '../text/create-text-upstream.ts';
import { defineUpstream } from '../contract/upstream.ts';

const PATHS: Partial<Record<TextOperation, string>> = {
  generate: '/responses',
  compact: '/responses/compact',
  'count-tokens': '/responses/input_tokens',
};

export const responses = defineUpstream({
  kind: 'responses',
  build: (account, context) => ({
    text: createTextUpstream(
      {
        protocol: 'responses',
        credential: bearer,
        path: ({ operation }) => PATHS[operation],
        stored: '/responses',
      },
      account,
      context,
    ),
  }),
});
