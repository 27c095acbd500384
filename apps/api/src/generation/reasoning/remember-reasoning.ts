import type { Generation, ReasoningBlock } from '@sluice/canonical';
import type { TextServices } from '../text-services.ts';
import type { Turn } from '../text-context.ts';

/** Keeps the reasoning before tool calls for clients whose protocol cannot carry it. Never throws. */
export async function rememberReasoning(
  services: TextServices,
  turn: Turn,
  generation: Generation | undefined,
): Promise<void> {
  if (turn.request.protocol.name !== 'chat-completions') return;
  for (const { content } of generation?.choices ?? []) {
    const reasoning = content.filter((block): block is ReasoningBlock => block.type === 'reasoning' && !!block.seal);
    const calls = content.filter((block) => block.type === 'tool-call');
    if (calls.length === 0 || (reasoning.length === 0 && !calls.some(({ seal }) => seal))) continue;
    await services.memory.remember(turn.owner, calls, reasoning);
  }
}
