import type { ContentBlock, GenerationRequest, Message, ToolCallBlock } from '@sluice/canonical';
import type { RememberedCall } from './reasoning-memory.ts';

export type Recall = (callIds: readonly string[]) => Promise<ReadonlyMap<string, RememberedCall>>;

/**
 * Restores the parts of assistant turns that the client's protocol does not support: the reasoning before the first
 * tool call, and the opaque tokens of the calls. Vendors reject reasoning without its opaque token, so the client's
 * copy is replaced.
 * @returns the same request if there is nothing to restore
 */
export async function restoreReasoning(request: GenerationRequest, recall: Recall): Promise<GenerationRequest> {
  const callIds = request.messages.filter(lacksReasoning).flatMap(({ content }) => callsOf(content).map(idOf));
  if (callIds.length === 0) return request;
  const remembered = await recall(callIds);
  if (remembered.size === 0) return request;
  return {
    ...request,
    messages: request.messages.map((turn) => (lacksReasoning(turn) ? restoreTurn(turn, remembered) : turn)),
  };
}

function restoreTurn(turn: Message, remembered: ReadonlyMap<string, RememberedCall>): Message {
  const calls = callsOf(turn.content);
  // All calls of a turn store the same reasoning, so one stored call is enough to restore it.
  const reasoning = calls.map(({ callId }) => remembered.get(callId)?.reasoning ?? []).find((some) => some.length > 0);
  const content = turn.content.flatMap((block): ContentBlock[] => {
    if (block.type === 'reasoning') return reasoning ? [] : [block];
    if (block.type !== 'tool-call') return [block];
    const opaqueToken = block.opaqueToken ?? remembered.get(block.callId)?.opaqueToken;
    const call = opaqueToken === undefined ? block : { ...block, opaqueToken };
    return block === calls[0] && reasoning ? [...reasoning, call] : [call];
  });
  return { ...turn, content };
}

function lacksReasoning({ role, content }: Message): boolean {
  if (role !== 'assistant') return false;
  const hasOwn = content.some((block) => block.type === 'reasoning' && block.opaqueToken !== undefined);
  return !hasOwn && callsOf(content).some(({ opaqueToken }) => opaqueToken === undefined);
}

function callsOf(content: readonly ContentBlock[]): ToolCallBlock[] {
  return content.filter((block) => block.type === 'tool-call');
}

function idOf({ callId }: ToolCallBlock): string {
  return callId;
}
