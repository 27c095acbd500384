import { type ContentBlock, type Generation, GatewayError } from '@sluice/canonical';
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
 * Encodes the first choice of a response.
 * @throws GatewayError `provider_error` if the response has no finish reason and no content
 */
export function encodeResponse(generation: Generation, context: ResponseContext): WireMessage {
  const choice = generation.choices[0] ?? { content: [], finish: 'other' as const };
  const content = encodeContent(choice.content, context);
  const failure = emptyResponse(choice, content.length);
  if (failure) throw failure;
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

function encodeContent(blocks: readonly ContentBlock[], context: ResponseContext): WireResponseBlock[] {
  const encoded: WireResponseBlock[] = [];
  const thinks = showsThinking(context.request);
  // The tokens of texts wait for the next block, because clients use the last block as the result.
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

/** The gateway's id, the upstream's if it belongs to this protocol, or a new one. */
export function messageId(upstreamId: string, { responseId, newId }: ResponseContext): string {
  return responseId ?? (upstreamId.startsWith('msg_') ? upstreamId : newId('msg_'));
}

/** The error for a response without a finish reason and content, which would end the conversation without notice. */
export function emptyResponse({ finish }: Finish, blockCount: number): GatewayError | undefined {
  if (finish !== 'other' || blockCount > 0) return undefined;
  return new GatewayError('provider_error', 'The model returned no content. Retry the request.', { retryable: true });
}
