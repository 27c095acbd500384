import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const MAIN = path.join(import.meta.dirname, 'main.ts');
const headers = { authorization: 'Bearer sk-sandbox', 'content-type': 'application/json' };

let dataDir = '';
const children: ChildProcess[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'sandbox-main-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true });
});

function launch(stdio: ('ignore' | 'pipe' | 'ipc')[], env: Record<string, string> = {}): ChildProcess {
  const own = { SLUICE_SANDBOX_PORT: '0', SLUICE_SANDBOX_DATA: dataDir, ...env };
  const child = spawn(process.execPath, ['--conditions=source', MAIN], { stdio, env: { ...process.env, ...own } });
  children.push(child);
  return child;
}

async function launchWithChannel(): Promise<{ child: ChildProcess; url: string }> {
  const child = launch(['ignore', 'ignore', 'ignore', 'ipc']);
  const [message] = await once(child, 'message');
  expect(message).toEqual({ type: 'ready', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
  return { child, url: String(Object(message).url) };
}

async function launchAlone(): Promise<{ child: ChildProcess; url: string }> {
  const child = launch(['ignore', 'pipe', 'ignore']);
  let printed = '';
  for await (const chunk of child.stdout ?? []) {
    printed += String(chunk);
    const url = /http:\/\/\S+/.exec(printed)?.[0];
    if (printed.endsWith('\n') && url !== undefined) return { child, url };
  }
  throw new Error(`it printed only: ${printed}`);
}

async function exitCode(child: ChildProcess): Promise<unknown> {
  if (child.exitCode !== null) return child.exitCode;
  const [code] = await once(child, 'exit');
  return code;
}

async function submissions(url: string): Promise<unknown> {
  return (await fetch(`${url}/_sandbox/submissions`)).json();
}

function create(url: string, prompt: string): Promise<Response> {
  return fetch(`${url}/v1/videos`, { method: 'POST', headers, body: JSON.stringify({ prompt }) });
}

describe('the sandbox process', () => {
  it('reports its URL to its launcher, ignores Ctrl-C, and stops with the channel', async () => {
    const { child, url } = await launchWithChannel();
    child.kill('SIGINT');
    expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200);
    child.disconnect();
    expect(await exitCode(child)).toBe(0);
  });

  it('stops cleanly on SIGTERM under a launcher', async () => {
    const { child } = await launchWithChannel();
    child.kill('SIGTERM');
    expect(await exitCode(child)).toBe(0);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('prints its URL when started alone and stops on %s', async (signal) => {
    const { child, url } = await launchAlone();
    expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200);
    child.kill(signal);
    expect(await exitCode(child)).toBe(0);
  });

  it.each(['taken', 'nonsense'])('reports in one line that the port is %s and exits with 1', async (port) => {
    const { url } = await launchWithChannel();
    const requestedPort = port === 'taken' ? new URL(url).port : port;
    const second = launch(['ignore', 'pipe', 'pipe'], { SLUICE_SANDBOX_PORT: requestedPort });
    let complaint = '';
    second.stderr?.on('data', (chunk) => (complaint += String(chunk)));
    const [code] = await once(second, 'close');
    expect(code).toBe(1);
    expect(complaint).toMatch(/^sandbox: .*SLUICE_SANDBOX_PORT.*\n$/);
    expect(complaint).toContain(requestedPort);
  });

  it('restores jobs, counts, and rejections after kill -9', async () => {
    const { child, url } = await launchWithChannel();
    const created: unknown = await (await create(url, 'kite [slow:600]')).json();
    const { id } = Object(created);
    expect((await create(url, 'boat [429]')).status).toBe(429);
    const [before, lost] = [await submissions(url), create(url, 'moon [lost-reply]')];
    await expect(lost).rejects.toThrow('fetch failed');
    child.kill('SIGKILL');
    await exitCode(child);

    const { url: again } = await launchWithChannel();
    expect(await (await fetch(`${again}/v1/videos/${String(id)}`, { headers })).json()).toMatchObject({ id });
    const after = await submissions(again);
    expect(after).toMatchObject({ total_applied: 2 });
    expect(Object(after).submissions).toEqual([
      ...Object(before).submissions,
      expect.objectContaining({ task: 'moon [lost-reply]', applied: 1 }),
    ]);
    expect((await create(again, 'boat [429]')).status).toBe(429);
    expect((await create(again, 'boat [429]')).status).toBe(200);
  });
});
