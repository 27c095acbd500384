import { GatewayError, type StreamEvent, type Usage, UPSTREAM_MESSAGES } from '@sluice/canonical';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { vendorMessage } from '../../errors/vendor-message.ts';
import { isRecord } from '../../json/is-record.ts';
import { CandidateReader } from './candidate-reader.ts';
import { decodeError } from './decode-error.ts';
import { reportResponse } from './report-unread.ts';
import { decodeServiceTier } from '../wire/service-tier.ts';
import { decodeUsage } from '../wire/usage.ts';
import { amount } from '../../json/amount.ts';
import { type JsonObject, asNonEmptyString } from '../../json/values.ts';
import { records } from '../wire/proto-json.ts';

export interface ResponseReader {
  read(response: JsonObject): StreamEvent[];
  /** @param isComplete whether the response is buffered, so that it needs no finish reason to be complete */
  end(isComplete: boolean): StreamEvent[];
}

/**
 * Reads a buffered response, or a stream in which each chunk is a response with a part of the content. Reports the
 * finish reason only at the end, because the vendor sends `STOP` with a call, after it, or with every chunk, and
 * updates the usage until the last chunk. A blocked prompt has no candidates and becomes one empty choice.
 */
export function createResponseReader(context: UpstreamResponseContext): ResponseReader {
  const candidates = new Map<number, CandidateReader>();
  let hasStarted = false;
  let isDone = false;
  let usage: Usage | undefined;
  let serviceTier: string | undefined;
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
    reader.ground(candidate);
    if (isRecord(content)) for (const part of records(content['parts'])) reader.readPart(part, out);
    const reason = asNonEmptyString(candidate['finishReason']);
    if (reason !== undefined && reason !== 'FINISH_REASON_UNSPECIFIED') {
      reader.finish(reason, asNonEmptyString(candidate['finishMessage']));
    }
  }

  function finish(isComplete: boolean): StreamEvent[] {
    const out: StreamEvent[] = [];
    for (const reader of candidates.values()) reader.close(out);
    for (const reader of candidates.values()) reader.reportUncited();
    if (serviceTier !== undefined) out.push({ type: 'service-tier', serviceTier });
    for (const [choice, reader] of candidates) {
      const ending = reader.ending() ?? (isComplete ? { finish: 'other' as const } : undefined);
      if (!ending) return [...out, ...fail(brokenResponse(UPSTREAM_MESSAGES.incomplete))];
      if ('failure' in ending) return [...out, ...fail(brokenResponse(ending.failure))];
      out.push({ type: 'finish', choice, ...ending });
    }
    if (candidates.size === 0) {
      if (blockReason === undefined) return fail(brokenResponse(UPSTREAM_MESSAGES.incomplete));
      const detail = vendorMessage(`The upstream's content policy blocked the request: ${blockReason}.`);
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
      reportResponse(response, context.report);
      usage = decodeUsage(response['usageMetadata'], usage);
      serviceTier = decodeServiceTier(response['usageMetadata']) ?? serviceTier;
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
