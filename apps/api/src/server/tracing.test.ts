import { openRedis } from '@sluice/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { waitForEntries } from '../../test/ledger/ledger-entries.ts';
import { chatChunk, sendJson } from '../../test/text-rig.ts';
import { type TracingRig, tracingRig } from '../../test/tracing-rig.ts';
import { respondWith } from '../../test/vendor.ts';

const CHAT = '/v1/chat/completions';
const REQUEST = 'POST /v1/chat/completions';
const messages = [{ role: 'user', content: 'my secret prompt' }];
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

let traced: TracingRig;
afterEach(() => traced.close());

describe('a relayed request', () => {
  it('is an exemplar of the metrics if its trace is exported', async () => {
    traced = await tracingRig();
    traced.first.script = respondWith('you said it');
    for (const [sampled, id] of [
      ['00', PARENT.repeat(2)],
      ['01', TRACE],
    ]) {
      const headers = { traceparent: `00-${id}-${PARENT}-${sampled}` };
      await traced.rig.post(CHAT, { model: 'relayed', messages }, { headers });
    }
    const text = await traced.rig.metrics.render({ format: 'openmetrics' });
    expect(text).toContain(`# {trace_id="${TRACE}"}`);
    expect(text).not.toContain(PARENT.repeat(2));
  });

  it('has a span in the trace of its client, and a span of the call below it', async () => {
    traced = await tracingRig();
    traced.first.script = respondWith('you said it');
    const headers = { traceparent: `00-${TRACE}-${PARENT}-01`, baggage: 'user=7', 'x-own': 'value' };
    await traced.rig.post(CHAT, { model: 'relayed', messages, max_tokens: 7, temperature: 0.5 }, { headers });
    const { [REQUEST]: request, 'chat gpt-4.1': call } = await traced.spans(REQUEST, 'chat gpt-4.1');
    expect(request).toMatchObject({
      service: 'sluice-api',
      traceId: TRACE,
      parentId: PARENT,
      kind: 'SERVER',
      isError: false,
      attributes: {
        'http.request.method': 'POST',
        'http.route': CHAT,
        'url.path': CHAT,
        'http.response.status_code': 200,
        'sluice.key.name': 'alice',
        'gen_ai.request.model': 'relayed',
        'sluice.upstream': 'first',
        'sluice.relayed': true,
        'sluice.attempts': 1,
      },
    });
    const { redisUrl, prefix } = traced.rig.tasks;
    const redis = openRedis(redisUrl);
    const [entry] = await waitForEntries(redis, prefix, 1);
    redis.disconnect();
    expect(entry?.traceId).toBe(TRACE);
    expect(call).toMatchObject({
      traceId: TRACE,
      parentId: request?.spanId,
      kind: 'CLIENT',
      isError: false,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-4.1',
        'gen_ai.request.max_tokens': 7,
        'gen_ai.request.temperature': 0.5,
        'server.address': '127.0.0.1',
        'server.port': Number(new URL(traced.first.url).port),
        'sluice.upstream': 'first',
        'sluice.relayed': true,
        'sluice.attempt': 1,
        'gen_ai.response.id': 'chatcmpl-1',
        'gen_ai.response.model': 'theirs-2025',
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.usage.input_tokens': 3,
        'gen_ai.usage.output_tokens': 2,
      },
    });
    const sent = traced.first.requests[0]?.headers;
    expect(sent?.['traceparent']).toBe(`00-${TRACE}-${call?.spanId}-01`);
    expect(sent).not.toHaveProperty('baggage');
    expect(sent).not.toHaveProperty('x-own');
    expect(JSON.stringify(traced.collector.spans)).not.toMatch(/my secret prompt|you said it|sk-/);
    expect(traced.collector.mediaTypes).toEqual(new Set(['application/x-protobuf']));
  });

  it('writes the ids of its span to its log line', async () => {
    traced = await tracingRig();
    traced.first.script = respondWith('you said it');
    await traced.rig.post(CHAT, { model: 'relayed', messages });
    const { [REQUEST]: request } = await traced.spans(REQUEST);
    const line = traced.rig.logs().match(/^.*"msg":"request".*$/m)?.[0] ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ trace_id: request?.traceId, span_id: request?.spanId });
  });
});

describe('a streamed request', () => {
  it('has a span until its last event, with the time of its first event', async () => {
    traced = await tracingRig();
    const arrived = Promise.withResolvers<void>();
    traced.first.script = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chatChunk({ role: 'assistant', content: 'one' }));
      const usage = { prompt_tokens: 3, completion_tokens: 2 };
      const rest = `${chatChunk({}, 'length')}${chatChunk({}, null, { choices: [], usage })}data: [DONE]\n\n`;
      void arrived.promise.then(() => setTimeout(() => response.end(rest), 60));
    };
    const reader = (await traced.rig.post(CHAT, { model: 'relayed', stream: true, messages })).body?.getReader();
    await reader?.read();
    arrived.resolve();
    while ((await reader?.read())?.done === false);
    const { [REQUEST]: request, 'chat gpt-4.1': call } = await traced.spans(REQUEST, 'chat gpt-4.1');
    expect(call?.attributes).toMatchObject({
      'gen_ai.request.stream': true,
      'gen_ai.response.finish_reasons': ['length'],
      'gen_ai.usage.output_tokens': 2,
    });
    const first = Number(call?.attributes['gen_ai.response.time_to_first_chunk']);
    const seconds = ((call?.endedAt ?? 0) - (call?.startedAt ?? 0)) / 1_000;
    expect(first).toBeLessThan(seconds - 0.04);
    // Each span has its own clock, which starts at a full millisecond.
    expect((request?.endedAt ?? 0) + 1).toBeGreaterThanOrEqual(call?.endedAt ?? Infinity);
  });

  it('is an error if the upstream breaks off', async () => {
    traced = await tracingRig();
    traced.first.script = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chatChunk({ content: 'one' }), () => response.destroy());
    };
    await (await traced.rig.post(CHAT, { model: 'relayed', stream: true, messages })).text();
    const { 'chat gpt-4.1': call } = await traced.spans('chat gpt-4.1');
    expect(call).toMatchObject({ isError: true, attributes: { 'error.type': 'provider_error' } });
  });
});

