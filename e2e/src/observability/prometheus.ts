import { execFile, spawn } from 'node:child_process';
import { access, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@sluice/testkit';
import { vi } from 'vitest';

const run = promisify(execFile);

/** Paths of the programs. */
export interface PrometheusPrograms {
  prometheus: string;
  promtool: string;
}

/** Finds Prometheus, or downloads Debian's package into the user's cache. Returns the reason if neither works. */
export async function findPrometheus(): Promise<PrometheusPrograms | string> {
  const cached = path.join(homedir(), '.cache/sluice-test/prometheus');
  for (const folder of [...(process.env['PATH'] ?? '').split(':'), path.join(cached, 'usr/bin')]) {
    const found = { prometheus: path.join(folder, 'prometheus'), promtool: path.join(folder, 'promtool') };
    if (await exist(Object.values(found))) return found;
  }
  try {
    await download(cached);
    return { prometheus: path.join(cached, 'usr/bin/prometheus'), promtool: path.join(cached, 'usr/bin/promtool') };
  } catch {
    return 'prometheus is not installed, and apt-get cannot download it';
  }
}

async function exist(files: string[]): Promise<boolean> {
  const found = await Promise.allSettled(files.map((file) => access(file)));
  return found.every(({ status }) => status === 'fulfilled');
}

/** @throws if apt is missing or the package is not available */
async function download(target: string): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true });
  const work = await mkdtemp(`${target}.`);
  try {
    await run('apt-get', ['-o', 'APT::Sandbox::User=', 'download', 'prometheus'], { cwd: work, timeout: 60_000 });
    const [file = ''] = await readdir(work);
    await run('dpkg-deb', ['-x', path.join(work, file), path.join(work, 'root')], { timeout: 60_000 });
    // If another process was faster, its copy is used.
    await rename(path.join(work, 'root'), target).catch(() => undefined);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

export interface Prometheus {
  /** Returns the values of an instant query, or throws Prometheus's error. */
  query(expression: string): Promise<number[]>;
  /** Returns the exemplars of a query within the last hour. */
  exemplars(expression: string): Promise<Record<string, string>[]>;
  stop(): Promise<void>;
}

/** @param config the content of `prometheus.yml` */
export async function startPrometheus({ prometheus }: PrometheusPrograms, config: object): Promise<Prometheus> {
  const dir = await mkdtemp(path.join(tmpdir(), 'sluice-prometheus-'));
  const file = path.join(dir, 'prometheus.yml');
  await writeFile(file, JSON.stringify(config)); // JSON is valid YAML.
  const origin = `127.0.0.1:${await freePort()}`;
  const flags = [
    `--config.file=${file}`,
    `--storage.tsdb.path=${path.join(dir, 'data')}`,
    `--web.listen-address=${origin}`,
    '--enable-feature=exemplar-storage',
  ];
  const child = spawn(prometheus, flags, { stdio: 'ignore' });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const isReady = () =>
    fetch(`http://${origin}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await vi.waitUntil(isReady, { timeout: 60_000, interval: 100 });
  const get = async (at: string, parameters: Record<string, string>): Promise<unknown> => {
    const response = await fetch(`http://${origin}/api/v1/${at}?${new URLSearchParams(parameters).toString()}`);
    const body = (await response.json()) as { status: string; error?: string; data: unknown };
    if (body.status !== 'success') throw new Error(`${parameters['query']}: ${body.error}`);
    return body.data;
  };
  return {
    async query(query) {
      const data = (await get('query', { query })) as { result: { value: [number, string] }[] };
      return data.result.map(({ value: [, text] }) => Number(text));
    },
    async exemplars(query) {
      const now = Date.now() / 1_000;
      const range = { start: String(now - 3_600), end: String(now) };
      const data = (await get('query_exemplars', { query, ...range })) as {
        exemplars: { labels: Record<string, string> }[];
      }[];
      return data.flatMap(({ exemplars }) => exemplars.map(({ labels }) => labels));
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await rm(dir, { recursive: true, force: true });
    },
  };
}
