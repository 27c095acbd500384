import type { ServerResponse } from 'node:http';
import type { TextProtocolName } from '@sluice/canonical';
import { chatResponse, chatChunk, type Script, sendJson, type UpstreamRequest } from './text-rig.ts';

/** The models of {@link vendorConfig}, one for each upstream protocol. */
export const MODELS = {
  'chat-completions': 'by-chat',
  responses: 'by-responses',
  messages: 'by-messages',
  'generative-content': 'by-gemini',
} as const satisfies Record<TextProtocolName, string>;

/** One upstream of each kind at the same address, each with a model, as in `sluice.yaml`. */
export function vendorConfig(url: string) {
  // The cast is needed because `Object.keys` returns `string[]`.
  const kinds = Object.keys(MODELS) as TextProtocolName[];
  return {
    upstreams: Object.fromEntries(
      kinds.map((kind) => [kind, { kind, base_url: `${url}/${kind}/v1`, api_key: `sk-vendor-${kind}` }]),
    ),
    models: kinds.map((kind) => ({ id: MODELS[kind], routes: [{ upstream: kind, model: `their-${kind}` }] })),
  };
}

/** A vendor of all protocols. It responds to every request with a text, buffered or streamed as requested. */
export function respondWith(text: string): Script {
  return (request, response) => {
    const { path } = request;
    if (path.endsWith('/chat/completions')) respondToChat(request, response, text);
    else if (path.endsWith('/compact')) sendJson(response, 200, compaction());
    else if (path.endsWith('/input_tokens'))
      sendJson(response, 200, { object: 'response.input_tokens', input_tokens: 7 });
    else if (path.endsWith('/count_tokens')) sendJson(response, 200, { input_tokens: 7 });
    else if (path.endsWith(':countTokens')) sendJson(response, 200, { totalTokens: 7 });
    else if (path.endsWith('/messages')) respondToMessage(request, response, text);
    else if (path.endsWith('/responses')) respondToResponses(request, response, text);
    else if (path.includes('enerateContent')) respondToContent(request, response, text);
    else sendJson(response, 404, { error: { message: 'no such path' } });
  };
}

/** Sends events. In protocols with event names, the names are included. */
export function sendEvents(response: ServerResponse, events: readonly object[]): void {
  const frames = events.map((event) => {
    const name = 'type' in event && typeof event.type === 'string' ? `event: ${event.type}\n` : '';
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(frames.join(''));
}

function respondToChat({ body }: UpstreamRequest, response: ServerResponse, text: string): void {
  if (body['stream'] !== true) return sendJson(response, 200, chatResponse(text));
  const includesUsage = JSON.stringify(body['stream_options'] ?? {}).includes('"include_usage":true');
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
  const usageChunk = includesUsage ? chatChunk({}, null, { choices: [], usage }) : '';
  response
    .writeHead(200, { 'content-type': 'text/event-stream' })
    .end(`${chatChunk({ role: 'assistant', content: text })}${chatChunk({}, 'stop')}${usageChunk}data: [DONE]\n\n`);
}

export function message(content: unknown[], stop = 'end_turn') {
  const usage = { input_tokens: 3, output_tokens: 2 };
  const common = { id: 'msg_theirs', type: 'message', role: 'assistant', model: 'theirs-2025' };
  return { ...common, content, stop_reason: stop, stop_sequence: null, usage };
}

function respondToMessage({ body }: UpstreamRequest, response: ServerResponse, text: string): void {
  if (body['stream'] !== true) return sendJson(response, 200, message([{ type: 'text', text }]));
  sendEvents(response, [
    { type: 'message_start', message: { ...message([]), stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ]);
}

export function modelResponse(id: string, text: string, more: object = {}) {
  const content = [{ type: 'output_text', text, annotations: [] }];
  const output = [{ type: 'message', id: `msg_of_${id}`, status: 'completed', role: 'assistant', content }];
  const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 };
  const common = { id, object: 'response', created_at: 1, status: 'completed', model: 'theirs-2025' };
  return { ...common, output, usage, ...more };
}

/** A vendor's compacted conversation. */
function compaction() {
  const output = [{ type: 'compaction', id: 'cmp_theirs', encrypted_content: 'encrypted by them' }];
  return { ...modelResponse('resp_compacted', ''), object: 'response.compaction', output };
}

let responseCount = 0;

function respondToResponses({ body }: UpstreamRequest, reply: ServerResponse, text: string): void {
  responseCount += 1;
  const complete = modelResponse(`resp_theirs${responseCount}`, text);
  if (body['stream'] !== true) return sendJson(reply, 200, complete);
  const [item] = complete.output;
  const at = { item_id: item?.id, output_index: 0, content_index: 0 };
  sendEvents(reply, [
    { type: 'response.created', response: { ...complete, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
    { type: 'response.content_part.added', ...at, part: { type: 'output_text', text: '', annotations: [] } },
    { type: 'response.output_text.delta', ...at, delta: text },
    { type: 'response.output_text.done', ...at, text },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: complete },
  ]);
}

function respondToContent({ path }: UpstreamRequest, reply: ServerResponse, text: string): void {
  const complete = {
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
    modelVersion: 'theirs-2025',
  };
  if (path.includes(':streamGenerateContent')) sendEvents(reply, [complete]);
  else sendJson(reply, 200, complete);
}
