import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '@sluice/testkit';
import { afterEach, expect, it } from 'vitest';
import { Client, type Video } from '../client.ts';
import { registerWebhook, webhooksTo } from '../faults/violations.ts';
import { VENDOR_KINDS } from '../media/vendor-kinds.ts';
import { FAST_TASKS, KEY, type Stack, startStack, VENDOR_KEY } from '../stack.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CLIENT_SPAN = '00f067aa0ba902b7';
const WAIT = { timeout: 60_000, interval: 50 };
/** Long enough for the kill of the first worker while the vendor renders. */
const RENDER_MS = 8_000;
/** The vendor refuses the first submission, breaks two polls, and cuts two downloads. */
const PROMPT = 'my secret prompt [503] [500] [cut]';
/** Its result URLs have a signature. */
const VENDOR = VENDOR_KINDS.find(({ kind }) => kind === 'fal');
const MODEL = VENDOR?.video ?? '';
/** The test counts spans, so no slow machine may cause a timeout or a stalled step. */
const PATIENT = { submit_ms: 20_000, poll_ms: 20_000, download_idle_ms: 20_000, shutdown_ms: 3_000 };

let stack: Stack;
let collector: OtlpReceiver;
let receiver: Receiver;
afterEach(async () => {
  await stack.close();
  await collector.close();
  receiver.close();
});

const named = (name: string): ReceivedSpan[] =>
  collector.spans.filter((span) => span.name === name).toSorted((a, b) => a.startedAt - b.startedAt);

/** Waits until so many spans have arrived, and returns them in the order of their starts. */
async function spansNamed(name: string, count = 1): Promise<ReceivedSpan[]> {
  await expect.poll(() => named(name).length, WAIT).toBeGreaterThanOrEqual(count);
  return named(name);
}

async function startTracedStack(): Promise<NodeJS.ProcessEnv> {
  [collector, receiver] = await Promise.all([startOtlpReceiver(), startReceiver()]);
  const otel = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '20' };
  stack = await startStack({
    workers: 0,
    apiEnv: otel,
    renderMs: RENDER_MS,
    config: { webhooks: webhooksTo(receiver.origin), timeouts: PATIENT, tasks: { ...FAST_TASKS, lock_ms: 4_000 } },
    configFor: (sandboxUrl) => ({
      upstreams: { media: { kind: 'fal', base_url: `${sandboxUrl}${VENDOR?.path}`, ...VENDOR?.credential } },
      models: [{ id: 'clip', routes: [{ upstream: 'media', model: MODEL }] }],
    }),
  });
  return otel;
}

/** Creates a video, kills the first worker while the vendor renders, and downloads the file of the second worker. */
async function generateVideo(otel: NodeJS.ProcessEnv): Promise<{ id: string; bytes: number }> {
  const client = new Client(stack.origin, KEY);
  await registerWebhook(client, `${receiver.origin}/hook`);
  const first = await stack.startWorker(otel);
  const created = await client.fetch('/v1/videos', {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent: `00-${TRACE}-${CLIENT_SPAN}-01` },
    body: JSON.stringify({ model: 'clip', prompt: PROMPT, seconds: '5' }),
  });
  const { id } = (await created.json()) as Video; // The sandbox accepts every prompt.
  await spansNamed('poll video', 2);
  await first.kill();
  await stack.startWorker(otel);
  const statusOf = async () => ((await (await client.fetch(`/v1/videos/${id}`)).json()) as Video).status;
  await expect.poll(statusOf, WAIT).toBe('completed');
  const content = await client.fetch(`/v1/videos/${id}/content`);
  return { id, bytes: (await content.arrayBuffer()).byteLength };
}

