import type { GenerationRequest } from '@sluice/canonical';
import type { BufferedResponse, Exchange, ResponseWriter, TextRequest } from '@sluice/protocols';
import type { AttemptTrace } from '@sluice/telemetry';
import { captureRequest, captureResponse, captureStream, type ContentSource } from './trace-content.ts';
import { ResponseScan } from './response-scan.ts';

/** Adds a text request to its span. The conventions name the attributes. */
export async function describeRequest(
  trace: AttemptTrace,
  { request, decoded }: { request: TextRequest; decoded: () => Promise<{ generation: GenerationRequest }> },
  exchange: Pick<Exchange, 'isRelayed'>,
): Promise<void> {
  describeParams(trace, request, exchange);
  if (trace.contentChars > 0) await captureRequest(trace, decoded);
}

function describeParams(trace: AttemptTrace, request: TextRequest, { isRelayed }: Pick<Exchange, 'isRelayed'>): void {
  const config = request.member('generationConfig');
  // The names of chat completions, responses, and messages, and then of generative content.
  const valueOf = (...names: string[]): unknown =>
    names.map((name) => request.member(name) ?? fieldOf(config, name)).find((value) => value !== undefined);
  const numberOf = (...names: string[]): number | undefined => {
    const value = valueOf(...names);
    return typeof value === 'number' ? value : undefined;
  };
  const choices = numberOf('n', 'candidateCount');
  trace.setAttributes({
    'sluice.relayed': isRelayed,
    'gen_ai.request.stream': request.stream || undefined,
    'gen_ai.request.max_tokens': numberOf(
      'max_completion_tokens',
      'max_tokens',
      'max_output_tokens',
      'maxOutputTokens',
    ),
    'gen_ai.request.temperature': numberOf('temperature'),
    'gen_ai.request.top_p': numberOf('top_p', 'topP'),
    'gen_ai.request.top_k': numberOf('top_k', 'topK'),
    'gen_ai.request.seed': numberOf('seed'),
    'gen_ai.request.frequency_penalty': numberOf('frequency_penalty', 'frequencyPenalty'),
    'gen_ai.request.presence_penalty': numberOf('presence_penalty', 'presencePenalty'),
    'gen_ai.request.choice.count': choices === 1 ? undefined : choices,
  });
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** Adds a complete response to its span. */
export function traceBuffered(
  trace: AttemptTrace,
  bytes: Uint8Array,
  { usage }: BufferedResponse,
  source: ContentSource,
): void {
  trace.set({ usage });
  if (!trace.isRecording) return;
  const scan = new ResponseScan();
  scan.push(bytes);
  trace.set(scan.facts());
  if (trace.contentChars > 0) captureResponse(trace, bytes, source);
}

/**
 * Measures the chunks of a stream, and adds the response to its span while it is written. Returns the writer itself if
 * nothing is exported.
 */
export function tracedWriter(
  written: ResponseWriter,
  trace: AttemptTrace | undefined,
  source: ContentSource,
): ResponseWriter {
  if (!trace) return written;
  const measured = trace.isMeasuring ? measuredWriter(written, trace) : written;
  if (!trace.isRecording) return measured;
  const writer = trace.contentChars > 0 ? captureStream(measured, trace, source) : measured;
  const scan = new ResponseScan();
  return {
    ...writer,
    push: (chunk) => {
      if (scan.push(chunk)) trace.set(scan.facts());
      return writer.push(chunk);
    },
  };
}

function measuredWriter(writer: ResponseWriter, trace: AttemptTrace): ResponseWriter {
  return {
    ...writer,
    push: (chunk) => {
      trace.chunkArrived();
      return writer.push(chunk);
    },
  };
}