describe('a translated request with a fallback', () => {
  it('has a span for each attempt', async () => {
    traced = await tracingRig();
    traced.first.script = (_request, response) => sendJson(response, 503, { error: { message: 'busy' } });
    traced.second.script = respondWith('you said it');
    expect((await traced.rig.post(CHAT, { model: 'both', messages })).status).toBe(200);
    const names = [REQUEST, 'chat gpt-4.1', 'chat claude-4'];
    const { [REQUEST]: request, 'chat gpt-4.1': failed, 'chat claude-4': served } = await traced.spans(...names);
    expect(failed).toMatchObject({
      parentId: request?.spanId,
      isError: true,
      attributes: { 'error.type': 'provider_overloaded', 'http.response.status_code': 503, 'sluice.attempt': 1 },
    });
    expect(served).toMatchObject({
      parentId: request?.spanId,
      isError: false,
      attributes: { 'gen_ai.provider.name': 'anthropic', 'sluice.relayed': false, 'sluice.attempt': 2 },
    });
    expect(request?.attributes).toMatchObject({ 'sluice.upstream': 'second', 'sluice.attempts': 2 });
    expect(traced.collector.spans).toHaveLength(3);
    expect(traced.second.requests[0]?.headers['traceparent']).toContain(served?.spanId);
  });
});

describe('sampling', () => {
  it('follows the client, and continues an unsampled trace at the upstream', async () => {
    traced = await tracingRig();
    traced.first.script = respondWith('you said it');
    const post = (traceparent: string) =>
      traced.rig.post(CHAT, { model: 'relayed', messages }, { headers: { traceparent } });
    await post(`00-${TRACE}-${PARENT}-00`);
    await post(`00-${TRACE.replace('4', '5')}-${PARENT}-01`);
    await traced.spans(REQUEST, 'chat gpt-4.1');
    expect(traced.collector.spans.map(({ traceId }) => traceId)).not.toContain(TRACE);
    expect(traced.first.requests[0]?.headers['traceparent']).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
  });

  it('has a ratio', async () => {
    traced = await tracingRig({ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' });
    traced.first.script = respondWith('you said it');
    await traced.rig.post(CHAT, { model: 'relayed', messages });
    await traced.rig.post(
      CHAT,
      { model: 'relayed', messages },
      { headers: { traceparent: `00-${TRACE}-${PARENT}-01` } },
    );
    const { [REQUEST]: request } = await traced.spans(REQUEST, 'chat gpt-4.1');
    expect(request?.traceId).toBe(TRACE);
    expect(traced.collector.spans).toHaveLength(2);
  });
});

describe('content', () => {
  const CAPTURE = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' };

  it.each([false, true])('is in the span if its capture is enabled, with stream: %s', async (stream) => {
    traced = await tracingRig(CAPTURE);
    traced.first.script = respondWith('you said it');
    await (await traced.rig.post(CHAT, { model: 'relayed', messages, stream })).text();
    const { 'chat gpt-4.1': call } = await traced.spans('chat gpt-4.1');
    const { 'gen_ai.input.messages': input, 'gen_ai.output.messages': output } = call?.attributes ?? {};
    expect(JSON.parse(String(input))).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'my secret prompt' }] },
    ]);
    expect(JSON.parse(String(output))).toEqual([
      { role: 'assistant', parts: [{ type: 'text', content: 'you said it' }], finish_reason: 'stop' },
    ]);
  });

  it('is cut at the configured length', async () => {
    traced = await tracingRig({ ...CAPTURE, OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: '40' });
    traced.first.script = respondWith('you said it');
    await traced.rig.post(CHAT, { model: 'relayed', messages });
    const { 'chat gpt-4.1': call } = await traced.spans('chat gpt-4.1');
    expect(call?.attributes['gen_ai.input.messages']).toHaveLength(40);
  });
});

describe('without a collector', () => {
  it('serves requests, and logs the failure once', async () => {
    traced = await tracingRig({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9/v1/traces',
      OTEL_EXPORTER_OTLP_TIMEOUT: '200',
    });
    traced.first.script = respondWith('you said it');
    const post = async () => (await traced.rig.post(CHAT, { model: 'relayed', messages })).status;
    expect(await post()).toBe(200);
    await expect.poll(() => traced.exportLogs.length).toBe(1);
    expect(await post()).toBe(200);
    const startedAt = performance.now();
    await traced.rig.close();
    expect(performance.now() - startedAt).toBeLessThan(9_000);
    expect(traced.exportLogs).toEqual([expect.stringContaining('traces could not be exported')]);
  });
});
