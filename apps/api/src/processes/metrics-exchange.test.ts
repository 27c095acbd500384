import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ProcessesRig, startProcesses } from '../../test/processes-rig.ts';
import { respondWith } from '../../test/vendor.ts';
import { scriptedUpstream, type ScriptedUpstream } from '../../test/text-rig.ts';

const chat = { model: 'text', messages: [{ role: 'user', content: 'hi' }] };
const CHATS = /^sluice_client_requests_total\{.*\/v1\/chat\/completions/;
const SECONDS = /^sluice_http_request_duration_seconds_count\{.*\/v1\/chat\/completions/;

let vendor: ScriptedUpstream;
let rig: ProcessesRig;
beforeEach(async () => {
  vendor = await scriptedUpstream(respondWith('hello'));
  rig = await startProcesses({ vendorUrl: vendor.url });
  await rig.ready();
});
afterEach(async () => {
  await rig.close();
  await vendor.close();
});

/** Returns the sample whose line matches `pattern`, as each of the two processes reports it. */
async function samples(pattern: RegExp): Promise<(number | undefined)[]> {
  const values = [];
  for (let at = 0; at < 2; at += 1) {
    const scraped = await text(await rig.open('/metrics'));
    const line = scraped.split('\n').find((one) => pattern.test(one));
    values.push(line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' '))));
  }
  return values;
}

async function sendChats(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await text(await rig.open('/v1/chat/completions', chat));
}

describe('GET /metrics of several processes', () => {
  it('adds counters and histograms, whichever process responds', async () => {
    await sendChats(6);
    await expect.poll(() => samples(CHATS)).toEqual([6, 6]);
    expect(await samples(SECONDS)).toEqual([6, 6]);
    expect(await samples(/^sluice_cost_usd_total\{/)).toEqual([
      expect.closeTo(6 * 5e-6, 9),
      expect.closeTo(6 * 5e-6, 9),
    ]);
    expect(new Set(rig.requests().map(({ pid }) => pid)).size).toBe(2);
  });

  it('combines gauges by their meaning', async () => {
    await sendChats(2);
    expect(await samples(/^sluice_storage_available /)).toEqual([1, 1]);
    vendor.script = (_request, response) => response.writeHead(503).end();
    // One process needs five failures to open its circuit breaker.
    await sendChats(10);
    expect(await samples(/^sluice_circuit_breaker_state\{.*"text"/)).toEqual([2, 2]);
    expect(await samples(/^sluice_http_requests_in_flight /)).toEqual([1, 1]);
  });

  it('does not fall when a process dies', async () => {
    await sendChats(6);
    await expect.poll(() => samples(CHATS)).toEqual([6, 6]);
    await expect.poll(() => rig.requests().length).toBe(6);
    process.kill(rig.requests()[0]?.pid ?? 0, 'SIGKILL');
    await expect.poll(() => rig.output()).toContain('Restarting it');
    await expect.poll(() => rig.json('/health/ready')).toEqual({ status: 'ok', degraded: [] });
    expect(await samples(CHATS)).toEqual([6, 6]);
    await sendChats(2);
    await expect.poll(() => samples(CHATS)).toEqual([8, 8]);
  });
});
