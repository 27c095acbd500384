import { readFile, rename, writeFile } from 'node:fs/promises';
import { CREDENTIALS, rotatePools } from './with-pools.ts';

/** The key that reads the configuration in force. */
export const ADMIN_KEY = 'sk-e2e-admin-0005';

const UNIFORM_MS = 60_000;
const POLL_MS = 250;
/** A process that starts in this time fails, and its supervisor starts it again. */
const INVALID_MS = 1_000;
/** Each change with this number is preceded by a version with an error. */
const INVALID_EVERY = 3;

/** Repeated changes of the configuration of a run. */
export interface Reloads {
  /** Number of changes. */
  count(): number;
  /** Stops the changes. */
  stop(): Promise<void>;
  /** Changes the file once more. Returns a violation if the processes do not have the same version afterward. */
  settle(origin: string): Promise<string[]>;
}

/**
 * Changes the credential that gets no new tasks, and the order of the models.
 * @param withErrors whether some changes are preceded by a version with an error, which must change nothing
 */
export function reloadRepeatedly(file: string, everyMs: number, withErrors: boolean): Reloads {
  let count = 0;
  const change = async (): Promise<void> => {
    count += 1;
    if (withErrors && count % INVALID_EVERY === 0) {
      await replaceFile(file, '{ "models": [{ "id": 7 }] }');
      await new Promise((resolve) => setTimeout(resolve, INVALID_MS));
    }
    await replaceFile(file, JSON.stringify(changed(initial, count), undefined, 2));
  };
  let initial: Record<string, unknown> = {};
  async function read(): Promise<void> {
    initial = JSON.parse(await readFile(file, 'utf8')) as typeof initial; // The test has written this object.
  }
  let changing = read();
  changing.catch(() => undefined); // `stop` handles the rejection.
  const timer = setInterval(() => {
    changing = changing.then(change);
    changing.catch(() => undefined);
  }, everyMs);
  return {
    count: () => count,
    async stop() {
      clearInterval(timer);
      await changing;
    },
    async settle(origin) {
      await this.stop();
      await replaceFile(file, JSON.stringify(changed(initial, 1), undefined, 2));
      return (await untilUniform(origin)) ? [] : ['the processes do not have the same configuration'];
    },
  };
}

function changed(config: Record<string, unknown>, turn: number): Record<string, unknown> {
  const upstreams = config['upstreams'] as Record<string, unknown>; // The test has written it.
  const models = config['models'] as unknown[]; // The test has written it.
  return {
    ...config,
    upstreams: rotatePools(upstreams, turn % CREDENTIALS.length),
    models: [...models.slice(turn % 2), ...models.slice(0, turn % 2)],
  };
}

/** Replaces the file at once, as editors do. */
async function replaceFile(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

async function untilUniform(origin: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  for (const until = Date.now() + UNIFORM_MS; Date.now() < until;) {
    const response = await fetch(`${origin}/admin/v1/config`, { headers }).catch(() => undefined);
    // The cast is safe because this is the documented form.
    const body = (await response?.json().catch(() => ({}))) as { is_uniform?: boolean } | undefined;
    if (body?.is_uniform === true) return true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return false;
}
