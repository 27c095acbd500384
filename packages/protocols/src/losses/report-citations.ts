import type { LossReport, TextBlock } from '@sluice/canonical';

/** Reports the citations of a request for a protocol that cannot express them, except those that the gateway added. */
export function reportCitations({ citations = [] }: TextBlock, report: LossReport): void {
  if (citations.some(({ isTranslated }) => isTranslated !== true)) report({ field: 'citations', how: 'dropped' });
}
