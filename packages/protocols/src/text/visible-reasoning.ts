import type { GenerationRequest, Reasoning } from '@sluice/canonical';

/** How much reasoning the client wants to see. `thinking: enabled` of messages shows it unless `display` hides it. */
export function visibleReasoning({
  protocol,
  reasoning,
}: Pick<GenerationRequest, 'protocol' | 'reasoning'>): Reasoning['visible'] {
  const isShown = protocol === 'messages' && reasoning?.enabled === true;
  return reasoning?.visible ?? (isShown ? 'summary' : undefined);
}
