import { textModels } from '../../contenders/text-models.ts';
import type { Row } from '../../measure/report.ts';
import type { Stage } from '../../measure/stage.ts';
import { compareChats, CONCURRENCY, costRow } from './compare-chats.ts';

/** Share of the CPU time of a request that the pool and the affinity may cost. */
const GOAL = 0.03;
const NAMES = ['one', 'two', 'three', 'four', 'five'];
/** High enough that no request is refused. */
const RPM = 10_000_000;
const MAX_IN_FLIGHT = 10_000;

/** Compares the CPU time of a relayed chat request with one key, and over a pool of five credentials with limits. */
export async function measurePoolsCost(stage: Stage): Promise<Row[]> {
  const vendor = await stage.start('text-vendor');
  const { upstreams, models } = textModels(vendor.url);
  const start = async (parts: object) => {
    await stage.configureText({ upstreams: parts, models });
    return stage.start('api');
  };
  const apis = { without: await start(upstreams), with: await start(pooled(upstreams)) };
  const costs = await compareChats(stage, apis);
  await Promise.all([apis.without, apis.with, vendor].map((subject) => subject.stop()));
  const figure = `CPU per relayed chat request, with one key → with a pool of five credentials, ${CONCURRENCY} at once`;
  return [{ figure, ...costRow(costs, GOAL) }];
}

/** Replaces the key of each upstream with a pool. */
function pooled(upstreams: object): object {
  const credentials = NAMES.map((name) => ({ name, api_key: `sk-${name}`, rpm: RPM, max_in_flight: MAX_IN_FLIGHT }));
  const entries = Object.entries(upstreams).map(([upstream, settings]: [string, object]): [string, object] => [
    upstream,
    Object.assign({}, settings, { api_key: undefined, credentials }),
  ]);
  return Object.fromEntries(entries);
}
