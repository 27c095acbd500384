import type { GenerationRequest, Reasoning } from '@sluice/canonical';

/**
 * Returns how much reasoning the client wants to see. In the messages protocol, `thinking: enabled` shows reasoning
 * unless `display` hides it.
 */
export function visibleReasoning({
  protocol,
  reasoning,
}: Pick<GenerationRequest, 'protocol' | 'reasoning'>): Reasoning['visible'] {
  const isShown = protocol === 'messages' && reasoning?.enabled === true;
  return reasoning?.visible ?? (isShown ? 'summary' : undefined);
}
