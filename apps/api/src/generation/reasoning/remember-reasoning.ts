import type { Generation, ReasoningBlock } from '@sluice/canonical';
import type { GenerationDeps } from '../text-services.ts';
import type { TextContext } from '../text-context.ts';

/** Keeps the reasoning before tool calls for clients whose protocol cannot carry it. Never throws. */
export async function rememberReasoning(
  deps: GenerationDeps,
  context: TextContext,
  generation: Generation | undefined,
): Promise<void> {
  if (context.request.protocol.name !== 'chat-completions') return;
  for (const { content } of generation?.choices ?? []) {
    const reasoning = content.filter((block): block is ReasoningBlock => block.type === 'reasoning' && !!block.seal);
    const calls = content.filter((block) => block.type === 'tool-call');
    if (calls.length === 0 || (reasoning.length === 0 && !calls.some(({ seal }) => seal))) continue;
    await deps.memory.remember(context.owner, calls, reasoning);
  }
}
