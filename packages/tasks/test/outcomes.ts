import type { TaskRig } from '@sluice/testkit';
import type { NewTask } from '../src/engine/task-requests.ts';
import type { TaskAllowance } from '../src/store/admission.ts';

type Outcome = 'new' | 'rate_limited' | 'insufficient_quota';

/** Submits tasks concurrently and counts the outcomes. */
export async function outcomes(
  rig: TaskRig,
  times: number,
  allowance: TaskAllowance,
  params: Partial<NewTask> = {},
): Promise<Partial<Record<Outcome, number>>> {
  const codes = await Promise.all(
    Array.from({ length: times }, () =>
      rig.engine.submit(rig.params({ allowance, ...params })).then(
        () => 'new' as const,
        (error: { code: Outcome }) => error.code,
      ),
    ),
  );
  return Object.fromEntries([...Map.groupBy(codes, (code) => code)].map(([code, all]) => [code, all.length]));
}
