import { type ContentBlock, type Generation, GatewayError } from '@sluice/canonical';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
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
 * Writes a response; of several choices the first.
 * @throws GatewayError `provider_error` when the model ended without a reason and without content
 */
export function encodeResponse(generation: Generation, context: ResponseContext): WireMessage {
  const choice = generation.choices[0] ?? { content: [], finish: 'other' as const };
  const content = encodeContent(choice.content, context);
  const nothing = emptyResponse(choice, content.length);
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

function encodeContent(blocks: readonly ContentBlock[], context: ResponseContext): WireResponseBlock[] {
  const written: WireResponseBlock[] = [];
  /** Tokens of texts. They wait for the next block, because clients take the last block as the result. */
  const opaqueTokens: WrappedToken[] = [];
  for (const block of blocks) {
    const encoded = encodeResponseBlock(block, context);
    if (encoded) written.push(...opaqueTokens.splice(0), encoded);
    const opaqueToken = wrapToken(context.tokenCodec, block);
    if (opaqueToken) (block.type === 'tool-call' ? written : opaqueTokens).push(opaqueToken);
  }
  return written;
}

/** The gateway's id, the upstream's if it belongs to this protocol, or a new one. */
export function messageId(upstreamId: string, { responseId, newId }: ResponseContext): string {
  return responseId ?? (upstreamId.startsWith('msg_') ? upstreamId : newId('msg_'));
}

/** Without this error, an end without reason and content would look like success and end the conversation silently. */
export function emptyResponse({ finish }: Finish, blocks: number): GatewayError | undefined {
  if (finish !== 'other' || blocks > 0) return undefined;
  return new GatewayError('provider_error', 'The model returned no content. Retry the request.', { retryable: true });
}
