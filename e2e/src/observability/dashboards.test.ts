import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@sluice/testkit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Client } from '../client.ts';
import { ROOT } from '../processes.ts';
import { KEY, type Stack, startStack, VENDOR_KEY } from '../stack.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';
import { plainQuery, readDashboards } from './dashboards.ts';
import { findPrometheus, type Prometheus, type PrometheusPrograms, startPrometheus } from './prometheus.ts';

const ADMIN_KEY = 'sk-e2e-admin-0004';
const LIMITED_KEY = 'sk-e2e-limited-0003';
const POOR_KEY = 'sk-e2e-poor-0005';

const programs = await findPrometheus();
const isSkipped = typeof programs === 'string';
const reason = isSkipped ? ` [skipped: ${programs}]` : '';

const chat = (content: string) => ({ model: 'text', messages: [{ role: 'user', content }] });

/** Sends requests of all kinds, some of which fail, until it is aborted. */
async function sendTraffic(stack: Stack, signal: AbortSignal): Promise<void> {
  const post = async (at: string, body: object, key = KEY): Promise<void> => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await new Client(stack.origin, key).fetch(at, init);
    await response.text();
  };
  while (!signal.aborted) {
    await Promise.all([
      post('/v1/chat/completions', chat('hi')),
      post('/v1/chat/completions', { ...chat('[drip:20] hi'), stream: true }),
      post('/v1/chat/completions', chat('[401] hi')),
      post('/v1/chat/completions', chat('hi'), LIMITED_KEY),
      post('/v1/chat/completions', chat('hi'), POOR_KEY),
      post('/v1/chat/completions', chat(`[429] ${Date.now()}`)),
      post('/v1/videos', { model: 'clip', prompt: 'a kite', seconds: '1' }),
      post('/v1/videos', { model: 'clip', prompt: 'a kite [moderation]', seconds: '1' }),
    ]);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

describe.skipIf(isSkipped)(`the dashboards and alerts${reason}`, () => {
  const { prometheus: program, promtool } = programs as PrometheusPrograms; // Cast: the group runs only with the programs.
  const stopped = new AbortController();
  let stack: Stack;
  let receiver: Receiver;
  let prometheus: Prometheus;
  let traffic: Promise<void>;

  beforeAll(async () => {
    receiver = await startReceiver();
    const workerPort = await freePort();
    stack = await startStack({
      workers: 0,
      apiEnv: { SLUICE_ADMIN_KEY: ADMIN_KEY },
      upstream: { max_in_flight: 10 },
      configFor: (sandboxUrl) => ({
        upstreams: {
          dead: { kind: 'chat-completions', base_url: 'http://127.0.0.1:1/v1', api_key: VENDOR_KEY },
          alive: { kind: 'chat-completions', base_url: `${sandboxUrl}/v1`, api_key: VENDOR_KEY },
        },
        models: [
          {
            id: 'text',
            routes: ['dead', 'alive'].map((upstream) => ({ upstream, model: 'sandbox-chat' })),
            price: { input: 1, output: 1 },
          },
          { id: 'clip', routes: [{ upstream: 'vendor', model: 'sandbox-video' }], price: { video_second: 1 } },
        ],
      }),
      config: {
        keys: [
          { name: 'client', key: KEY },
          { name: 'limited', key: LIMITED_KEY, limits: { rpm: 1 } },
          { name: 'poor', key: POOR_KEY, budget: { usd: 0.000_001, period: 'total' } },
        ],
        webhooks: { allow: [receiver.origin], poll_ms: 50 },
      },
    });
    await stack.startWorker({ SLUICE_WORKER_HEALTH_PORT: String(workerPort) });
    await new Client(stack.origin, KEY).fetch('/v1/webhooks', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${receiver.origin}/hook` }),
    });
    const targets = (job: string, origin: string) => ({
      job_name: job,
      authorization: { credentials: ADMIN_KEY },
      static_configs: [{ targets: [origin.replace('http://', '')] }],
    });
    prometheus = await startPrometheus(
      { prometheus: program, promtool },
      {
        global: { scrape_interval: '1s', evaluation_interval: '1s' },
        rule_files: [path.join(ROOT, 'deploy/prometheus/sluice.rules.yml')],
        scrape_configs: [targets('sluice-api', stack.origin), targets('sluice-worker', `127.0.0.1:${workerPort}`)],
      },
    );
    traffic = sendTraffic(stack, stopped.signal);
  }, 120_000);
  afterAll(async () => {
    stopped.abort();
    await traffic;
    await (prometheus as Prometheus | undefined)?.stop();
    await (stack as Stack | undefined)?.close();
    receiver.close();
  });

  async function hasNumbers(expression: string): Promise<boolean> {
    return (await prometheus.query(plainQuery(expression, '20s'))).some(Number.isFinite);
  }

  it('every query of every panel returns numbers', async () => {
    const queries = (await readDashboards()).flatMap(({ title, panels }) =>
      panels.flatMap((panel) => (panel.targets ?? []).map(({ expr }) => ({ panel: `${title}: ${panel.title}`, expr }))),
    );
    expect(queries.length).toBeGreaterThan(50);
    for (const { panel, expr } of queries) {
      await vi
        .waitUntil(() => hasNumbers(expr), { timeout: 60_000, interval: 500 })
        .catch(() => {
          throw new Error(`${panel} has no data: ${expr}`);
        });
    }
  }, 300_000);

  it('promtool accepts the rules, and their tests pass', async () => {
    const cwd = path.join(ROOT, 'deploy/prometheus');
    const { stdout } = await promisify(execFile)(promtool, ['check', 'rules', 'sluice.rules.yml'], { cwd });
    expect(stdout).toContain('SUCCESS');
    await promisify(execFile)(promtool, ['test', 'rules', 'sluice.test.yml'], { cwd });
  });

  it('the rules alert about the refused credential', async () => {
    await vi.waitUntil(
      async () => (await prometheus.query('ALERTS{alertname="SluiceUpstreamCredential", upstream="alive"}')).length > 0,
      { timeout: 60_000, interval: 500 },
    );
  }, 90_000);

  it('promtool accepts the scraped metrics', async () => {
    const text = await (
      await fetch(`${stack.origin}/metrics`, { headers: { authorization: `Bearer ${ADMIN_KEY}` } })
    ).text();
    const child = promisify(execFile)(promtool, ['check', 'metrics']);
    child.child.stdin?.end(text);
    const { stderr } = await child.catch((error: { stderr: string }) => error);
    // The linter only objects to names that are part of the interface.
    expect(stderr).not.toMatch(/error while linting|parse/);
  });
});
