import type { Generation, ReasoningBlock } from '@sluice/canonical';
import type { TextRequest } from '@sluice/protocols';
import { carriesReasoning } from './carries-reasoning.ts';
import type { ReasoningMemory } from './reasoning-memory.ts';

export function hasCalls(generation: Generation | undefined): boolean {
  return generation?.choices.some(({ content }) => content.some(({ type }) => type === 'tool-call')) === true;
}

/** Stores reasoning for clients that do not send it back. Never throws. */
export async function rememberReasoning(
  memory: ReasoningMemory,
  { owner, request }: { owner: string; request: TextRequest },
  generation: Generation | undefined,
): Promise<void> {
  if (carriesReasoning(request)) return;
  // Messages clients are also routed to upstreams that require reasoning without a token (DeepSeek, Kimi).
  const isMessages = request.protocol.name === 'messages';
  for (const { content } of generation?.choices ?? []) {
    const reasoning = content.filter(
      (block): block is ReasoningBlock => block.type === 'reasoning' && (isMessages || !!block.opaqueToken),
    );
    const calls = content.filter((block) => block.type === 'tool-call');
    if (calls.length === 0 || (reasoning.length === 0 && !calls.some(({ opaqueToken }) => opaqueToken))) continue;
    await memory.remember(owner, calls, reasoning);
  }
}