it('shows a video from its POST to its last downloaded byte, through two workers, one of which was killed', async () => {
  const otel = await startTracedStack();
  const { id, bytes } = await generateVideo(otel);
  await fetch(`${stack.origin}/v1/models?key=${KEY}`);
  for (const last of ['deliver webhook', 'download content', 'GET /v1/models']) await spansNamed(last);
  await stack.api.stop();
  await stack.workers[1]?.stop();

  const spans = collector.spans.filter(({ traceId }) => traceId === TRACE);
  expect(outline(spans)).toEqual(
    [
      'sluice-api SERVER POST /v1/videos < client',
      'sluice-api PRODUCER create_task clip < POST /v1/videos',
      'worker 1 INTERNAL queue video < create_task clip',
      'worker 1 CONSUMER submit video < create_task clip',
      `worker 1 CLIENT generate_video ${MODEL} < submit video: provider_error`,
      'worker 1 CONSUMER submit video < create_task clip',
      `worker 1 CLIENT generate_video ${MODEL} < submit video`,
      'worker 1 CONSUMER poll video < create_task clip',
      `worker 1 CLIENT poll_video ${MODEL} < poll video: unclear`,
      'worker 1 CONSUMER poll video < create_task clip',
      `worker 1 CLIENT poll_video ${MODEL} < poll video: unclear`,
      'worker 2 CONSUMER poll video < create_task clip',
      `worker 2 CLIENT poll_video ${MODEL} < poll video`,
      'worker 2 INTERNAL run video < create_task clip',
      'worker 2 CONSUMER download video < create_task clip',
      `worker 2 CLIENT download_video ${MODEL} < download video: provider_error`,
      'worker 2 CONSUMER download video < create_task clip',
      `worker 2 CLIENT download_video ${MODEL} < download video: provider_error`,
      'worker 2 CONSUMER download video < create_task clip',
      `worker 2 CLIENT download_video ${MODEL} < download video`,
      'worker 2 CONSUMER deliver webhook < create_task clip',
      'sluice-api INTERNAL download content < create_task clip',
    ].toSorted(),
  );
  const ids = collector.spans.map(({ traceId, spanId }) => `${traceId} ${spanId}`);
  expect(new Set(ids).size).toBe(ids.length);

  expectSteps(id, bytes);
  expectPeriods(id);
  expectCalls(bytes);
  expectDownload(id, bytes);
  await expectLogLines(id);
  expectNoSecrets(id);
}, 180_000);

/** Returns a line for each span: process, kind, name, parent, and error. */
function outline(spans: readonly ReceivedSpan[]): string[] {
  const names = new Map(spans.map(({ spanId, name }) => [spanId, name]));
  const workers = [named('queue video')[0]?.instance, named('run video')[0]?.instance];
  return spans
    .map(({ service, instance, kind, name, parentId, isError, attributes }) => {
      const process = service === 'sluice-worker' ? `worker ${workers.indexOf(instance) + 1}` : service;
      const parent = parentId === CLIENT_SPAN ? 'client' : names.get(parentId ?? '');
      const error = isError ? `: ${String(attributes['error.type'])}` : '';
      return `${process} ${kind} ${name} < ${parent}${error}`;
    })
    .toSorted();
}

function expectSteps(id: string, bytes: number): void {
  const [submits, polls, downloads] = [named('submit video'), named('poll video'), named('download video')];
  expect(submits.map(statesOf)).toEqual([
    ['queued > submitting (1)', 'submitting > queued (1)'],
    ['queued > submitting (2)', 'submitting > in_progress (2)'],
  ]);
  expect(polls.map(statesOf)).toEqual([[], [], ['in_progress > finishing (2)']]);
  expect(downloads.map(statesOf)).toEqual([[], [], ['finishing > completed (2)']]);
  for (const step of [...submits, ...polls, ...downloads]) {
    expect(step.attributes).toMatchObject({
      'messaging.system': 'sluice',
      'messaging.operation.type': 'process',
      'sluice.task.id': id,
      'sluice.task.kind': 'video',
      'sluice.key.name': 'client',
      'sluice.upstream': 'media',
      'gen_ai.request.model': MODEL,
    });
  }
  const epochs = [...polls, ...downloads].map(({ attributes }) => Number(attributes['sluice.task.epoch']));
  expect(epochs).toEqual(epochs.toSorted((a, b) => a - b));
  expect(epochs[2]).toBeGreaterThan(epochs[1] ?? Infinity);
  expect(downloads.map(({ attributes }) => attributes['sluice.task.bytes'])).toEqual([undefined, undefined, bytes]);
  const [created] = named('create_task clip');
  expect(created?.attributes).toMatchObject({
    'messaging.operation.type': 'send',
    'messaging.destination.name': 'media',
    'messaging.message.id': id,
    'gen_ai.request.model': 'clip',
    'sluice.task.id': id,
    'sluice.task.kind': 'video',
  });
  const [delivery] = named('deliver webhook');
  expect(delivery?.attributes).toMatchObject({
    'sluice.task.id': id,
    'sluice.webhook.event': 'video.completed',
    'sluice.webhook.event_id': receiver.at('/hook')[0]?.headers['webhook-id'],
    'http.response.status_code': 204,
  });
}

function statesOf({ events }: ReceivedSpan): string[] {
  return events.map(({ name, attributes }) => {
    expect(name).toBe('state changed');
    const {
      'sluice.task.state.before': before,
      'sluice.task.state': state,
      'sluice.task.attempt': attempt,
    } = attributes;
    return `${String(before)} > ${String(state)} (${String(attempt)})`;
  });
}

