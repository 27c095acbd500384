import type { FindOutcome, MediaSubmission } from '@sluice/canonical';
import type { CallVendor } from '../media/media-wire.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { isGood, NO_SUCH_RESOURCE, said } from './errors.ts';
import { readKling } from './wire.ts';

/**
 * Looks up a lost submission by the reference sent as its `external_task_id`. Kling docs: the reference is unique in
 * the account and can replace the id in the path. "Does not exist" counts once the vendor had time to show the job.
 */
export async function findByReference(
  params: Pick<MediaSubmission, 'reference' | 'submittedAt' | 'lost'>,
  path: string,
  ask: CallVendor,
  tools: WireTools,
): Promise<FindOutcome> {
  const { status, body } = await ask({ method: 'GET', path: `${path}/${encodeURIComponent(params.reference)}` });
  const kling = readKling(body);
  if (kling.code === NO_SUCH_RESOURCE && tools.isSettled(params.lost?.since ?? params.submittedAt))
    return { kind: 'none' };
  const upstreamId = kling.data?.task_id;
  const told = kling.data?.task_info?.external_task_id ?? params.reference;
  if (!isGood(status, kling) || upstreamId === undefined || told !== params.reference) {
    return { kind: 'unclear', message: `The upstream did not complete the lookup (${said(status, kling)})` };
  }
  return { kind: 'candidates', jobs: [{ upstreamId, path }], certain: true };
}
