import { type ContentBlock, type Generation, GatewayError } from '@sluice/canonical';
import type { AnswerContext } from '../text-protocol.ts';
import { type CarriedSeal, carrySeal } from './carried-seal.ts';
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
  const content = encodeContent(choice.content, context);
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

function encodeContent(blocks: readonly ContentBlock[], context: AnswerContext): WireAnswerBlock[] {
  const written: WireAnswerBlock[] = [];
  /** Seals of texts, which are written before the next block alone: clients take the last block for the answer. */
  const seals: CarriedSeal[] = [];
  for (const block of blocks) {
    const encoded = encodeAnswerBlock(block, context);
    if (encoded) written.push(...seals.splice(0), encoded);
    const seal = carrySeal(context.sealer, block);
    if (seal) (block.type === 'tool-call' ? written : seals).push(seal);
  }
  return written;
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
