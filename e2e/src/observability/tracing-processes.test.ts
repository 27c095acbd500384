import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort, startOtlpReceiver } from '@sluice/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { Client } from '../client.ts';
import { KEY, type Stack, type StackOptions, startStack } from '../stack.ts';

const WAIT = { timeout: 60_000, interval: 50 };
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const ADMIN_KEY = 'sk-e2e-admin-0004';
/** Reports each module of OpenTelemetry that a process loads. The Prometheus client always loads the API package. */
const MODULE_HOOK = `
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      if (/@opentelemetry\\/(?!api\\/)/.test(url)) process._rawDebug('loaded ' + url);
      return next(url, context);
    },
  });`;
const HOOKED = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(MODULE_HOOK)}` };

let stack: Stack;
let silent: Server | undefined;
afterEach(async () => {
  await stack.close();
  silent?.closeAllConnections();
  silent?.close();
});

async function startChat(apiEnv: NodeJS.ProcessEnv, options: StackOptions = {}): Promise<void> {
  stack = await startStack({
    workers: 0,
    apiEnv,
    configFor: (sandboxUrl) => ({
      upstreams: { text: { kind: 'chat-completions', base_url: `${sandboxUrl}/v1`, api_key: 'sk-vendor-secret-3003' } },
      models: [{ id: 'text', routes: [{ upstream: 'text', model: 'sandbox-chat' }] }],
    }),
    ...options,
  });
}

async function chat(): Promise<void> {
  const response = await new Client(stack.origin, KEY).fetch('/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent: `00-${TRACE}-00f067aa0ba902b7-01` },
    body: JSON.stringify({ model: 'text', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
  });
  expect(response.status).toBe(200);
  await response.text();
}

describe("OpenTelemetry's SDK", () => {
  it.each([
    ['without variables', {}, false],
    ['if it is disabled', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_SDK_DISABLED: 'true' }, false],
    ['with an endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, true],
  ])(
    'is loaded only if it is configured: %s',
    async (_case, otel, isLoaded) => {
      await startChat({ ...HOOKED, ...otel });
      await stack.startWorker({ ...HOOKED, ...otel });
      await chat();
      await Promise.all([stack.api.stop(), stack.workers[0]?.stop()]);
      const logs = await stack.logs();
      expect(logs).toContain('"msg":"request"');
      expect(logs.includes('loaded file:')).toBe(isLoaded);
      expect(logs.includes(TRACE)).toBe(isLoaded);
    },
    120_000,
  );
});

describe('a collector that does not respond', () => {
  it('delays the end of the processes by at most a few seconds', async () => {
    silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent?.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo; // The cast is safe because the server listens on TCP.
    const otel = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_METRICS_EXPORTER: 'otlp' };
    await startChat(otel);
    const worker = await stack.startWorker(otel);
    const created = await new Client(stack.origin, KEY).fetch('/v1/videos', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'a kite', seconds: '1' }),
    });
    const { id } = (await created.json()) as { id: string }; // The sandbox accepts every prompt.
    const statusOf = async () => (await new Client(stack.origin, KEY).retrieve(id))?.status;
    await expect.poll(statusOf, WAIT).toBe('completed');
    const startedAt = performance.now();
    await Promise.all([stack.api.stop(), worker.stop()]);
    // The exporters wait for 10 s if nothing ends them.
    expect(performance.now() - startedAt).toBeLessThan(9_000);
    expect([stack.api.process.exitCode, worker.process.exitCode]).toEqual([0, 0]);
  }, 120_000);
});

describe('a collector that starts late', () => {
  it('receives the spans of later requests, and its return is logged', async () => {
    const port = await freePort();
    await startChat({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '300',
      OTEL_BSP_SCHEDULE_DELAY: '20',
    });
    await stack.startWorker();
    const count = async (text: string) => (await stack.logs()).split(text).length - 1;
    await chat();
    await expect.poll(() => count('traces could not be exported'), WAIT).toBe(1);
    const collector = await startOtlpReceiver(port);
    await expect
      .poll(async () => {
        await chat();
        return collector.spans.length;
      }, WAIT)
      .toBeGreaterThan(0);
    await expect.poll(() => count('traces are exported again'), WAIT).toBe(1);
    expect(await count('traces could not be exported')).toBe(1);
    await collector.close();
  }, 120_000);
});

describe('exemplars', () => {
  it('name an exported trace, for scrapers that accept OpenMetrics', async () => {
    await startChat({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', SLUICE_ADMIN_KEY: ADMIN_KEY });
    await chat();
    const scrape = async (accept: string) => {
      const headers = { accept, authorization: `Bearer ${ADMIN_KEY}` };
      const response = await fetch(`${stack.origin}/metrics`, { headers });
      return { type: response.headers.get('content-type'), text: await response.text() };
    };
    // The header of Prometheus 2.42.
    const open = await scrape('application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1');
    expect(open.type).toContain('application/openmetrics-text');
    expect(open.text).toMatch(
      new RegExp(`^sluice_\\w+_bucket\\{.*upstream="text".*\\} 1 # \\{trace_id="${TRACE}"\\}`, 'm'),
    );
    const plain = await scrape('text/plain');
    expect(plain.type).toContain('text/plain');
    expect(plain.text).not.toContain('trace_id');
  }, 120_000);
});
