import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '@sluice/testkit';
import { afterEach, expect, it } from 'vitest';
import { Client, type Video } from '../client.ts';
import { registerWebhook, webhooksTo } from '../faults/violations.ts';
import { KEY, type Stack, startStack } from '../stack.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CLIENT_SPAN = '00f067aa0ba902b7';
const WAIT = { timeout: 30_000, interval: 50 };
/** Long enough for the kill of the worker while the vendor renders. */
const RENDER_MS = 4_000;

let stack: Stack;
let collector: OtlpReceiver;
let receiver: Receiver;
afterEach(async () => {
  await stack.close();
  await collector.close();
  receiver.close();
});

/** Returns the only span with this name, after it has arrived. */
async function spanNamed(name: string): Promise<ReceivedSpan> {
  const found = () => collector.spans.filter((span) => span.name === name);
  await expect.poll(() => found().length, WAIT).toBe(1);
  const [span] = found();
  if (!span) throw new Error(`the span ${name} was just found`);
  return span;
}

it('one trace shows a video from its POST to its last downloaded byte, although its worker was killed', async () => {
  [collector, receiver] = await Promise.all([startOtlpReceiver(), startReceiver()]);
  const otel = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '20' };
  const config = { webhooks: webhooksTo(receiver.origin) };
  stack = await startStack({ workers: 0, apiEnv: otel, renderMs: RENDER_MS, config });
  const client = new Client(stack.origin, KEY);
  await registerWebhook(client, `${receiver.origin}/hook`);
  const first = await stack.startWorker(otel);

  const traceparent = `00-${TRACE}-${CLIENT_SPAN}-01`;
  const created = await client.fetch('/v1/videos', {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent },
    body: JSON.stringify({ prompt: 'my secret prompt', seconds: '1' }),
  });
  const { id } = (await created.json()) as Video; // The sandbox accepts every prompt.
  const submit = await spanNamed('submit video');
  await first.kill();
  await stack.startWorker(otel);
  const statusOf = async () => ((await (await client.fetch(`/v1/videos/${id}`)).json()) as Video).status;
  await expect.poll(statusOf, WAIT).toBe('completed');
  const content = await client.fetch(`/v1/videos/${id}/content`);
  const bytes = (await content.arrayBuffer()).byteLength;
  expect(bytes).toBeGreaterThan(1_000);

  const request = await spanNamed('POST /v1/videos');
  expect(request).toMatchObject({ traceId: TRACE, parentId: CLIENT_SPAN, kind: 'SERVER', service: 'sluice-api' });
  const task = await spanNamed('create_task test-video');
  expect(task).toMatchObject({
    parentId: request.spanId,
    kind: 'PRODUCER',
    attributes: { 'sluice.task.id': id, 'messaging.destination.name': 'vendor' },
  });
  const [queue, run, poll, download, webhook, sent] = await Promise.all(
    ['queue video', 'run video', 'poll video', 'download video', 'deliver webhook', 'download content'].map(spanNamed),
  );
  for (const step of [submit, poll, download, webhook]) {
    expect(step).toMatchObject({
      traceId: TRACE,
      parentId: task.spanId,
      kind: 'CONSUMER',
      isError: false,
      service: 'sluice-worker',
      attributes: { 'sluice.task.id': id, 'sluice.key.name': 'client' },
    });
  }
  for (const period of [queue, run]) {
    expect(period).toMatchObject({ traceId: TRACE, parentId: task.spanId, kind: 'INTERNAL' });
  }
  expect(Number(run?.attributes['sluice.task.polls'])).toBeGreaterThanOrEqual(1);
  expect((run?.endedAt ?? 0) - (run?.startedAt ?? 0)).toBeGreaterThan(RENDER_MS / 2);

  const calls = await Promise.all(
    ['generate_video sandbox-video', 'poll_video sandbox-video', 'download_video sandbox-video'].map(spanNamed),
  );
  expect(calls.map(({ parentId }) => parentId)).toEqual([submit.spanId, poll?.spanId, download?.spanId]);
  for (const call of calls) {
    const attributes = { 'sluice.upstream': 'vendor', 'gen_ai.request.model': 'sandbox-video' };
    expect(call).toMatchObject({ traceId: TRACE, kind: 'CLIENT', isError: false, attributes });
  }
  expect(statesOf(submit, poll, download)).toEqual(['submitting', 'in_progress', 'finishing', 'completed']);
  // The second worker continued the trace of the first.
  expect(poll?.attributes['sluice.task.epoch']).toBeGreaterThan(Number(submit.attributes['sluice.task.epoch']));
  expect(poll?.instance).not.toBe(submit.instance);
  expect(download?.instance).toBe(poll?.instance);

  const get = await spanNamed('GET /v1/videos/:task_id/content');
  expect(sent).toMatchObject({ traceId: TRACE, parentId: task.spanId, links: [{ spanId: get.spanId }] });
  expect(get).toMatchObject({ links: [{ traceId: TRACE, spanId: task.spanId }] });
  expect(get.traceId).not.toBe(TRACE);

  const ours = collector.spans.filter(({ traceId }) => traceId === TRACE);
  expect(ours.filter(({ name }) => name === 'submit video')).toHaveLength(1);
  expect(JSON.stringify(collector.spans)).not.toContain('my secret prompt');
  expect(await stack.logs()).toContain(`"trace_id":"${TRACE}"`);
}, 90_000);

function statesOf(...steps: (ReceivedSpan | undefined)[]): unknown[] {
  return steps.flatMap((step) => step?.events.map(({ attributes }) => attributes['sluice.task.state']) ?? []);
}
