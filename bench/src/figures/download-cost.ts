import { Agent, request } from 'undici';
import { mebibytes as mib, type Row, times } from '../measure/report.ts';
import { BENCH_KEY, type Stage } from '../measure/stage.ts';
import type { Subject } from '../measure/start-subject.ts';
import { median } from '../measure/statistics.ts';
import { until } from '../measure/until.ts';
import { type MemoryUnderReaders, readSlowly } from './slow-readers.ts';

const MIB = 1024 * 1024;
/** Maximum change in memory while the slow readers continue to read. */
const STEADY_BYTES = 10 * MIB;
const MAX_RATIO = 0.8;

/** Measures the API's CPU time per downloaded byte, compared with a bare proxy, and its memory with slow readers. */
export async function measureDownloadCost(stage: Stage): Promise<Row[]> {
  const { quick, rounds } = stage.options;
  const bytes = (quick ? 128 : 1024) * MIB;
  await stage.configure();
  const [api, worker, proxy] = [await stage.start('api'), await stage.start('worker'), await stage.start('bare-proxy')];
  const id = await finishedVideo(api, bytes);
  const sources = {
    api: { subject: api, url: `${api.url}/v1/videos/${id}/content` },
    proxy: { subject: proxy, url: `${proxy.url}/v1/videos/video-${bytes}.1/content` },
  };
  const client = new Agent();
  const cost = (name: keyof typeof sources) => {
    const { subject, url } = sources[name];
    return subject.cpuDuring(() => readAll(client, url, bytes));
  };
  const runs: { api: number; proxy: number }[] = [];
  for (let round = 0; round < rounds + 1; round++) {
    const run = { proxy: await cost('proxy'), api: await cost('api') };
    // The first round is a warm-up and is discarded.
    if (round > 0) runs.push(run);
  }
  await client.close();
  const readers = { count: quick ? 50 : 200, holdMs: quick ? 1_000 : 20_000 };
  const slow = { api: await readSlowly(sources.api, readers), proxy: await readSlowly(sources.proxy, readers) };
  await Promise.all([api.stop(), worker.stop(), proxy.stop()]);

  const ratio = median(runs.map((run) => run.api / run.proxy));
  const perGib = (name: 'api' | 'proxy') =>
    `${(((median(runs.map((run) => run[name])) / bytes) * 1024 * MIB) / 1e6).toFixed(2)} s`;
  const drift = slow.api.late - slow.api.early;
  return [
    {
      figure: 'CPU per GiB downloaded from the API; peer: through the proxy',
      sluice: perGib('api'),
      proxy: perGib('proxy'),
      reached: times(ratio),
      goal: `≤ ${MAX_RATIO}×`,
      ok: ratio <= MAX_RATIO,
      raw: { bytes, runs },
    },
    {
      figure: `memory of the API with ${readers.count} slow readers: before → all reading → ${readers.holdMs / 1_000} s later`,
      sluice: memory(slow.api),
      proxy: memory(slow.proxy),
      reached: `${drift < 0 ? '−' : '+'}${mib(Math.abs(drift))} MiB`,
      goal: `≤ +${mib(STEADY_BYTES)} MiB`,
      ok: drift <= STEADY_BYTES,
      raw: { slow },
    },
  ];
}

/** Creates a task with a video of this size and waits until its content is stored. */
async function finishedVideo(api: Subject, bytes: number): Promise<string> {
  const headers = { authorization: `Bearer ${BENCH_KEY}`, 'content-type': 'application/json' };
  const created = await request(`${api.url}/v1/videos`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model: `video-${bytes}`, prompt: 'a video' }),
  });
  // The cast is safe because the API returns a video object.
  const { id } = (await created.body.json()) as { id: string };
  await until(
    'the video is completed',
    async () => {
      const seen = await request(`${api.url}/v1/videos/${id}`, { headers });
      // The cast is safe because the API returns a video object.
      const { status } = (await seen.body.json()) as { status: string };
      if (status === 'failed') throw new Error('the video failed');
      return status === 'completed';
    },
    120_000,
  );
  return id;
}

async function readAll(client: Agent, url: string, expected: number): Promise<void> {
  const { body } = await request(url, { dispatcher: client, headers: { authorization: `Bearer ${BENCH_KEY}` } });
  let bytes = 0;
  // The cast is safe because the stream is binary.
  for await (const chunk of body as AsyncIterable<Uint8Array>) bytes += chunk.byteLength;
  if (bytes !== expected) throw new Error(`got ${bytes} of ${expected} bytes`);
}

function memory({ before, early, late }: MemoryUnderReaders): string {
  return `${mib(before)} → ${mib(early)} → ${mib(late)} MiB`;
}
