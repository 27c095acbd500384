import { startNginx } from '../peers/nginx.ts';
import type { Stage } from '../stage.ts';
import type { Subject } from '../start-subject.ts';

/** What passes requests on, Sluice and its peers, and how much CPU each has used. */
export interface TextPeer {
  url: string;
  cpuUs(): Promise<number>;
}

/** A gateway of text and its peers before one vendor. */
export interface TextStage {
  vendor: Subject;
  api: Subject;
  peers: { proxy: TextPeer; fastify: TextPeer; nginx?: TextPeer };
  close(): Promise<void>;
}

/** What the vendor does, as the path before the wire's own. */
export const VENDOR_PATHS = {
  whole: '/whole',
  first: '/chunks/1/0',
  paced: '/chunks/100/20',
} as const;
type VendorPath = keyof typeof VENDOR_PATHS;

/** Name of the model that is relayed (`chat`) or translated (`messages`) to what the vendor does under a path. */
export function modelOf(path: VendorPath, wire: 'chat' | 'messages'): string {
  return `${path}-${wire}`;
}

/** Starts everything. */
export async function setTextStage(stage: Stage): Promise<TextStage> {
  const vendor = await stage.start('text-vendor');
  const names = Object.keys(VENDOR_PATHS) as VendorPath[]; // the table's own keys
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

/** A process of ours as a peer. */
export function peerOf(subject: Subject): TextPeer {
  return { url: subject.url, cpuUs: async () => (await subject.usage()).cpuUs };
}
