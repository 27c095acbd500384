import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { testRedis } from '@sluice/testkit';

/** The API program with several processes. */
export interface ProcessesRig {
  program: ChildProcess;
  /** Everything that the program and its processes have printed. */
  output(): string;
  /** The number of requests with a log line. */
  sent(): number;
  /** The log lines of requests. */
  requests(): LoggedRequest[];
  /** Resolves with the messages that the program has sent when it is ready. */
  ready(): Promise<{ type: string; url: string }>;
  /** Sends a request over a new connection, so that the next process serves it. */
  open(at: string, body?: object): Promise<IncomingMessage>;
  json<T>(at: string, body?: object): Promise<T>;
  stop(signal?: NodeJS.Signals): Promise<unknown[]>;
  close(): Promise<void>;
}

export interface LoggedRequest {
  pid: number;
  method: string;
  path: string;
}

const KEY = 'sk-processes-test';
export const ADMIN_KEY = 'sk-processes-admin-key';

export interface ProcessesOptions {
  processes?: number | 'auto';
  port?: number;
  /** The base URL of an upstream of kind `chat-completions` that serves the model `text`. */
  vendorUrl?: string;
  config?: object;
}

export async function startProcesses(options: ProcessesOptions = {}): Promise<ProcessesRig> {
  const { processes = 2, port = 0, vendorUrl = 'http://127.0.0.1:9', config } = options;
  const dir = await mkdtemp(path.join(tmpdir(), 'sluice-processes-'));
  const { redisUrl, prefix } = testRedis();
  const file = {
    server: { port, processes, admin_key: ADMIN_KEY },
    redis: { url: redisUrl, prefix },
    keys: [{ name: 'local', key: KEY }],
    upstreams: { vendor: { kind: 'chat-completions', base_url: `${vendorUrl}/v1`, api_key: 'sk-the-vendor-key' } },
    models: [{ id: 'text', routes: [{ upstream: 'vendor', model: 'm' }], price: { input: 1, output: 1 } }],
    ...config,
  };
  await writeFile(path.join(dir, 'sluice.yaml'), JSON.stringify(file));
  const program = fork(path.join(import.meta.dirname, '../src/main.ts'), {
    cwd: dir,
    env: { PATH: process.env['PATH'], SLUICE_DATA_DIR: path.join(dir, 'data') },
    execArgv: ['--conditions=source'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let printed = '';
  for (const stream of [program.stdout, program.stderr]) stream?.on('data', (chunk) => (printed += String(chunk)));
  let origin = '';
  let sentCount = 0;
  const exited = once(program, 'exit');

  const open: ProcessesRig['open'] = (at, body) =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${at === '/metrics' ? ADMIN_KEY : KEY}`, connection: 'close' };
      if (at.startsWith('/v1/')) sentCount += 1;
      const agent = new Agent({ keepAlive: false });
      const sent = request(origin + at, {
        method: body ? 'POST' : 'GET',
        agent,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      });
      sent
        .once('response', resolve)
        .once('error', reject)
        .end(body && JSON.stringify(body));
    });

  return {
    program,
    output: () => printed,
    sent: () => sentCount,
    requests: () =>
      printed
        .split('\n')
        .filter((line) => line.startsWith('{') && line.includes('"msg":"request"'))
        .map((line) => JSON.parse(line) as LoggedRequest), // The cast is safe because each log line is a JSON object.
    async ready() {
      // The cast is safe because the program sends only this message.
      const [message] = (await once(program, 'message')) as [{ type: string; url: string }];
      origin = message.url;
      return message;
    },
    open,
    // The cast is left to the caller, which knows the endpoint.
    json: async <T>(at: string, body?: object) => JSON.parse(await text(await open(at, body))) as T,
    async stop(signal = 'SIGTERM') {
      program.kill(signal);
      return exited;
    },
    async close() {
      if (program.exitCode === null && program.signalCode === null) program.kill('SIGKILL');
      await exited;
      await rm(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
