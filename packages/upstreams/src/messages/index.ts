import type { TextOperation } from '@sluice/canonical';
import { createTextUpstream } from '../text/create-text-upstream.ts';
import { defineUpstream } from '../contract/upstream.ts';
import { messagesHeaders } from './messages-headers.ts';

const PATHS: Partial<Record<TextOperation, string>> = {
  generate: '/v1/messages',
  'count-tokens': '/v1/messages/count_tokens',
};

export const messages = defineUpstream({
  kind: 'messages',
  build: (account, context) => ({
    text: createTextUpstream(
      {
        protocol: 'messages',
        credential: (apiKey) => ['x-api-key', apiKey],
        // Vendors document base URLs with and without `/v1`.
        basePath: (path) => path.replace(/\/v1$/, ''),
        path: ({ operation }) => PATHS[operation],
        callHeaders: ({ headers }) => messagesHeaders(headers ?? {}),
      },
      account,
      context,
    ),
  }),
});
