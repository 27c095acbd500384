import { startNginx } from '../peers/nginx.ts';
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

/** Paths that select how the vendor responds. */
export const VENDOR_PATHS = {
  buffered: '/buffered',
  first: '/chunks/1/0',
  paced: '/chunks/100/20',
} as const;
type VendorPath = keyof typeof VENDOR_PATHS;

/** Returns the name of a model that reaches the vendor at this path, relayed (`chat`) or translated (`messages`). */
export function modelOf(path: VendorPath, wire: 'chat' | 'messages'): string {
  return `${path}-${wire}`;
}

export async function setTextStage(stage: Stage): Promise<TextStage> {
  const vendor = await stage.start('text-vendor');
  const names = Object.keys(VENDOR_PATHS) as VendorPath[]; // The cast is safe because these are the table's own keys.
  const upstreams = Object.fromEntries(
    names.flatMap((name) => [
      [
        modelOf(name, 'chat'),
        { kind: 'chat-completions', base_url: vendor.url + VENDOR_PATHS[name], api_key: 'sk-vendor' },
      ],
      [
        modelOf(name, 'messages'),
        { kind: 'messages', base_url: vendor.url + VENDOR_PATHS[name], api_key: 'sk-vendor' },
      ],
    ]),
  );
  const models = Object.keys(upstreams).map((id) => ({ id, routes: [{ upstream: id, model: 'vendor-model' }] }));
  await stage.configureText({ upstreams, models });
  const api = await stage.start('api');
  const proxy = await stage.start('bare-proxy', vendor.url);
  const fastify = await stage.start('bare-fastify', vendor.url);
  const nginx = await startNginx(stage.dir, vendor.url);
  return {
    vendor,
    api,
    peers: { proxy: peerOf(proxy), fastify: peerOf(fastify), ...(nginx && { nginx }) },
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

/** Returns all ways to send a request to the vendor's path. */
export function waysTo(path: VendorPath, { api, peers }: TextStage): Way[] {
  const own = peerOf(api);
  const direct = `${VENDOR_PATHS[path]}/chat/completions`;
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
