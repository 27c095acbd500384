import { modelOf } from '../../contenders/text-models.ts';
import { chatBody } from '../../load/bodies.ts';
import type { Burst, BurstResult } from '../../load/load-generator.ts';
import { microseconds } from '../../measure/report.ts';
import { BENCH_KEY, type Stage } from '../../measure/stage.ts';
import { median } from '../../measure/statistics.ts';
import type { Subject } from '../../measure/start-subject.ts';

export const CONCURRENCY = 32;
/** V8 needs about 24,000 requests until the cost is steady. */
const WARM_UP_BURSTS = 12;
/** Many short bursts, so that both processes run under the same conditions. */
const BURSTS_PER_ROUND = 8;

/** CPU time of a relayed chat in two consecutive bursts, in microseconds. */
export interface ChatCosts {
  without: number;
  with: number;
}

/** Measures relayed chats at two API processes in turn. */
export async function compareChats(
  stage: Stage,
  apis: Readonly<Record<keyof ChatCosts, Subject>>,
): Promise<ChatCosts[]> {
  const { quick, rounds } = stage.options;
  const count = quick ? 500 : 2_000;
  const load = await stage.start('load-generator');
  const costOf = async (api: Subject): Promise<number> => {
    const burst: Burst = {
      url: `${api.url}/v1/chat/completions`,
      headers: { authorization: `Bearer ${BENCH_KEY}` },
      body: JSON.stringify(chatBody(modelOf('buffered', 'chat'))),
      concurrency: CONCURRENCY,
      count,
    };
    const before = await api.usage();
    const { errors } = await load.call<BurstResult>('run', burst);
    if (errors > 0) throw new Error(`${errors} requests failed`);
    return ((await api.usage()).cpuUs - before.cpuUs) / count;
  };
  const costsOfBoth = async (): Promise<ChatCosts> => ({
    without: await costOf(apis.without),
    with: await costOf(apis.with),
  });
  for (let warmUp = 0; warmUp < (quick ? 1 : WARM_UP_BURSTS); warmUp++) await costsOfBoth();
  const costs: ChatCosts[] = [];
  for (let burst = 0; burst < rounds * (quick ? 2 : BURSTS_PER_ROUND); burst++) costs.push(await costsOfBoth());
  await load.stop();
  return costs;
}

/** The median of the ratios, and whether it reaches a goal. @param goal the share that may be added */
export function costRow(costs: readonly ChatCosts[], goal: number) {
  const share = median(costs.map((cost) => cost.with / cost.without)) - 1;
  return {
    sluice: (['without', 'with'] as const).map((of) => microseconds(median(costs.map((cost) => cost[of])))).join(' → '),
    reached: `${share < 0 ? '' : '+'}${(share * 100).toFixed(1)} %`,
    goal: `≤ +${goal * 100} %`,
    ok: share <= goal,
    raw: { costs },
  };
}
