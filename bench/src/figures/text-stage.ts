import { startContender } from '../contenders/start-contender.ts';
import { ENDPOINTS, modelOf, textModels, VENDOR_PATHS, type VendorPath } from '../contenders/text-models.ts';
import { type Row, times } from '../measure/report.ts';
import type { Stage } from '../measure/stage.ts';
import type { Subject } from '../measure/start-subject.ts';
import { median } from '../measure/statistics.ts';

/** A gateway to measure: Sluice or a peer. */
export interface TextPeer {
  url: string;
  cpuUs(): Promise<number>;
}

/** Sluice's API and its peers in front of one vendor. */
export interface TextStage {
  vendor: Subject;
  api: Subject;
  peers: { proxy: TextPeer; fastify: TextPeer; nginx?: TextPeer };
  close(): Promise<void>;
}

export async function setTextStage(stage: Stage): Promise<TextStage> {
  const vendor = await stage.start('text-vendor');
  await stage.configureText(textModels(vendor.url));
  const api = await stage.start('api');
  const proxy = await stage.start('bare-proxy', vendor.url);
  const fastify = await stage.start('bare-fastify', vendor.url);
  const nginx = await startContender('nginx', { vendorUrl: vendor.url, env: stage.env, dir: stage.dir });
  return {
    vendor,
    api,
    peers: {
      proxy: peerOf(proxy),
      fastify: peerOf(fastify),
      ...(nginx && { nginx: { url: nginx.url, cpuUs: async () => (await nginx.usage()).cpuUs } }),
    },
    close: async () => {
      await Promise.all([api.stop(), proxy.stop(), fastify.stop(), nginx?.stop()]);
      await vendor.stop();
    },
  };
}

function peerOf(subject: Subject): TextPeer {
  return { url: subject.url, cpuUs: async () => (await subject.usage()).cpuUs };
}

/** A way to send a request to the vendor: through Sluice or through a peer. */
export interface Way {
  name: 'relay' | 'translate' | 'proxy' | 'fastify' | 'nginx';
  peer: TextPeer;
  at: string;
  model: string;
}

/** The path of the vendor, which the bare peers forward. */
export function directPath(path: VendorPath): string {
  return VENDOR_PATHS[path] + ENDPOINTS.chat;
}

/** Returns all ways to send a request to the vendor's path. */
export function waysTo(path: VendorPath, { api, peers }: TextStage): Way[] {
  const own = peerOf(api);
  const direct = directPath(path);
  const { proxy, fastify, nginx } = peers;
  return [
    { name: 'proxy', peer: proxy, at: direct, model: 'vendor-model' },
    { name: 'relay', peer: own, at: '/v1/chat/completions', model: modelOf(path, 'chat') },
    { name: 'translate', peer: own, at: '/v1/chat/completions', model: modelOf(path, 'messages') },
    { name: 'fastify', peer: fastify, at: direct, model: 'vendor-model' },
    ...(nginx ? [{ name: 'nginx' as const, peer: nginx, at: direct, model: 'vendor-model' }] : []),
  ];
}

/** CPU microseconds per unit of work, keyed by way. The array has one entry per round. */
export type Costs = Partial<Record<Way['name'], number>>[];

/** Measures the CPU time of each way in several rounds. The first round is a warm-up and is discarded. */
export async function costsOf(
  rounds: number,
  ways: readonly Way[],
  chunks: number,
  work: (way: Way) => Promise<void>,
): Promise<Costs> {
  const runs: Costs = [];
  for (let round = 0; round <= rounds; round++) {
    const run: Costs[number] = {};
    for (const way of ways) {
      const before = await way.peer.cpuUs();
      await work(way);
      run[way.name] = ((await way.peer.cpuUs()) - before) / chunks;
    }
    if (round > 0) runs.push(run);
  }
  return runs;
}

/** Creates a row that compares one way through Sluice with the bare proxy. The cost of the proxy is 1. */
export function costRow(figure: string, costs: Costs, own: 'relay' | 'translate', goal: number, digits = 0): Row {
  const ratio = median(costs.map((run) => (run[own] ?? 0) / (run.proxy ?? 1)));
  const cost = (name: Way['name']) => `${median(costs.map((run) => run[name] ?? 0)).toFixed(digits)} µs`;
  return {
    figure,
    sluice: cost(own),
    proxy: cost('proxy'),
    fastify: cost('fastify'),
    ...(costs[0]?.nginx !== undefined && { nginx: cost('nginx') }),
    reached: times(ratio),
    goal: `≤ ${goal}×`,
    ok: ratio <= goal,
    raw: { costs },
  };
}