function expectPeriods(id: string): void {
  const [request, queue, run, , submitted, ended] = [
    ...['POST /v1/videos', 'queue video', 'run video'].map((name) => named(name)[0]),
    ...named('submit video'),
    named('poll video')[2],
  ];
  for (const period of [queue, run]) expect(period?.attributes).toMatchObject({ 'sluice.task.id': id });
  expect(run?.attributes).toMatchObject({ 'sluice.task.unclear_polls': 0 });
  // Also the polls of the killed worker.
  expect(Number(run?.attributes['sluice.task.polls'])).toBeGreaterThanOrEqual(3);
  // Spans of periods have whole milliseconds.
  expect(queue?.startedAt).toBeGreaterThan((request?.startedAt ?? Infinity) - 1);
  expect(run?.startedAt).toBeGreaterThan((submitted?.startedAt ?? Infinity) - 1);
  expect(run?.endedAt).toBeLessThan((ended?.endedAt ?? 0) + 1);
  expect((run?.endedAt ?? 0) - (run?.startedAt ?? 0)).toBeGreaterThan(RENDER_MS - 1_000);
}

function expectCalls(bytes: number): void {
  const operations = ['generate_video', 'poll_video', 'download_video'];
  for (const operation of operations) {
    for (const { attributes } of named(`${operation} ${MODEL}`)) {
      expect(attributes).toMatchObject({
        'gen_ai.operation.name': operation,
        'gen_ai.provider.name': 'fal',
        'gen_ai.request.model': MODEL,
        'server.address': '127.0.0.1',
        'server.port': Number(new URL(stack.sandboxUrl).port),
        'sluice.upstream': 'media',
      });
    }
  }
  const sizes = named(`download_video ${MODEL}`).map(({ attributes }) => attributes['http.response.body.size']);
  expect(sizes[2]).toBe(bytes);
  for (const cut of sizes.slice(0, 2)) expect(Number(cut)).toBeLessThan(bytes);
}

function expectDownload(id: string, bytes: number): void {
  const [request] = named('POST /v1/videos');
  expect(request?.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.route': '/v1/videos',
    'http.response.status_code': 200,
    'sluice.request.id': expect.stringMatching(/^req_/),
    'sluice.key.name': 'client',
    'gen_ai.request.model': 'clip',
  });
  const [create, get, sent] = ['create_task clip', 'GET /v1/videos/:task_id/content', 'download content'].map(
    (name) => named(name)[0],
  );
  expect(get).toMatchObject({ kind: 'SERVER', links: [{ traceId: TRACE, spanId: create?.spanId }] });
  expect(get?.traceId).not.toBe(TRACE);
  expect(sent?.links).toEqual([{ traceId: get?.traceId, spanId: get?.spanId }]);
  const transfer = { 'http.response.status_code': 200, 'http.response.body.size': bytes };
  expect(get?.attributes).toMatchObject({ 'http.route': '/v1/videos/:task_id/content', ...transfer });
  expect(sent?.attributes).toEqual({ 'sluice.task.id': id, 'sluice.task.kind': 'video', ...transfer });
}

async function expectLogLines(id: string): Promise<void> {
  const text = await stack.logs();
  const lines = text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as LogLine] : []));
  const idsOf = (message: string) =>
    lines.filter(({ msg, task }) => msg === message && task === id).map(({ trace_id, span_id }) => [trace_id, span_id]);
  const expected = (name: string) =>
    named(name)
      .slice(0, 2)
      .map(({ spanId }) => [TRACE, spanId]);
  expect(idsOf('unclear poll response')).toEqual(expected('poll video'));
  expect(idsOf('output file not copied; retrying')).toEqual(expected('download video'));
  const [request] = named('POST /v1/videos');
  const line = lines.find(({ request_id }) => request_id === request?.attributes['sluice.request.id']);
  expect(line).toMatchObject({ msg: 'request', trace_id: TRACE, span_id: request?.spanId });
}

type LogLine = Partial<Record<'msg' | 'task' | 'request_id' | 'trace_id' | 'span_id', string>>;

function expectNoSecrets(id: string): void {
  const exported = collector.requests.join('\n');
  expect(exported).toContain(id);
  expect(exported).not.toMatch(/secret prompt|whsec_|signature=|authorization/i);
  for (const key of [KEY, VENDOR_KEY]) expect(exported).not.toContain(key);
  const [models] = named('GET /v1/models');
  expect(models?.attributes['url.path']).toBe('/v1/models');
}
