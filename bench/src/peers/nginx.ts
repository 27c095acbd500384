import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Nginx {
  url: string;
  /** CPU time of nginx's processes since they started, in microseconds. */
  cpuUs(): Promise<number>;
  /** Resident memory of nginx's processes, in bytes. */
  rssBytes(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts nginx from `SLUICE_NGINX` or from the PATH.
 * @param target URL that receives the requests
 * @returns undefined if nginx is not installed
 */
export async function startNginx(dir: string, target: string): Promise<Nginx | undefined> {
  const port = await freePort();
  const file = path.join(dir, 'nginx.conf');
  await writeFile(file, configOf(dir, port, target));
  const child = spawn(process.env.SLUICE_NGINX ?? 'nginx', ['-p', dir, '-c', file, '-e', path.join(dir, 'nginx.log')], {
    stdio: 'ignore',
  });
  const failed = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(true));
    child.once('exit', () => resolve(true));
  });
  if (await Promise.race([failed, sleep(1_000, false)])) return undefined;
  const pids = async () => [child.pid ?? 0, ...(await childrenOf(child.pid ?? 0))];
  const sum = async (read: (pid: number) => Promise<number>) =>
    (await Promise.all((await pids()).map(read))).reduce((total, one) => total + one, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    cpuUs: () => sum(cpuOf),
    rssBytes: () => sum(memoryOf),
    stop: async () => {
      child.kill('SIGTERM');
      await failed;
    },
  };
}

function configOf(dir: string, port: number, target: string): string {
  return `daemon off; worker_processes 1; pid ${dir}/nginx.pid;
events { worker_connections 2048; }
http {
  access_log off;
  client_body_temp_path ${dir}/nginx-body; proxy_temp_path ${dir}/nginx-proxy; fastcgi_temp_path ${dir}/nginx-f;
  uwsgi_temp_path ${dir}/nginx-u; scgi_temp_path ${dir}/nginx-s;
  client_max_body_size 64m; keepalive_requests 1000000;
  upstream vendor { server ${new URL(target).host}; keepalive 512; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://vendor; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_buffering off; proxy_request_buffering off;
    }
  }
}
`;
}

/** Linux counts CPU time in ticks of 10 ms. */
const TICK_US = 10_000;

async function cpuOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

async function memoryOf(pid: number): Promise<number> {
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;
}

async function childrenOf(pid: number): Promise<number[]> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return list.split(' ').filter(Boolean).map(Number);
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
