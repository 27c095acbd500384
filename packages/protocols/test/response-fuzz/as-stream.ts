type Body = Record<string, unknown>;

const asBody = (value: unknown): Body => value as Body; // the templates define the types
const asList = (value: unknown): Body[] => (Array.isArray(value) ? (value as Body[]) : []);

/** Splits a complete response into a stream, as the vendor of the protocol does. */
export function asStream(protocol: string, response: Body): string {
  switch (protocol) {
    case 'chat-completions':
      return [...chatChunks(response).map((chunk) => frame(chunk)), 'data: [DONE]\n\n'].join('');
    case 'responses':
      return responseEvents(response).map(frame).join('');
    case 'messages':
      return messageEvents(response).map(frame).join('');
    case 'converse':
      return converseEvents(response).map(namedFrame).join('');
    default:
      return contentChunks(response).map(frame).join('');
  }
}

function frame(data: Body): string {
  const event = typeof data['type'] === 'string' ? `event: ${data['type']}\n` : '';
  return `${event}data: ${JSON.stringify(data)}\n\n`;
}

function chatChunks({ choices, usage, ...head }: Body): Body[] {
  const ended = asList(choices).map(({ index, finish_reason, stop_reason }) => ({
    index,
    delta: {},
    finish_reason,
    stop_reason,
  }));
  return [
    { ...head, choices: asList(choices).map(startedChoice) },
    { ...head, choices: ended },
    { ...head, choices: [], usage },
  ];
}

function startedChoice({ message, finish_reason: _reason, stop_reason: _stop, ...choice }: Body): Body {
  const delta = structuredClone(asBody(message));
  for (const [index, call] of asList(delta['tool_calls']).entries()) call['index'] = index;
  return { ...choice, delta, finish_reason: null };
}

function responseEvents(response: Body): Body[] {
  return [
    { type: 'response.created', response: { id: response['id'], status: 'in_progress', output: [] } },
    ...asList(response['output']).flatMap(itemEvents),
    { type: 'response.completed', response },
  ];
}

function itemEvents(item: Body, output_index: number): Body[] {
  const { id: item_id, type } = item;
  const start = type === 'message' ? { ...item, content: [] } : { ...item, summary: [], arguments: '' };
  const deltas = asList(item['content']).flatMap(({ text }, content_index) =>
    type === 'message' && text !== undefined
      ? [{ type: 'response.output_text.delta', output_index, item_id, content_index, delta: text }]
      : [],
  );
  return [
    { type: 'response.output_item.added', output_index, item: start },
    ...deltas,
    { type: 'response.output_item.done', output_index, item },
  ];
}

function messageEvents({
  content,
  stop_reason,
  stop_sequence,
  stop_details,
  context_management,
  ...head
}: Body): Body[] {
  return [
    { type: 'message_start', message: { ...head, content: [], stop_reason: null } },
    ...asList(content).flatMap(indexedEvents),
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence, stop_details },
      usage: asBody(head['usage']),
      context_management,
    },
    { type: 'message_stop' },
  ];
}

function indexedEvents(block: Body, index: number): Body[] {
  const events = [...blockEvents(block), { type: 'content_block_stop' }];
  return events.map((event) => Object.assign(event, { index }));
}

function blockEvents(block: Body): Body[] {
  const delta = (fields: Body) => ({ type: 'content_block_delta', delta: fields });
  const start = (fields: Body) => ({ type: 'content_block_start', content_block: { ...block, ...fields } });
  const { text, thinking, signature, input } = block;
  switch (block['type']) {
    case 'text':
      return [
        start({ text: '', citations: [] }),
        delta({ type: 'text_delta', text }),
        ...asList(block['citations']).map((citation) => delta({ type: 'citations_delta', citation })),
      ];
    case 'thinking':
      return [
        start({ thinking: '', signature: '' }),
        delta({ type: 'thinking_delta', thinking }),
        delta({ type: 'signature_delta', signature }),
      ];
    case 'tool_use':
      return [start({ input: {} }), delta({ type: 'input_json_delta', partial_json: JSON.stringify(input) })];
    default:
      return [start({})];
  }
}

function contentChunks({ candidates, usageMetadata, ...head }: Body): Body[] {
  const started = asList(candidates).map(({ index, content }) => ({ index, content }));
  const ended = asList(candidates).map(endedCandidate);
  return [
    { ...head, candidates: started },
    { ...head, candidates: ended, usageMetadata },
  ];
}

function endedCandidate({ content: _content, ...rest }: Body): Body {
  return { content: { role: 'model', parts: [{ text: '' }] }, ...rest };
}

function namedFrame([event, data]: readonly [string, Body]): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function converseEvents({ output, stopReason, additionalModelResponseFields, ...metadata }: Body): [string, Body][] {
  const { message, ...others } = asBody(output);
  const { content, ...unread } = asBody(message);
  return [
    ['messageStart', { role: 'assistant' }],
    ...asList(content).flatMap((block, contentBlockIndex) =>
      converseBlock(block).map(([event, fields]): [string, Body] => [event, { contentBlockIndex, ...fields }]),
    ),
    ['messageStop', { stopReason, additionalModelResponseFields, output: { ...others, message: unread } }],
    ['metadata', metadata],
  ];
}

function converseBlock(block: Body): [string, Body][] {
  const delta = (fields: Body): [string, Body] => ['contentBlockDelta', { delta: fields }];
  const start = (fields: Body): [string, Body] => ['contentBlockStart', { start: fields }];
  const stop: [string, Body] = ['contentBlockStop', {}];
  const { text, toolUse, reasoningContent, citationsContent, image, ...others } = block;
  if (text !== undefined) return [delta({ ...others, text }), stop];
  if (toolUse !== undefined) {
    const { input, ...head } = asBody(toolUse);
    return [start({ ...others, toolUse: head }), delta({ toolUse: { input: JSON.stringify(input) } }), stop];
  }
  if (reasoningContent !== undefined) {
    const { reasoningText, ...unread } = asBody(reasoningContent);
    return [delta({ ...others, reasoningContent: { ...asBody(reasoningText), ...unread } }), stop];
  }
  if (citationsContent !== undefined) {
    const { content, citations, ...unread } = asBody(citationsContent);
    const [first, ...rest] = asList(content);
    const cited = { ...others, text: first?.['text'], citationsContent: { content: [first], ...unread } };
    return [cited, ...rest, ...asList(citations).map((citation) => ({ citation }))].map(delta).concat([stop]);
  }
  if (image === undefined) return [start(block), stop];
  const { source, ...head } = asBody(image);
  return [start({ ...others, image: head }), delta({ image: { source } }), stop];
}
