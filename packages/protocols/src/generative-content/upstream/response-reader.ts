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

/** Reads a complete response or a stream of them, each with a part of the content. */
export interface ResponseReader {
  read(response: JsonObject): StreamEvent[];
  /** @param isComplete whether the response is not streamed, so that it is complete without a finish reason */
  end(isComplete: boolean): StreamEvent[];
}

/**
 * Creates a reader. It reports the finish at the end only: the vendor sends `STOP` with a call, after it, or with every
 * chunk, and updates the usage until the last. A blocked prompt has no candidates and becomes one empty choice.
 */
export function createResponseReader(context: UpstreamResponseContext): ResponseReader {
  const candidates = new Map<number, CandidateReader>();
  let hasStarted = false;
  let isOver = false;
  let usage: Usage | undefined;
  let blocked: string | undefined;

  function candidateOf(index: number): CandidateReader {
    const known = candidates.get(index);
    if (known) return known;
    const made = new CandidateReader(index, context);
    candidates.set(index, made);
    return made;
  }

  function fail(error: GatewayError): StreamEvent[] {
    isOver = true;
    return [{ type: 'error', error }];
  }

  function start(response: JsonObject, out: StreamEvent[]): void {
    hasStarted = true;
    const id = asNonEmptyString(response['responseId']) ?? context.newId('resp_');
    const model = asNonEmptyString(response['modelVersion']) ?? context.target.model;
    out.push({ type: 'start', id, model, ...(usage && { usage }) });
  }

  function readCandidate(candidate: JsonObject, place: number, out: StreamEvent[]): void {
    const reader = candidateOf(amount(candidate['index']) ?? place);
    const { content } = candidate;
    if (isRecord(content)) for (const part of records(content['parts'])) reader.readPart(part, out);
    const reason = asNonEmptyString(candidate['finishReason']);
    if (reason !== undefined && reason !== 'FINISH_REASON_UNSPECIFIED') {
      reader.finish(reason, asNonEmptyString(candidate['finishMessage']));
    }
  }

  function ended(isComplete: boolean): StreamEvent[] {
    const out: StreamEvent[] = [];
    for (const reader of candidates.values()) reader.close(out);
    for (const [choice, reader] of candidates) {
      const ending = reader.ending() ?? (isComplete ? { finish: 'other' as const } : undefined);
      if (ending === 'spoiled') return [...out, ...fail(spoiled())];
      if (!ending) return [...out, ...fail(brokenOff())];
      out.push({ type: 'finish', choice, ...ending });
    }
    if (candidates.size === 0) {
      if (blocked === undefined) return fail(brokenOff());
      const detail = vendorMessage(`The prompt was blocked: ${blocked}.`);
      out.push({ type: 'finish', choice: 0, finish: 'content_filter', detail });
    }
    if (usage) out.push({ type: 'usage', usage });
    out.push({ type: 'end' });
    isOver = true;
    return out;
  }

  return {
    read(response) {
      if (isOver) return [];
      if (isRecord(response['error'])) {
        return fail(decodeError({ status: amount(response['error']['code']) ?? 500, headers: {}, body: response }));
      }
      const out: StreamEvent[] = [];
      usage = decodeUsage(response['usageMetadata'], usage);
      if (!hasStarted) start(response, out);
      const { promptFeedback } = response;
      if (isRecord(promptFeedback)) blocked = asNonEmptyString(promptFeedback['blockReason']) ?? blocked;
      for (const [place, candidate] of records(response['candidates']).entries()) readCandidate(candidate, place, out);
      return out;
    },
    end: (isComplete) => (isOver ? [] : ended(isComplete)),
  };
}

function brokenOff(): GatewayError {
  return new GatewayError('provider_error', 'The upstream ended the stream before the response was complete.', {
    retryable: true,
  });
}

function spoiled(): GatewayError {
  return new GatewayError('provider_error', 'The model wrote an invalid tool call. Retry the request.', {
    retryable: true,
  });
}
