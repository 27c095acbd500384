import type { TextOperation } from '@sluice/canonical';
import { openAiBatches } from '../batches/openai-batches.ts';
import { openAiFiles } from '../vendor-files/form-files.ts';
import { keyHeader } from '../text/bearer.ts';
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
    batches: openAiBatches(account, context, '/v1/responses'),
    text: {
      ...createTextUpstream(
        {
          protocol: 'responses',
          credential: (key) => keyHeader(key, account.base_url),
          path: ({ operation }) => PATHS[operation],
          stored: '/responses',
        },
        account,
        context,
      ),
      files: openAiFiles(account, context, /^(?:image\/(?:png|jpeg|webp|gif)|application\/pdf)$/),
    },
  }),
});
