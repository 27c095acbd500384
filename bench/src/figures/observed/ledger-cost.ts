import { textModels } from '../../contenders/text-models.ts';
import type { Row } from '../../measure/report.ts';
import type { Stage } from '../../measure/stage.ts';
import { compareChats, CONCURRENCY, costRow } from './compare-chats.ts';

/** Share of the CPU time of a request that its ledger entry may cost. */
const GOAL = 0.04;

/** Compares the CPU time of a relayed and priced chat request without and with the usage ledger. */
export async function measureLedgerCost(stage: Stage): Promise<Row[]> {
  const vendor = await stage.start('text-vendor');
  const { upstreams, models } = textModels(vendor.url);
  const price = { input: 0.15, output: 0.6 };
  const priced = models.map((model) => Object.assign(model, { price }));
  const start = async (enabled: boolean) => {
    await stage.configureText({ upstreams, models: priced, ledger: { enabled } });
    return stage.start('api');
  };
  const apis = { without: await start(false), with: await start(true) };
  const costs = await compareChats(stage, apis);
  await Promise.all([apis.without, apis.with, vendor].map((subject) => subject.stop()));
  const figure = `CPU per relayed chat request, without → with the usage ledger, ${CONCURRENCY} at once`;
  return [{ figure, ...costRow(costs, GOAL) }];
}
