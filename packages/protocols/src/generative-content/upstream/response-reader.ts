import { GatewayError, type StreamEvent, type Usage } from '@sluice/canonical';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { vendorMessage } from '../../errors/vendor-message.ts';
import { isRecord } from '../../json/is-record.ts';
import { CandidateReader } from './candidate-reader.ts';
import { decodeError } from './decode-error.ts';
import { decodeUsage } from '../wire/usage.ts';
import { amount } from '../../json/amount.ts';
import { type JsonObject, asNonEmptyString } from '../../json/values.ts';
import { records } from '../wire/proto-json.ts';

export interface ResponseReader {
  read(response: JsonObject): StreamEvent[];
  /** @param isComplete whether the response is not streamed, so that it is complete without a finish reason */
  end(isComplete: boolean): StreamEvent[];
}

const TRUNCATED = 'The upstream ended the stream before the response was complete.';

/**
 * Reads a complete response, or a stream of them with a part of the content each. It reports the finish at the end only:
 * the vendor sends `STOP` with a call, after it, or with every chunk, and updates the usage until the last. A blocked
 * prompt has no candidates and becomes one empty choice.
 */
export function createResponseReader(context: UpstreamResponseContext): ResponseReader {
  const candidates = new Map<number, CandidateReader>();
  let hasStarted = false;
  let isDone = false;
  let usage: Usage | undefined;
  let blockReason: string | undefined;

  function candidateOf(index: number): CandidateReader {
    const known = candidates.get(index) ?? new CandidateReader(index, context);
    candidates.set(index, known);
    return known;
  }

  function fail(error: GatewayError): StreamEvent[] {
    isDone = true;
    return [{ type: 'error', error }];
  }

  function start(response: JsonObject, out: StreamEvent[]): void {
    hasStarted = true;
    const id = asNonEmptyString(response['responseId']) ?? context.newId('resp_');
    const model = asNonEmptyString(response['modelVersion']) ?? context.target.model;
    out.push({ type: 'start', id, model, usage });
  }

  function readCandidate(candidate: JsonObject, position: number, out: StreamEvent[]): void {
    const reader = candidateOf(amount(candidate['index']) ?? position);
    const { content } = candidate;
    if (isRecord(content)) for (const part of records(content['parts'])) reader.readPart(part, out);
    const reason = asNonEmptyString(candidate['finishReason']);
    if (reason !== undefined && reason !== 'FINISH_REASON_UNSPECIFIED') {
      reader.finish(reason, asNonEmptyString(candidate['finishMessage']));
    }
  }

  function finish(isComplete: boolean): StreamEvent[] {
    const out: StreamEvent[] = [];
    for (const reader of candidates.values()) reader.close(out);
    for (const [choice, reader] of candidates) {
      const ending = reader.ending() ?? (isComplete ? { finish: 'other' as const } : undefined);
      if (!ending) return [...out, ...fail(brokenResponse(TRUNCATED))];
      if ('failure' in ending) return [...out, ...fail(brokenResponse(ending.failure))];
      out.push({ type: 'finish', choice, ...ending });
    }
    if (candidates.size === 0) {
      if (blockReason === undefined) return fail(brokenResponse(TRUNCATED));
      const detail = vendorMessage(`The prompt was blocked: ${blockReason}.`);
      out.push({ type: 'finish', choice: 0, finish: 'content_filter', detail });
    }
    if (usage) out.push({ type: 'usage', usage });
    out.push({ type: 'end' });
    isDone = true;
    return out;
  }

  return {
    read(response) {
      if (isDone) return [];
      if (isRecord(response['error'])) {
        return fail(decodeError({ status: amount(response['error']['code']) ?? 500, headers: {}, body: response }));
      }
      const out: StreamEvent[] = [];
      usage = decodeUsage(response['usageMetadata'], usage);
      if (!hasStarted) start(response, out);
      const { promptFeedback } = response;
      if (isRecord(promptFeedback)) blockReason = asNonEmptyString(promptFeedback['blockReason']) ?? blockReason;
      for (const [position, candidate] of records(response['candidates']).entries()) {
        readCandidate(candidate, position, out);
      }
      return out;
    },
    end: (isComplete) => (isDone ? [] : finish(isComplete)),
  };
}

function brokenResponse(message: string): GatewayError {
  return new GatewayError('provider_error', message, { retryable: true });
}
