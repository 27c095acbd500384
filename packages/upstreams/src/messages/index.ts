import type { TextOperation } from '@sluice/canonical';
import { betasAt } from '@sluice/vendors';
import { isVertex } from '../media/google-base.ts';
import { messageBatches } from '../batches/message-batches.ts';
import { createTextUpstream, type TextWire } from '../text/create-text-upstream.ts';
import { defineUpstream } from '../contract/upstream.ts';
import { messagesFiles } from '../vendor-files/form-files.ts';
import { messagesHeaders } from './messages-headers.ts';
import { VERTEX_VERSION, vertexWire } from './vertex-wire.ts';

const PATHS: Partial<Record<TextOperation, string>> = {
  generate: '/v1/messages',
  'count-tokens': '/v1/messages/count_tokens',
};

// Vendors document base URLs with and without `/v1`.
const basePath = (path: string) => path.replace(/\/v1$/, '');

const WIRE: TextWire = {
  protocol: 'messages',
  credential: (apiKey) => ['x-api-key', apiKey],
  basePath,
  path: ({ operation }) => PATHS[operation],
  callHeaders: ({ headers, refersToFiles }) => messagesHeaders(headers ?? {}, refersToFiles),
};

export const messages = defineUpstream({
  kind: 'messages',
  build: (account, context) => {
    const isAtVertex = isVertex(account.base_url);
    const betas = betasAt(account.base_url);
    // The operator's quirks replace those of the host.
    const quirks = {
      ...(betas && { betas }),
      ...(isAtVertex && { version_in_body: VERTEX_VERSION }),
      ...account.quirks,
    };
    const text = createTextUpstream(isAtVertex ? vertexWire : WIRE, { ...account, quirks }, context);
    return {
      // Vertex AI has batches of its own, which read and write its storage.
      ...(!isAtVertex && { batches: messageBatches(account, context, messagesHeaders) }),
      text: { ...text, files: messagesFiles(account, context, { basePath, headers: messagesHeaders({}) }) },
    };
  },
});
