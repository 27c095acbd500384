import { type FaultProxy, type NetworkFault, startFaultProxy } from '@sluice/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Client, sandboxSubmissions } from '../client.ts';
import { HistoryChecker } from '../history.ts';
import { KEY, type Stack, startStack } from '../stack.ts';
import { endings, NO_VIOLATIONS, violationsIn } from './violations.ts';

let stack: Stack;
let proxy: FaultProxy;
beforeAll(async () => {
  stack = await startStack({
    vendorFront: async (sandboxUrl) => {
      proxy = await startFaultProxy({ port: Number(new URL(sandboxUrl).port) });
      return `http://127.0.0.1:${proxy.port}`;
    },
    config: { timeouts: { submit_ms: 1_000, poll_ms: 500, download_idle_ms: 500, shutdown_ms: 3_000 } },
  });
}, 60_000);
afterEach(() => proxy.set({ kind: 'none' }));
afterAll(async () => {
  await stack.close();
  await proxy.close();
});

const FAULTS: [string, NetworkFault][] = [
  ['hangs', { kind: 'black-hole' }],
  ['resets every connection', { kind: 'reset' }],
  ['transfers single bytes', { kind: 'drip', ms: 5 }],
  ['is slow', { kind: 'late', ms: 300 }],
];

describe('a vendor connection during a task', () => {
  it.each(FAULTS)(
    '%s: the task continues afterwards and is submitted once',
    async (name, fault) => {
      const client = new Client(stack.origin, KEY);
      const { id } = await client.create(`a video while the vendor ${name} [slow:1]`, name);
      const accepted = async () => (await client.retrieve(id))?.status;
      await expect.poll(accepted).toBe('in_progress');
      proxy.set(fault);
      // Waits longer than the rendering of the video and all timeouts.
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      const during = await client.retrieve(id);
      expect(during?.status).not.toBe('failed');
      proxy.set({ kind: 'none' });
      const findings = await new HistoryChecker(client).watch([id], 30_000);
      expect(await violationsIn([id], findings, stack.sandboxUrl)).toEqual(NO_VIOLATIONS);
      expect(endings([id], findings)).toEqual(['completed']);
      const { submissions } = await sandboxSubmissions(stack.sandboxUrl);
      expect(submissions.find(({ task }) => task === id)?.applied).toBe(1);
    },
    60_000,
  );
});
