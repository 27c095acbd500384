import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { BENCH_KEY } from '../measure/stage.ts';
import type { Subject } from '../measure/start-subject.ts';

/** Resident memory of a server that sends to slow readers, in bytes. */
export interface MemoryUnderReaders {
  before: number;
  /** Measured a few seconds after the last reader connected. */
  early: number;
  late: number;
}

const PACE_MS = 100;
const STEADY_MS = 3_000;

/** Lets many clients read the same file slowly. Each client reads one chunk ten times per second. */
export async function readSlowly(
  { subject, url }: { subject: Subject; url: string },
  { count, holdMs }: { count: number; holdMs: number },
): Promise<MemoryUnderReaders> {
  const rss = async () => (await subject.usage()).rssBytes;
  const before = await rss();
  const readers = await Promise.all(Array.from({ length: count }, () => open(url)));
  const pace = setInterval(() => {
    for (const reader of readers) reader.read();
  }, PACE_MS);
  try {
    await sleep(STEADY_MS);
    const early = await rss();
    await sleep(holdMs);
    return { before, early, late: await rss() };
  } finally {
    clearInterval(pace);
    for (const reader of readers) reader.destroy();
    await sleep(200);
  }
}

/** Returns a paused response. Each `read()` returns the buffered data, at most 64 KiB. */
async function open(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${BENCH_KEY}` };
    const request = get(url, { agent: false, headers }, (response) => {
      response.on('error', () => undefined);
      if (response.statusCode === 200) resolve(response);
      else reject(new Error(`content returned ${response.statusCode}`));
    });
    request.on('error', reject);
  });
}
