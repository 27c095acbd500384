import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../processes.ts';
import { SAMPLE_REQUEST, type Sample } from './process-probe.ts';

export interface FullSample extends Sample {
  descriptors: number;
}

/** A program whose resource usage can be sampled. */
export interface SampledProgram {
  name: string;
  /** @returns undefined if the program does not respond in time */
  sample(): Promise<FullSample | undefined>;
  hasEnded(): boolean;
  stop(): Promise<void>;
}

const RESPONSE_MS = 5_000;
const READY_MS = 30_000;
const STOP_MS = 20_000;

/** Starts a program and waits until it is ready. @throws if it exits first */
export async function startSampled(
  name: string,
  file: string,
  env: NodeJS.ProcessEnv,
  log: string,
): Promise<SampledProgram> {
  const out = openSync(log, 'a');
  const probe = new URL('process-probe.ts', import.meta.url).href;
  const child = spawn(
    process.execPath,
    ['--conditions=source', '--expose-gc', '--import', probe, path.join(ROOT, file)],
    {
      cwd: ROOT,
      env,
      stdio: ['ignore', out, out, 'ipc'],
    },
  );
  const ended = once(child, 'exit');
  await Promise.race([
    responseOf(child, ({ type }) => type === 'ready', READY_MS),
    ended.then(() => Promise.reject(new Error(`${name} ended during its start; see ${log}.`))),
  ]);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    name,
    hasEnded,
    async sample() {
      if (hasEnded()) return undefined;
      child.send({ request: SAMPLE_REQUEST });
      const response = await responseOf(child, ({ responseTo }) => responseTo === SAMPLE_REQUEST, RESPONSE_MS).catch(
        () => undefined,
      );
      if (!response?.sample) return undefined;
      return { ...response.sample, descriptors: readdirSync(`/proc/${child.pid}/fd`).length };
    },
    async stop() {
      if (hasEnded()) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

interface Message {
  type?: string;
  responseTo?: string;
  sample?: Sample;
}

function responseOf(child: ChildProcess, matches: (message: Message) => boolean, timeoutMs: number): Promise<Message> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.off('message', observe);
      reject(new Error('The program sent no response in time.'));
    }, timeoutMs);
    const observe = (message: Message): void => {
      if (!matches(message)) return;
      clearTimeout(timer);
      child.off('message', observe);
      resolve(message);
    };
    child.on('message', observe);
  });
}
