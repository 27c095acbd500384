import { DIRECTIVE_LIMITS, hasDirective, MEDIA_DIRECTIVES } from '../directives/media-directives.ts';
import type { JobLedger } from './job-ledger.ts';
import type { MediaJob } from './media-job.ts';

/**
 * Whether the prompt has the directive and it still affects this call; the call is counted.
 * @param subject a job id, or a task name for directives on submissions.
 */
export function consumeDirective(
  ledger: JobLedger,
  name: keyof typeof DIRECTIVE_LIMITS,
  { wire, prompt }: Pick<MediaJob, 'wire' | 'prompt'>,
  subject: string,
): boolean {
  if (!hasDirective(prompt, name)) return false;
  return ledger.consumeFault(wire, subject, MEDIA_DIRECTIVES[name].word, DIRECTIVE_LIMITS[name]);
}
