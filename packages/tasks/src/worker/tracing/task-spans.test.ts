import type { ContentOutcome } from '@sluice/canonical';
import { createLogger, loadTracing, type Tracing } from '@sluice/telemetry';
import {
  type OtlpReceiver,
  type ReceivedSpan,
  startOtlpReceiver,
  taskRig,
  type TaskRig,
  TINY_MP4,
} from '@sluice/testkit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ContentUnavailableError } from '@sluice/content';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TASK = `00-${TRACE}-00f067aa0ba902b7-01`;

let rig: TaskRig;
let collector: OtlpReceiver;
let tracing: Tracing | undefined;

beforeEach(async () => {
  collector = await startOtlpReceiver();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '20' };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const upstreams = { vendor: { kind: 'videos', base_url: 'http://vendor.test' } };
  const logger = createLogger({ level: 'silent', name: 'test' });
  tracing = await loadTracing({ env, service: 'sluice-worker', version: '1.2.3', upstreams, logger });
});
afterEach(async () => {
  await rig.close();
  await tracing?.close();
  await collector.close();
  vi.unstubAllEnvs();
});

async function spansNamed(name: string, count: number): Promise<ReceivedSpan[]> {
  const found = () => collector.spans.filter((span) => span.name === name);
  await expect.poll(() => found().length).toBe(count);
  return found().toSorted((a, b) => a.startedAt - b.startedAt);
}

async function* file(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

async function* brokenFile(): AsyncGenerator<Uint8Array> {
  yield TINY_MP4;
  throw new Error('socket closed');
}

it('ends the span of a download with the last byte, or with the error', async () => {
  let downloads = 0;
  const script: ContentOutcome[] = [
    { kind: 'opened', body: brokenFile() },
    { kind: 'opened', body: file(Buffer.from('<html>this is a web page</html>'), TINY_MP4) },
    { kind: 'opened', body: file(TINY_MP4) },
    { kind: 'opened', body: file(TINY_MP4) },
  ];
  rig = await taskRig({ script: { content: () => script[downloads++] ?? { kind: 'expired', message: 'gone' } } });
  let writes = 0;
  const content: TaskRig['content'] = {
    ...rig.content,
    write: (...args) => {
      writes += 1;
      if (writes === 3) return Promise.reject(new ContentUnavailableError('the disk is full'));
      return rig.content.write(...args);
    },
  };
  await rig.startWorker({ tracing, content });
  const { task } = await rig.engine.submit(rig.params({ trace: TASK }));
  expect((await rig.end(task)).status).toBe('completed');
  const calls = await spansNamed('download_video model-1', 4);
  const facts = calls.map(({ attributes }) => [attributes['error.type'], attributes['http.response.body.size']]);
  expect(facts).toEqual([
    ['provider_error', TINY_MP4.byteLength],
    ['aborted', 31],
    ['aborted', undefined],
    [undefined, TINY_MP4.byteLength],
  ]);
  expect(calls.map(({ isError }) => isError)).toEqual([true, true, true, false]);
  const steps = await spansNamed('download video', 4);
  expect(calls.map(({ parentId }) => parentId)).toEqual(steps.map(({ spanId }) => spanId));
  expect(steps.at(-1)?.attributes['sluice.task.bytes']).toBe(TINY_MP4.byteLength);
});

it('sends the span of a submission to the vendor', async () => {
  const sent: unknown[] = [];
  rig = await taskRig({ script: { submit: ({ traceHeaders }) => void sent.push(traceHeaders) } });
  await rig.startWorker({ tracing });
  const { task } = await rig.engine.submit(rig.params({ trace: TASK }));
  await rig.end(task);
  const [call] = await spansNamed('generate_video model-1', 1);
  expect(sent).toEqual([{ traceparent: `00-${TRACE}-${call?.spanId}-01` }]);
});
