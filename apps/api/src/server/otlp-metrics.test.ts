import { afterEach, describe, expect, it } from 'vitest';
import { chatChunk } from '../../test/text-rig.ts';
import { type TracingRig, tracingRig } from '../../test/tracing-rig.ts';
import { respondWith } from '../../test/vendor.ts';

const CHAT = '/v1/chat/completions';
const messages = [{ role: 'user', content: 'my secret prompt' }];

let traced: TracingRig;
/** Waits until these metrics have arrived, and returns all points. */
async function pointsOf(...names: string[]) {
  const arrived = () => traced.collector.points().map(({ metric }) => metric);
  await expect.poll(arrived).toEqual(expect.arrayContaining(names));
  return traced.collector.points();
}
afterEach(() => traced.close());

describe('metrics over OTLP', () => {
  const METRICS = { OTEL_METRICS_EXPORTER: 'otlp', OTEL_TRACES_EXPORTER: 'none' };

  it('have the names and buckets of version 1.41, and need no traces', async () => {
    traced = await tracingRig(METRICS);
    traced.first.script = respondWith('you said it');
    const body = { model: 'relayed', messages, stream: true, stream_options: { include_usage: true } };
    await (await traced.rig.post(CHAT, body)).text();
    const points = await pointsOf('gen_ai.client.token.usage', 'gen_ai.server.request.duration');
    const tokens = points.filter(({ metric }) => metric === 'gen_ai.client.token.usage');
    const ofCall = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4.1',
    };
    expect(tokens).toMatchObject([
      { unit: '{token}', sum: 3, count: 1, attributes: { ...ofCall, 'gen_ai.token.type': 'input' } },
      { unit: '{token}', sum: 2, count: 1, attributes: { ...ofCall, 'gen_ai.token.type': 'output' } },
    ]);
    expect(tokens[0]?.bounds).toEqual([...Array(14).keys()].map((power) => 4 ** power));
    const others = points.filter(({ metric }) => metric !== 'gen_ai.client.token.usage');
    expect(others.map(({ metric }) => metric).toSorted()).toEqual([
      'gen_ai.client.operation.duration',
      'gen_ai.client.operation.time_to_first_chunk',
      'gen_ai.server.request.duration',
      'gen_ai.server.time_per_output_token',
      'gen_ai.server.time_to_first_token',
    ]);
    for (const point of others) expect(point).toMatchObject({ unit: 's', count: 1, attributes: ofCall });
    expect(traced.collector.spans).toEqual([]);
    expect(traced.first.requests[0]?.headers).not.toHaveProperty('traceparent');
  });

  it('include the time between two chunks of a stream', async () => {
    traced = await tracingRig(METRICS);
    let end: (() => void) | undefined;
    traced.first.script = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(chatChunk({ content: 'you said' }));
      end = () => void response.end(`${chatChunk({ content: ' it' }, 'stop')}data: [DONE]\n\n`);
    };
    const response = await traced.rig.post(CHAT, { model: 'relayed', messages, stream: true });
    const reader = response.body?.getReader();
    await reader?.read();
    end?.();
    while (!(await reader?.read())?.done);
    const points = await pointsOf('gen_ai.client.operation.time_per_output_chunk');
    expect(points.filter(({ metric }) => metric === 'gen_ai.client.operation.time_per_output_chunk')).toMatchObject([
      { unit: 's', count: 1, attributes: { 'gen_ai.request.model': 'gpt-4.1' } },
    ]);
  });

  it('have the latest names if they are selected, and can be JSON', async () => {
    const latest = { OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental' };
    traced = await tracingRig({ ...METRICS, ...latest, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' });
    traced.first.script = respondWith('you said it');
    await traced.rig.post(CHAT, { model: 'relayed', messages });
    const points = await pointsOf('gen_ai.client.inference.duration', 'gen_ai.client.inference.usage.input_tokens');
    const sums = Object.fromEntries(points.map(({ metric, sum }) => [metric, sum]));
    expect(sums).toMatchObject({
      'gen_ai.client.inference.usage.input_tokens': 3,
      'gen_ai.client.inference.usage.output_tokens': 2,
      'gen_ai.client.inference.operation.input_tokens': 3,
      'gen_ai.client.inference.operation.output_tokens': 2,
    });
    expect(sums).not.toHaveProperty('gen_ai.client.token.usage');
    expect(traced.collector.mediaTypes).toEqual(new Set(['application/json']));
  });
});
