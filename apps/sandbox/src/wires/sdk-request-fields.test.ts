import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';
import { describe, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type { RefusedFields } from '../../test/refused-fields.ts';
import type { ChatRequestSchema } from './chat-completions/chat-request.ts';
import type { CountRequestSchema, MessagesRequestSchema } from './messages/messages-request.ts';
import type {
  CompactRequestSchema,
  CountRequestSchema as CountInputSchema,
  ResponsesRequestSchema,
} from './responses/responses-request.ts';

/** Fields of the SDK's request types that the SDK sends as headers. */
type Headers = '.betas' | '.user_profile_id' | '.workspace_id';
/** The SDK's type is `string`, but only the type `compaction` exists. */
type OpenType = `.context_management[]<${string}>`;

// The compiler checks these types. If an SDK has a new field, the build fails until the sandbox accepts the field.
describe('request types of openai', () => {
  it('accepts every field of a chat completion', () => {
    type Refused = RefusedFields<OpenAI.ChatCompletionCreateParams, z.input<typeof ChatRequestSchema>>;
    expectTypeOf<Refused>().toBeNever();
  });

  it('accepts every field of a response', () => {
    type Refused = RefusedFields<OpenAI.Responses.ResponseCreateParams, z.input<typeof ResponsesRequestSchema>>;
    expectTypeOf<Exclude<Refused, OpenType>>().toBeNever();
  });

  it('accepts every field of an input token count and a compaction', () => {
    type Count = RefusedFields<OpenAI.Responses.InputTokenCountParams, z.input<typeof CountInputSchema>>;
    type Compact = RefusedFields<OpenAI.Responses.ResponseCompactParams, z.input<typeof CompactRequestSchema>>;
    // Without a previous response, the vendor rejects a null model.
    expectTypeOf<Exclude<Count, '.model = null'>>().toBeNever();
    expectTypeOf<Exclude<Compact, '.model = null'>>().toBeNever();
  });
});

describe('request types of @anthropic-ai/sdk', () => {
  type Create = z.input<typeof MessagesRequestSchema>;
  type Count = z.input<typeof CountRequestSchema>;

  it('accepts every field of a message', () => {
    type Refused = RefusedFields<Anthropic.MessageCreateParams, Create>;
    expectTypeOf<Exclude<Refused, Headers>>().toBeNever();
  });

  it('accepts every field of a beta message', () => {
    type Refused = RefusedFields<Anthropic.Beta.MessageCreateParams, Create>;
    expectTypeOf<Exclude<Refused, Headers>>().toBeNever();
  });

  it('accepts every field of a token count', () => {
    type Refused =
      | RefusedFields<Anthropic.MessageCountTokensParams, Count>
      | RefusedFields<Anthropic.Beta.MessageCountTokensParams, Count>;
    expectTypeOf<Exclude<Refused, Headers>>().toBeNever();
  });
});
