import Anthropic from '@anthropic-ai/sdk';
import { jsonSchemaOutputFormat } from '@anthropic-ai/sdk/helpers/json-schema';
import Anthropic0 from '@anthropic-ai/sdk-0';
import { jsonSchemaOutputFormat as jsonSchemaOutputFormat0 } from '@anthropic-ai/sdk-0/helpers/json-schema';
import type { ClientKind } from './text-client.ts';
import { chatClient } from './chat-client.ts';
import { generativeClient } from './generative-client.ts';
import { type AnthropicSdk, messagesClient } from './messages-client.ts';
import { responsesClient } from './responses-client.ts';

/** The cast is safe because the tests make only calls that have the same types in both major versions. */
const ANTHROPIC_0 = Anthropic0 as unknown as AnthropicSdk['Client'];

/** All official SDKs, with every protocol. The cast is needed because the SDK's schema type rejects general records. */
export const CLIENTS: readonly ClientKind[] = [
  chatClient,
  responsesClient,
  messagesClient({
    name: '@anthropic-ai/sdk 1',
    Client: Anthropic,
    outputFormat: (schema) => jsonSchemaOutputFormat(schema as { type: 'object' }),
  }),
  messagesClient({
    name: '@anthropic-ai/sdk 0',
    Client: ANTHROPIC_0,
    outputFormat: (schema) => jsonSchemaOutputFormat0(schema as { type: 'object' }),
  }),
  generativeClient(),
  generativeClient('v1beta'),
];
