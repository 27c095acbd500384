import type { Generation, ReasoningBlock } from '@sluice/canonical';
import type { TextRequest } from '@sluice/protocols';
import type { ReasoningMemory } from './reasoning-memory.ts';

/** For clients whose protocol cannot carry reasoning. Never throws. */
export async function rememberReasoning(
  memory: ReasoningMemory,
  { owner, request }: { owner: string; request: TextRequest },
  generation: Generation | undefined,
): Promise<void> {
  if (request.protocol.name !== 'chat-completions') return;
  for (const { content } of generation?.choices ?? []) {
    const reasoning = content.filter(
      (block): block is ReasoningBlock => block.type === 'reasoning' && !!block.opaqueToken,
    );
    const calls = content.filter((block) => block.type === 'tool-call');
    if (calls.length === 0 || (reasoning.length === 0 && !calls.some(({ opaqueToken }) => opaqueToken))) continue;
    await memory.remember(owner, calls, reasoning);
  }
}
