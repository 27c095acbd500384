import type { FindOutcome, MediaSubmission } from '@sluice/canonical';
import type { CallVendor } from '../media/media-wire.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { isGood, NO_SUCH_RESOURCE, said } from './errors.ts';
import { readKling } from './wire.ts';

/**
 * Looks a lost submission up by the reference that was sent as its `external_task_id`. Kling docs: it is unique in the
 * account and may stand in the path in place of the id. So what is found is ours, and "does not exist" is believed
 * once the vendor has had time to show a job.
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
    return { kind: 'unclear', message: `The upstream did not answer the look-up (${said(status, kling)})` };
  }
  return { kind: 'candidates', jobs: [{ upstreamId, path }], certain: true };
}
