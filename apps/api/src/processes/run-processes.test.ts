import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ProcessesOptions, type ProcessesRig, startProcesses } from '../../test/processes-rig.ts';
import { chatChunk, scriptedUpstream, type ScriptedUpstream } from '../../test/text-rig.ts';

const messages = [{ role: 'user', content: 'hi' }];

let vendor: ScriptedUpstream;
let rig: ProcessesRig | undefined;
/** Responses that the vendor keeps open. */
let streams: ServerResponse[];
beforeEach(async () => {
  streams = [];
  vendor = await scriptedUpstream((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(chatChunk({ content: 'one' }));
    streams.push(response);
  });
});
afterEach(async () => {
  await rig?.close();
  rig = undefined;
  await vendor.close();
});

async function start(options: ProcessesOptions = {}): Promise<ProcessesRig> {
  rig = await startProcesses({ vendorUrl: vendor.url, ...options });
  return rig;
}

async function startReady(options: ProcessesOptions = {}): Promise<ProcessesRig> {
  const started = await start(options);
  await started.ready();
  return started;
}

async function pidsOf(running: ProcessesRig, count: number): Promise<number[]> {
  const before = running.requests().length;
  for (let at = 0; at < count; at += 1) await text(await running.open('/v1/models'));
  await expect.poll(() => running.requests().length).toBeGreaterThanOrEqual(before + count);
  return running
    .requests()
    .slice(before)
    .map(({ pid }) => pid);
}

function endStreams(): void {
  for (const response of streams) response.end(`${chatChunk({ content: ' two' })}data: [DONE]\n\n`);
}

/** Returns the process that served the last request. */
async function pidOf(running: ProcessesRig): Promise<number | undefined> {
  const count = running.sent();
  await expect.poll(() => running.requests().length).toBe(count);
  return running.requests().at(-1)?.pid;
}

/** Returns the error code of a new connection, or undefined if a process responds. */
async function refusal(running: ProcessesRig): Promise<unknown> {
  return running.open('/health/live').then(
    (response) => void response.resume(),
    ({ code }: NodeJS.ErrnoException) => code,
  );
}

const stream = { model: 'text', messages, stream: true };
const readiness = (running: ProcessesRig) => running.json<{ status: string; degraded: string[] }>('/health/ready');

describe('several API processes', () => {
  it('share a port and its connections, and report one address', async () => {
    const running = await start();
    const { type, url } = await running.ready();
    expect([type, url]).toEqual(['ready', expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)]);
    expect(await readiness(running)).toEqual({ status: 'ok', degraded: [] });
    const counts = Object.values(Object.groupBy(await pidsOf(running, 20), String)).map((pids) => pids?.length);
    expect(counts).toEqual([10, 10]);
    expect(await running.stop()).toEqual([0, null]);
    expect(running.output().match(/api listening/g)).toHaveLength(1);
    expect(running.output().match(/api stopping/g)).toHaveLength(1);
  });

  it('are replaced when they die, while the others serve', async () => {
    const running = await startReady();
    const before = new Set(await pidsOf(running, 4));
    const [victim = 0] = before;
    process.kill(victim, 'SIGKILL');
    // Until then, the primary may pass a connection to the process that has died.
    const restart = 'The API process exited (SIGKILL). Restarting it in 200 ms.';
    await expect.poll(() => running.output()).toContain(restart);
    expect(await readiness(running)).toEqual({ status: 'degraded', degraded: ['processes'] });
    expect(new Set(await pidsOf(running, 4))).toEqual(new Set([...before].slice(1)));
    await expect.poll(() => readiness(running)).toEqual({ status: 'ok', degraded: [] });
    const after = new Set(await pidsOf(running, 4));
    expect([after.size, after.has(victim)]).toEqual([2, false]);
    expect(await running.stop()).toEqual([0, null]);
  });

  it('finish their streams after SIGTERM', async () => {
    const running = await startReady();
    const replies = await Promise.all([1, 2, 3, 4].map(() => running.open('/v1/chat/completions', stream)));
    const texts = replies.map(text);
    const exited = running.stop();
    await expect.poll(() => refusal(running)).toBe('ECONNREFUSED');
    expect(running.program.exitCode).toBeNull();
    endStreams();
    for (const received of await Promise.all(texts)) expect(received).toMatch(/one.* two.*\[DONE\]/s);
    expect(await exited).toEqual([0, null]);
    expect(new Set(running.requests().map(({ pid }) => pid)).size).toBe(2);
  });

  it('finish their streams if the primary is killed', async () => {
    const running = await startReady();
    const replies = await Promise.all([1, 2].map(() => running.open('/v1/chat/completions', stream)));
    const texts = replies.map(text);
    await running.stop('SIGKILL');
    await expect.poll(() => refusal(running)).toBe('ECONNREFUSED');
    endStreams();
    for (const received of await Promise.all(texts)) expect(received).toMatch(/one.* two.*\[DONE\]/s);
  });

  it('share background responses: one process finds and cancels those of another', async () => {
    const running = await startReady();
    const body = { model: 'text', input: 'think', background: true };
    const { id } = await running.json<{ id: string }>('/v1/responses', body);
    const served = await pidOf(running);
    const status = async (at: string, of?: object) => (await running.json<{ status: string }>(at, of)).status;
    // Each connection goes to the next idle process, so another one soon responds.
    await expect
      .poll(async () => [await status(`/v1/responses/${id}`), (await pidOf(running)) === served])
      .toEqual(['queued', false]);
    await expect
      .poll(async () => [await status(`/v1/responses/${id}/cancel`, {}), (await pidOf(running)) === served])
      .toEqual(['cancelled', false]);
  });
});

describe('a start failure of several API processes', () => {
  it('exits with 1 and one remedy if the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo; // The cast is safe because the server listens on TCP.
    const failed = await start({ port });
    expect(await once(failed.program, 'exit')).toEqual([1, null]);
    expect(failed.output().match(/^Port .*/gm)).toEqual([
      `Port ${port} on 127.0.0.1 is in use. Set \`SLUICE_PORT\` to another port, or stop the process that uses it.`,
    ]);
    expect(failed.output()).not.toContain('did not start');
    other.close();
  });

  it('exits with 1 and the invalid field or setting', async () => {
    const invalid = await start({ config: { serverr: {} } });
    expect(await once(invalid.program, 'exit')).toEqual([1, null]);
    expect(invalid.output().match(/serverr/g)).toHaveLength(1);
    await invalid.close();
    const unusable = await start({ config: { content: { dir: 'misspelled' } } });
    expect(await once(unusable.program, 'exit')).toEqual([1, null]);
    expect(unusable.output()).toMatch(/^Cannot write to the content folder .* \(ENOENT\)\. .*\n$/);
  });
});
