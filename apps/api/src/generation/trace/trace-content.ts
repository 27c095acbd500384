import type { ContentBlock, Generation, GenerationRequest, TextTarget } from '@sluice/canonical';
import { createCollector, createSseParser, type ResponseWriter, type UpstreamProtocol } from '@sluice/protocols';
import type { AttemptTrace } from '@sluice/telemetry';

/** The upstream's protocol, which decodes a response a second time for the span. */
export interface ContentSource {
  upstream: UpstreamProtocol;
  target: TextTarget;
  newId: (prefix: string) => string;
}

/** Adds the prompt to a span. Called only if the operator has enabled the capture of content. */
export async function captureRequest(
  trace: AttemptTrace,
  decoded: () => Promise<{ generation: GenerationRequest }>,
): Promise<void> {
  try {
    const { messages } = (await decoded()).generation;
    const input = messages.map(({ role, content }) => ({ role, parts: content.map(partOf) }));
    trace.setAttributes({ 'gen_ai.input.messages': cut(trace, input) });
  } catch {
    // The upstream reports errors of a request that cannot be decoded.
  }
}

export function captureResponse(trace: AttemptTrace, bytes: Uint8Array, { upstream, ...source }: ContentSource): void {
  try {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
    trace.setAttributes(outputOf(trace, upstream.decodeResponse(JSON.parse(text), source)));
  } catch {
    // A relayed response need not be decodable.
  }
}

/** Decodes a stream beside its writer, and adds the response to the span when the span ends. */
export function captureStream(
  writer: ResponseWriter,
  trace: AttemptTrace,
  { upstream, ...source }: ContentSource,
): ResponseWriter {
  const parser = createSseParser();
  const decoder = upstream.decodeStream(source);
  const collector = createCollector();
  trace.setAtEnd(() => outputOf(trace, collector.generation()));
  return {
    ...writer,
    push: (chunk) => {
      for (const frame of parser.push(chunk)) for (const event of decoder.push(frame)) collector.add(event);
      return writer.push(chunk);
    },
  };
}

function outputOf(trace: AttemptTrace, { choices }: Generation): { 'gen_ai.output.messages': string } {
  const output = choices.map(({ content, finish }) => ({
    role: 'assistant',
    parts: content.map(partOf),
    finish_reason: finish,
  }));
  return { 'gen_ai.output.messages': cut(trace, output) };
}

/** Converts a block to a part as the conventions define it. Media are named, but not included. */
function partOf(block: ContentBlock): Record<string, unknown> {
  switch (block.type) {
    case 'text':
    case 'refusal':
      return { type: 'text', content: block.text };
    case 'reasoning':
      return { type: 'reasoning', content: block.text.join('\n') };
    case 'tool-call':
      return { type: 'tool_call', id: block.callId, name: block.name, arguments: block.arguments };
    case 'tool-result':
      return { type: 'tool_call_response', id: block.callId, result: block.content.map(partOf) };
    case 'media':
      return { type: block.kind };
    case 'foreign':
      return { type: block.kind };
  }
}

function cut({ contentChars }: AttemptTrace, messages: readonly object[]): string {
  return JSON.stringify(messages).slice(0, contentChars);
}
