import type { Loss, StreamEvent } from '@sluice/canonical';
import { createSseParser } from '../stream/sse.ts';
import { type CollectedPart, createCollector } from '../text/collect-generation.ts';
import type {
  ResponseContext,
  TextProtocol,
  UpstreamProtocol,
  UpstreamResponseContext,
} from '../contracts/text-protocol.ts';
import type { ResponseProgress, ResponseWriter } from './response-writer.ts';
import { frameTooLong, MAX_FRAME_BYTES } from './frame-cutter.ts';
import { createToolRestorer } from './restore-tools.ts';

export interface TranslateStreamOptions {
  client: TextProtocol;
  upstream: UpstreamProtocol;
  response: ResponseContext;
  source: UpstreamResponseContext;
  collects: CollectedPart | undefined;
  /** Grows while the response is translated. */
  losses: readonly Loss[];
}

export function translateStream({
  client,
  upstream,
  response,
  source,
  collects,
  losses,
}: TranslateStreamOptions): ResponseWriter {
  const progress: ResponseProgress = { isFinished: false, losses };
  const parser = createSseParser();
  const decoder = upstream.decodeStream(source);
  const encoder = client.encodeStream(response);
  const restore = createToolRestorer(response.request.tools);
  const collector = collects && createCollector(collects);

  function write(events: readonly StreamEvent[]): string {
    let out = '';
    for (const event of events) {
      if (progress.failed) break;
      for (const one of restore?.(event) ?? [event]) {
        record(one, progress);
        collector?.add(one);
        // The caller reports errors, because it knows whether a fallback remains.
        if (one.type !== 'error') out += encoder.push(one);
      }
    }
    return out;
  }

  function writeFrames(frames: ReturnType<typeof parser.push>): string {
    let out = '';
    for (const frame of frames) out += write(decoder.push(frame));
    return out;
  }

  return {
    encoding: 'utf8',
    progress,
    push: (chunk) => {
      const out = writeFrames(parser.push(chunk));
      if (parser.pendingLength() > MAX_FRAME_BYTES) {
        progress.failed = frameTooLong();
      }
      return out;
    },
    end: () => writeFrames(parser.end()) + write(decoder.end()),
    fail: (error) => encoder.fail(error),
    keepAlive: () => encoder.keepAlive(),
    generation: collector && (() => collector.generation()),
  };
}

function record(event: StreamEvent, progress: ResponseProgress): void {
  if (event.type === 'error') progress.failed = event.error;
  else if (event.type === 'usage') progress.usage = event.usage;
  else if (event.type === 'end') progress.isFinished = progress.isEnded = true;
  else if (event.type === 'start') progress.responseId = event.id;
}
