import { DIRECTIVE_LIMITS, hasDirective, MEDIA_DIRECTIVES } from '../directives/media-directives.ts';
import type { JobLedger } from './job-ledger.ts';
import type { MediaJob } from './media-job.ts';

/**
 * Returns true, and counts the call, if the prompt has the directive and fewer calls than its limit were counted.
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
