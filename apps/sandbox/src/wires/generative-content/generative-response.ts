import type { Completion, Finish } from '../../text/completion.ts';
import { callArguments } from '../../text/call-arguments.ts';
import type { SecretStore } from '../../text/secret-store.ts';
import { countTokens, chunksOf } from '../../text/word-tokens.ts';
import { THOUGHT } from '../google-style/check-contents.ts';

const FINISH: Record<Finish, string> = {
  stop: 'STOP',
  stop_sequence: 'STOP',
  length: 'MAX_TOKENS',
  // The protocol has no finish reason for tool calls.
  tool_calls: 'STOP',
  refusal: 'SAFETY',
  filter: 'SAFETY',
};

export interface GenerativeHead {
  id: string;
  model: string;
  candidates: number;
  includeThoughts: boolean;
  secretStore: SecretStore;
  /** Creates ids for tool calls. Undefined for older models, which return no such ids. */
  newCallId: (() => string) | undefined;
}

interface Part {
  text?: string;
  thought?: true;
  thoughtSignature?: string;
  functionCall?: object;
}

/** The first call has the signature. If there are no calls, the last text chunk has it. */
function chunksOfResponse(response: Completion, head: GenerativeHead): Part[] {
  const { model, includeThoughts, secretStore, newCallId } = head;
  const { reasoning, calls } = response;
  const thoughts = includeThoughts && !response.redacted ? chunksOf(reasoning ?? '') : [];
  const texts = response.finish === 'refusal' ? [] : chunksOf(response.text);
  const parts: Part[] = [
    ...texts.map((text) => ({ text })),
    ...calls.map((call) => {
      const id = newCallId?.();
      return { functionCall: { id, name: call.name, args: callArguments(call) } };
    }),
  ];
  const signed = calls.length > 0 ? parts[texts.length] : parts.at(-1);
  // The newest models sign calls even without reasoning.
  const signs = reasoning !== undefined || (calls.length > 0 && newCallId !== undefined);
  if (signs && signed !== undefined) {
    const text = reasoning ?? calls.map(({ name }) => name).join(' ');
    signed.thoughtSignature = secretStore.encrypt(`${THOUGHT}${model}`, text);
  }
  return [...thoughts.map((text): Part => ({ text, thought: true })), ...parts];
}

function joined(chunks: readonly Part[]): Part[] {
  const parts: Part[] = [];
  for (const chunk of chunks) {
    const last = parts.at(-1);
    const same = last?.text !== undefined && chunk.text !== undefined && last.thought === chunk.thought;
    if (same) parts[parts.length - 1] = { ...last, ...chunk, text: `${last.text}${chunk.text}` };
    else parts.push(chunk);
  }
  return parts;
}

/** @param sent number of tokens already sent, if the stream is not complete. */
function usageOf({ tokens, text }: Completion, candidates: number, sent?: number) {
  const textTokens = (tokens.output - tokens.reasoning) * candidates;
  const shown = Math.min(textTokens, sent ?? textTokens);
  const thoughts = tokens.reasoning * candidates;
  return {
    promptTokenCount: tokens.input,
    ...(tokens.cached > 0 && { cachedContentTokenCount: tokens.cached }),
    ...((text !== '' || shown > 0) && { candidatesTokenCount: shown }),
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
    totalTokenCount: tokens.input + shown + thoughts,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: tokens.input }],
  };
}

function tail({ id, model }: GenerativeHead, usageMetadata: object) {
  return { usageMetadata, modelVersion: model, responseId: id };
}

function blocked(response: Completion, head: GenerativeHead) {
  return { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, ...tail(head, usageOf(response, 0)) };
}

function candidate(index: number, parts: readonly Part[], finish?: Finish) {
  const safetyRatings = [{ category: 'HARM_CATEGORY_DANGEROUS_CONTENT', probability: 'HIGH', blocked: true }];
  return {
    // A blocked candidate has no content.
    ...((parts.length > 0 || finish !== 'refusal') && {
      content: { ...(parts.length > 0 && { parts }), role: 'model' },
    }),
    ...(finish !== undefined && { finishReason: FINISH[finish] }),
    index,
    ...(finish === 'refusal' && { safetyRatings }),
  };
}

export function completeResponse(response: Completion, head: GenerativeHead): object {
  if (response.finish === 'filter') return blocked(response, head);
  const candidates = Array.from({ length: head.candidates }, (_, index) =>
    candidate(index, joined(chunksOfResponse(response, head)), response.finish),
  );
  return { candidates, ...tail(head, usageOf(response, head.candidates)) };
}

/** Yields one part per response. The last response has the finish reason; after calls, its text is empty. */
export function* partialResponses(response: Completion, head: GenerativeHead): Generator<object> {
  if (response.finish === 'filter') {
    yield blocked(response, head);
    return;
  }
  for (let index = 0; index < head.candidates; index += 1) {
    const chunks = chunksOfResponse(response, head);
    if (response.calls.length > 0) chunks.push({ text: '' });
    let sent = 0;
    for (const [at, chunk] of chunks.entries()) {
      const last = at === chunks.length - 1;
      if (chunk.thought !== true) sent += countTokens(chunk.text ?? '');
      const final = last && index === head.candidates - 1;
      const usage = usageOf(response, head.candidates, final ? undefined : sent);
      yield { candidates: [candidate(index, [chunk], last ? response.finish : undefined)], ...tail(head, usage) };
    }
    if (chunks.length > 0) continue;
    yield { candidates: [candidate(index, [], response.finish)], ...tail(head, usageOf(response, head.candidates)) };
  }
}
