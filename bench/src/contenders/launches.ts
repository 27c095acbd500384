import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { nginxCommand } from '../peers/nginx.ts';
import { BENCH_KEY } from '../measure/stage.ts';
import { portkeyProgram } from './portkey.ts';
import { ENDPOINTS, modelOf, textModels, VENDOR_PATHS, type VendorPath, type Wire } from './text-models.ts';

/** One kind of request: the client's protocol, the vendor's protocol, and how the vendor responds. */
export interface Route {
  client: Wire;
  vendor: Wire;
  path: VendorPath;
}

/** How a client addresses a contender. */
export interface Target {
  path: string;
  model: string;
  headers: Record<string, string>;
}

/** How to start a contender, and how to send requests to it. */
export interface Launch {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** Returns undefined if the contender cannot serve this kind of request. */
  targetOf(route: Route): Target | undefined;
}

export interface LaunchContext {
  vendorUrl: string;
  /** The environment of the stage, without settings of the user. */
  env: NodeJS.ProcessEnv;
  /** An empty folder of this contender. */
  dir: string;
  port: number;
}

/** All contenders, in the order of the table. A launch is undefined if the program is not installed. */
export const LAUNCHES = {
  nginx: async ({ dir, port, vendorUrl, env }) => {
    const found = await nginxCommand(dir, port, vendorUrl);
    return found && { ...found, env, targetOf: relayOnly };
  },
  node: (context) => peer(context, 'bare-proxy', relayOnly),
  fastify: (context) =>
    peer(context, 'bare-fastify', (route) => {
      const prefix = route.client === route.vendor ? '' : '/translate';
      return { path: prefix + VENDOR_PATHS[route.path] + ENDPOINTS[route.client], model: 'vendor-model', headers: {} };
    }),
  sluice: (context) => sluice(context, false),
  'sluice-limits': (context) => sluice(context, true),
  portkey: async ({ env, port, vendorUrl }) => {
    const program = await portkeyProgram();
    if (program === undefined) return undefined;
    const args = [program, '--headless', `--port=${port}`];
    return { command: process.execPath, args, env, targetOf: (route) => portkeyTarget(route, vendorUrl) };
  },
} satisfies Record<string, (context: LaunchContext) => Promise<Launch | undefined>>;
export type ContenderName = keyof typeof LAUNCHES;

/** A proxy serves only requests that the vendor understands as they are. */
function relayOnly({ client, vendor, path: vendorPath }: Route): Target | undefined {
  if (client !== vendor) return undefined;
  return { path: VENDOR_PATHS[vendorPath] + ENDPOINTS[client], model: 'vendor-model', headers: {} };
}

function peer(
  { env, port, vendorUrl }: LaunchContext,
  name: 'bare-proxy' | 'bare-fastify',
  targetOf: Launch['targetOf'],
): Promise<Launch> {
  const program = new URL(`../peers/${name}.ts`, import.meta.url).pathname;
  const args = ['--conditions=source', '--disable-warning=ExperimentalWarning', program];
  const ownEnv = { ...env, BENCH_PORT: String(port), BENCH_TARGET: vendorUrl };
  return Promise.resolve({ command: process.execPath, args, env: ownEnv, targetOf });
}

const API = new URL('../../../apps/api/dist/main.js', import.meta.url).pathname;

/** @param limited whether the key has rate limits and a budget, which are never reached, and the models have prices */
async function sluice({ env, dir, port, vendorUrl }: LaunchContext, limited: boolean): Promise<Launch> {
  const limits = limited && {
    limits: { rpm: 100_000_000, tpm: 1_000_000_000_000 },
    budget: { usd: 1_000_000, period: 'month' },
  };
  const config = {
    keys: [{ name: 'bench', key: BENCH_KEY, ...limits }],
    ...textModels(vendorUrl, { priced: limited }),
  };
  const file = path.join(dir, 'sluice.yaml');
  await mkdir(path.join(dir, 'data'), { recursive: true });
  await writeFile(file, JSON.stringify(config)); // JSON is valid YAML.
  return {
    command: process.execPath,
    args: [API],
    env: { ...env, SLUICE_CONFIG: file, SLUICE_DATA_DIR: path.join(dir, 'data'), SLUICE_PORT: String(port) },
    targetOf: (route) => ({
      path: ENDPOINTS[route.client],
      model: modelOf(route.path, route.vendor),
      headers: { authorization: `Bearer ${BENCH_KEY}`, ...(route.client === 'messages' && ANTHROPIC) },
    }),
  };
}

const ANTHROPIC = { 'anthropic-version': '2023-06-01' };

/** Portkey has no messages client, and it selects the vendor by headers. */
function portkeyTarget({ client, vendor, path: vendorPath }: Route, vendorUrl: string): Target | undefined {
  if (client !== 'chat') return undefined;
  return {
    path: ENDPOINTS.chat,
    model: 'vendor-model',
    headers: {
      authorization: 'Bearer sk-vendor',
      'x-portkey-provider': vendor === 'chat' ? 'openai' : 'anthropic',
      'x-portkey-custom-host': `${vendorUrl}${VENDOR_PATHS[vendorPath]}/v1`,
    },
  };
}
