import { modelOf, textModels } from '../../contenders/text-models.ts';
import { chatBody } from '../../load/bodies.ts';
import type { Burst, BurstResult } from '../../load/load-generator.ts';
import { microseconds, type Row } from '../../measure/report.ts';
import { BENCH_KEY, type Stage } from '../../measure/stage.ts';
import { median } from '../../measure/statistics.ts';

const CONCURRENCY = 32;
/** Share of the CPU time of a request that its ledger entry may cost. */
const GOAL = 0.04;
/** Many short bursts, so that both programs run under the same conditions. */
const BURSTS_PER_ROUND = 8;

/** Compares the CPU time of a relayed and priced chat request with and without the usage ledger. */
export async function measureLedgerCost(stage: Stage): Promise<Row[]> {
  const { quick, rounds } = stage.options;
  const count = quick ? 500 : 2_000;
  const vendor = await stage.start('text-vendor');
  const { upstreams, models } = textModels(vendor.url);
  const price = { input: 0.15, output: 0.6 };
  const priced = models.map((model) => Object.assign(model, { price }));
  const start = async (enabled: boolean) => {
    await stage.configureText({ upstreams, models: priced, ledger: { enabled } });
    return stage.start('api');
  };
  const [off, on] = [await start(false), await start(true)];
  const load = await stage.start('load-generator');
  const costOf = async (api: typeof on): Promise<number> => {
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
  for (let warmUp = 0; warmUp < (quick ? 1 : 6); warmUp++) for (const api of [off, on]) await costOf(api);
  const costs: { off: number; on: number }[] = [];
  for (let burst = 0; burst < rounds * (quick ? 2 : BURSTS_PER_ROUND); burst++) {
    costs.push({ off: await costOf(off), on: await costOf(on) });
  }
  await Promise.all([off.stop(), on.stop(), load.stop(), vendor.stop()]);

  const share = median(costs.map((cost) => cost.on / cost.off)) - 1;
  const row = (figure: string, of: 'off' | 'on'): Row => ({
    figure,
    sluice: microseconds(median(costs.map((cost) => cost[of]))),
    reached: '–',
    raw: {},
  });
  return [
    row(`CPU per relayed chat request without the usage ledger, ${CONCURRENCY} at once`, 'off'),
    {
      ...row('– with the usage ledger', 'on'),
      reached: `${share < 0 ? '' : '+'}${(share * 100).toFixed(1)} %`,
      goal: `≤ +${GOAL * 100} %`,
      ok: share <= GOAL,
      raw: { costs },
    },
  ];
}
