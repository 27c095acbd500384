import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { eachConcurrently } from '../measure/each-concurrently.ts';
import type { Row } from '../measure/report.ts';
import { BENCH_KEY, PROMPT, type Stage } from '../measure/stage.ts';
import type { Subject } from '../measure/start-subject.ts';

const STREAMS = 10_000;
const WARM_UP_STREAMS = 300;
const OPENING = 64;
/** The vendor sends one event, and is silent for longer than the measurement takes. */
const SILENT_PATH = '/chunks/1/600000';
const GOAL_BYTES = 12_000;

interface IdleStreams {
  alive: number;
  bytesPerStream: number;
  cpuUsPerStream: number;
}

/** Opens many streams whose vendor is silent, and measures the memory of each in Sluice and in a bare proxy. */
export async function measureIdleStreams(stage: Stage): Promise<Row[]> {
  const { quick } = stage.options;
  const vendor = await stage.start('text-vendor');
  const base = vendor.url + SILENT_PATH;
  await stage.configureText({
    upstreams: { silent: { kind: 'chat-completions', base_url: base, api_key: 'sk-vendor' } },
    models: [{ id: 'silent', routes: [{ upstream: 'silent', model: 'vendor-model' }] }],
  });
  const [api, proxy] = [await stage.start('api'), await stage.start('bare-proxy', vendor.url)];
  const count = quick ? 1_000 : Math.min(STREAMS, maxStreams());
  const holdMs = quick ? 2_000 : 15_000;
  const ours = await holdStreams(api, `${api.url}/v1/chat/completions`, count, holdMs);
  const bare = await holdStreams(proxy, `${proxy.url}${SILENT_PATH}/chat/completions`, count, holdMs);
  await Promise.all([api.stop(), proxy.stop()]);
  await vendor.stop();
  return [
    {
      figure: `memory of a silent stream, ${count.toLocaleString('en')} at once through one process`,
      sluice: kilobytes(ours),
      proxy: kilobytes(bare),
      reached: `${ours.alive.toLocaleString('en')} alive, ${kilobytes(ours)}`,
      goal: '≤ 12.0 kB',
      ok: ours.alive === count && ours.bytesPerStream <= GOAL_BYTES,
      raw: { count, ours, bare },
    },
  ];
}

async function holdStreams(subject: Subject, url: string, count: number, holdMs: number): Promise<IdleStreams> {
  const warmUp = await openStreams(url, WARM_UP_STREAMS);
  for (const stream of warmUp) stream.destroy();
  await sleep(1_000);
  const before = await subject.usage();
  const streams = await openStreams(url, count);
  await sleep(holdMs);
  const after = await subject.usage();
  const alive = streams.filter((stream) => !stream.closed && !stream.readableEnded).length;
  for (const stream of streams) stream.destroy();
  return {
    alive,
    bytesPerStream: (after.rssBytes - before.rssBytes) / count,
    cpuUsPerStream: (after.cpuUs - before.cpuUs) / count,
  };
}

/** Returns streams that have received their first event. */
async function openStreams(url: string, count: number): Promise<IncomingMessage[]> {
  const streams: IncomingMessage[] = [];
  await eachConcurrently(count, OPENING, async () => {
    streams.push(await openStream(url));
  });
  return streams;
}

function openStream(url: string): Promise<IncomingMessage> {
  const body = JSON.stringify({ model: 'silent', stream: true, messages: [{ role: 'user', content: PROMPT }] });
  const headers = {
    authorization: `Bearer ${BENCH_KEY}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', agent: false, headers }, (response) => {
      response.on('error', () => undefined);
      if (response.statusCode !== 200) reject(new Error(`the stream returned ${response.statusCode}`));
      else response.on('data', () => resolve(response));
    })
      .on('error', reject)
      .end(body);
  });
}

/** A process needs two descriptors per stream. Node raises its own limit to the hard limit at startup. */
function maxStreams(): number {
  // The cast is safe because reports contain the limits on POSIX systems.
  const report = process.report.getReport() as { userLimits?: { open_files: { hard: number | 'unlimited' } } };
  const limit = Number(report.userLimits?.open_files.hard);
  return Number.isNaN(limit) ? STREAMS : Math.floor((limit - 200) / 2);
}

function kilobytes({ bytesPerStream }: IdleStreams): string {
  return `${(bytesPerStream / 1_000).toFixed(1)} kB`;
}
