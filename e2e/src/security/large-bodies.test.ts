import { readFileSync, writeFileSync } from 'node:fs';
import { EXPENSIVE_JSON } from '@sluice/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { residentBytes } from '../processes.ts';
import { KEY, type Stack, startStack, VENDOR_KEY } from '../stack.ts';

const MIB = 1024 * 1024;
const BODY_BYTES = 30 * MIB;
const MAX_RISE = 400 * MIB;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({
    workers: 0,
    configFor: (url) => ({
      upstreams: { chat: { kind: 'chat-completions', base_url: `${url}/v1`, api_key: VENDOR_KEY } },
      models: [{ id: 'test-chat', routes: [{ upstream: 'chat', model: 'sandbox-chat' }] }],
    }),
  });
});
afterAll(() => stack.close());

const SHAPES = Object.keys(EXPENSIVE_JSON);

/** Each body has the value in an unknown or a known field. */
const BODIES: Readonly<Record<string, (value: string) => string>> = {
  '/v1/chat/completions': (x) => `{"model":"test-chat","messages":[{"role":"user","content":"Hi"}],"x":${x}}`,
  '/v1/messages': (x) => `{"model":"test-chat","max_tokens":9,"messages":[{"role":"user","content":${x}}]}`,
  '/v1/responses': (x) => `{"model":"test-chat","input":${x}}`,
  '/v1/videos': (x) => `{"prompt":"a kite","metadata":${x}}`,
  '/v1/embeddings': (x) => `{"input":${x}}`,
};

async function send(path: string, shape: string): Promise<number> {
  const body = BODIES[path]?.(EXPENSIVE_JSON[shape]?.(BODY_BYTES) ?? '');
  const headers = {
    authorization: `Bearer ${KEY}`,
    'content-type': 'application/json',
    'anthropic-version': '2023-06-01',
  };
  try {
    const response = await fetch(`${stack.origin}${path}`, { method: 'POST', headers, body: body ?? '' });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0; // The connection was closed while the body was being sent.
  }
}

/** On Linux, writing `5` resets the peak (proc(5), `clear_refs`). */
function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function peakBytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

async function expectServed(): Promise<void> {
  const ready = await fetch(`${stack.origin}/health/ready`);
  await ready.arrayBuffer();
  expect(ready.status).toBe(200);
}

describe.each(Object.keys(BODIES))('a body of 30 MB to %s', (path) => {
  it.each(SHAPES)(
    'raises resident memory by at most 400 MB: %s',
    async (shape) => {
      const pid = stack.api.process.pid ?? 0;
      resetPeak(pid);
      const before = residentBytes(pid);
      const status = await send(path, shape);
      expect(status).toBeLessThan(500);
      expect(peakBytes(pid) - before).toBeLessThan(MAX_RISE);
      await expectServed();
    },
    60_000,
  );
});

it('serves other clients after twelve bodies of each shape were sent at the same time', async () => {
  for (const shape of SHAPES) {
    const sent = Array.from({ length: 12 }, () => send('/v1/chat/completions', shape));
    for (const status of await Promise.all(sent)) expect(status).toBeLessThan(500);
    await expectServed();
  }
  expect(stack.api.process.exitCode).toBe(null);
}, 300_000);
