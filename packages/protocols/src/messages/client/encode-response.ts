import { type ContentBlock, type Generation, GatewayError, type Usage, UPSTREAM_MESSAGES } from '@sluice/canonical';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { showsThinking } from './shows-thinking.ts';
import { type WrappedToken, wrapToken } from './wrapped-token.ts';
import { encodeResponseBlock, type WireResponseBlock } from './encode-response-block.ts';
import { encodeFinish, type Finish, type WireFinish } from '../wire/stop-reason.ts';
import { encodeUsage, type WireUsage } from '../wire/usage.ts';

export interface WireMessage extends WireFinish {
  id: string;
  type: 'message';
  role: 'assistant';
  model: string;
  content: WireResponseBlock[];
  usage: WireUsage;
}

/**
 * Encodes a response's first choice.
 * @throws GatewayError `provider_error` if the response has neither a finish reason nor content
 */
export function encodeResponse(generation: Generation, context: ResponseContext): WireMessage {
  const choice = generation.choices[0] ?? { content: [], finish: 'other' as const };
  if (generation.choices.length > 1) context.lost?.('choices');
  const content = encodeContent(choice.content, context);
  reportEnd(choice, generation.usage, context);
  const failure = emptyResponse(choice, content.length);
  if (failure) throw failure;
  return {
    id: messageId(generation.id, context),
    type: 'message',
    role: 'assistant',
    model: context.request.model,
    content,
    ...encodeFinish(choice),
    usage: encodeUsage(generation.usage, generation.serviceTier),
  };
}

/** Reports what the end of a message cannot express: an explanation without a refusal, and some token counts. */
export function reportEnd(finish: Finish, usage: Usage | undefined, { lost }: ResponseContext): void {
  if (finish.detail !== undefined && !encodeFinish(finish).stop_details) lost?.('stop details');
  if (usage?.audioInputTokens) lost?.('audio input tokens');
  if (usage?.audioOutputTokens) lost?.('audio output tokens');
  if (usage?.imageInputTokens) lost?.('image input tokens');
}

function encodeContent(blocks: readonly ContentBlock[], context: ResponseContext): WireResponseBlock[] {
  const encoded: WireResponseBlock[] = [];
  const thinks = showsThinking(context.request);
  // Text tokens, held back until the next block, because clients use the last block as the result.
  const opaqueTokens: WrappedToken[] = [];
  for (const block of blocks) {
    if (block.type === 'reasoning' && !thinks) continue;
    const wireBlock = encodeResponseBlock(block, context);
    if (wireBlock) encoded.push(...opaqueTokens.splice(0), wireBlock);
    const opaqueToken = thinks ? wrapToken(context.tokenCodec, block) : undefined;
    if (opaqueToken) (block.type === 'tool-call' ? encoded : opaqueTokens).push(opaqueToken);
  }
  return encoded;
}

/** Returns the gateway's id, the upstream's id if it belongs to this protocol, or a new id. */
export function messageId(upstreamId: string, { responseId, newId }: ResponseContext): string {
  return responseId ?? (upstreamId.startsWith('msg_') ? upstreamId : newId('msg_'));
}

/** The error for a response with neither a finish reason nor content, which would silently end the conversation. */
export function emptyResponse({ finish }: Finish, blockCount: number): GatewayError | undefined {
  if (finish !== 'other' || blockCount > 0) return undefined;
  return new GatewayError('provider_error', UPSTREAM_MESSAGES.noContent, { retryable: true });
}
