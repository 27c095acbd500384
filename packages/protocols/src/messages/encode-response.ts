import { type Generation, GatewayError } from '@sluice/canonical';
import type { AnswerContext } from '../text-protocol.ts';
import { encodeAnswerBlock, type WireAnswerBlock } from './encode-answer-block.ts';
import { encodeFinish, type Finish, type WireFinish } from './stop-reason.ts';
import { encodeUsage, type WireUsage } from './usage.ts';

/** An answer as this protocol's clients read it. */
export interface WireMessage extends WireFinish {
  id: string;
  type: 'message';
  role: 'assistant';
  model: string;
  content: WireAnswerBlock[];
  usage: WireUsage;
}

/**
 * Writes an answer; of several choices the first.
 * @throws GatewayError `provider_error` when the model ended for no known reason and said nothing
 */
export function encodeResponse(generation: Generation, context: AnswerContext): WireMessage {
  const choice = generation.choices[0] ?? { content: [], finish: 'other' as const };
  const content = choice.content.flatMap((block) => encodeAnswerBlock(block, context) ?? []);
  const nothing = emptyAnswer(choice, content.length);
  if (nothing) throw nothing;
  return {
    id: messageId(generation.id, context),
    type: 'message',
    role: 'assistant',
    model: context.request.model,
    content,
    ...encodeFinish(choice),
    usage: encodeUsage(generation.usage),
  };
}

/** The gateway's id, or the upstream's where it is one of this protocol's, or a new one. */
export function messageId(upstreamId: string, { answerId, newId }: AnswerContext): string {
  return answerId ?? (upstreamId.startsWith('msg_') ? upstreamId : newId('msg_'));
}

/** The error that an ending without a reason and without a word is: as a success it would end a conversation silently. */
export function emptyAnswer({ finish }: Finish, blocks: number): GatewayError | undefined {
  if (finish !== 'other' || blocks > 0) return undefined;
  return new GatewayError('provider_error', 'The model ended without an answer. Try again.', { retryable: true });
}
