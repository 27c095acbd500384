import {
  type BlockHead,
  type Citation,
  type ContentBlock,
  type FinishReason,
  GatewayError,
  type MediaBlock,
  type OpaqueToken,
  type StreamEvent,
  invalidResponseMessage,
} from '@sluice/canonical';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { vendorMessage } from '../../errors/vendor-message.ts';
import { isRecord } from '../../json/is-record.ts';
import { decodeGrounding, type GroundedCitation, locate } from './decode-grounding.ts';
import { JsonField } from '../../json/json-field.ts';
import { decodeMedia } from '../wire/decode-media.ts';
import { decodeFinish, failureOf } from '../wire/finish-reason.ts';
import { type JsonObject, asNonEmptyString } from '../../json/values.ts';

/**
 * Reads one candidate of a response, part by part. A text or thought continues an open block of the same kind. A
 * signature ends its block, so that it is later returned with the same text. A signature on an empty text becomes a
 * separate block if no block is open. Calls and media are never split.
 */
export class CandidateReader {
  readonly #choice: number;
  readonly #context: UpstreamResponseContext;
  #open: { type: 'text' | 'reasoning'; text: string } | undefined;
  #hasCalls = false;
  /** The text of all text blocks. */
  #text = '';
  /** The citations of text that has not ended. */
  #citations: GroundedCitation[] = [];
  /** The citations of ended text, as JSON. The vendor may repeat them. */
  readonly #taken = new Set<string>();
  #reason: string | undefined;
  #message: string | undefined;

  constructor(choice: number, context: UpstreamResponseContext) {
    this.#choice = choice;
    this.#context = context;
  }

  /** Appends a part's events to `out`. */
  readPart(part: JsonObject, out: StreamEvent[]): void {
    const { text, functionCall } = part;
    if (typeof text === 'string') return this.#readText(text, part, out);
    this.close(out);
    // Images that the model generated while thinking are not part of the response.
    if (part['thought'] === true) return;
    if (isRecord(functionCall)) this.#readCall(functionCall, part, out);
    else this.#readData(part, out);
  }

  /** Records the candidate's citations. The vendor sends them with the last text or after it. */
  ground(candidate: JsonObject): void {
    const citations = decodeGrounding(candidate);
    if (citations.length > 0) this.#citations = citations.filter((one) => !this.#taken.has(JSON.stringify(one)));
  }

  /** Reports citations that arrived after their text ended. */
  reportUncited(): void {
    for (const { field } of this.#citations) {
      this.#context.report?.({ field: `response.candidates[].${field}`, how: 'dropped' });
    }
  }

  /** Records the finish reason. The last recorded reason wins. */
  finish(reason: string, message: string | undefined): void {
    this.#reason = reason;
    this.#message = message;
  }

  /** Ends the open block, if there is one. */
  close(out: StreamEvent[], signature?: string): void {
    if (!this.#open) return;
    const { type, text } = this.#open;
    this.#open = undefined;
    const opaqueToken = this.#tokenOf(signature);
    const block: ContentBlock =
      type === 'text'
        ? { type, text, citations: this.#takeCitations(text), opaqueToken }
        : { type, text: text === '' ? [] : [text], isSummary: true, opaqueToken };
    out.push({ type: 'block-end', choice: this.#choice, block });
  }

  /** @returns an error message if the model failed, or undefined if there is no finish reason */
  ending(): { finish: FinishReason; detail?: string } | { failure: string } | undefined {
    if (this.#reason === undefined) return undefined;
    const failure = failureOf(this.#reason);
    if (failure !== undefined) return { failure: `${failure} Retry the request.` };
    const detail = this.#message === undefined ? undefined : vendorMessage(this.#message);
    return { finish: decodeFinish(this.#reason, this.#hasCalls), detail };
  }

  /** Takes the citations of the text block that ends, with ranges of the block's text. */
  #takeCitations(text: string): Citation[] | undefined {
    const offset = this.#text.length - text.length;
    const byteLength = Buffer.byteLength(this.#text);
    const isEnded = ({ segment }: GroundedCitation) => (segment?.start ?? 0) < byteLength;
    const taken = this.#citations.filter(isEnded);
    for (const one of taken) this.#taken.add(JSON.stringify(one));
    const citations = taken.map((one) => inBlock(locate(one, this.#text), offset));
    this.#citations = this.#citations.filter((citation) => !isEnded(citation));
    return citations.length > 0 ? citations : undefined;
  }

  #readText(text: string, part: JsonObject, out: StreamEvent[]): void {
    const signature = asNonEmptyString(part['thoughtSignature']);
    if (text === '' && signature === undefined) return;
    const type = part['thought'] === true ? 'reasoning' : 'text';
    if (this.#open?.type !== type) this.close(out);
    if (!this.#open) {
      this.#open = { type, text: '' };
      const head: BlockHead = type === 'text' ? { type } : { type, isSummary: true };
      out.push({ type: 'block-start', choice: this.#choice, head });
    }
    if (text !== '') {
      this.#open.text += text;
      if (type === 'text') this.#text += text;
      out.push({ type: 'delta', choice: this.#choice, text });
    }
    if (signature !== undefined) this.close(out, signature);
  }

  #readCall(call: JsonObject, part: JsonObject, out: StreamEvent[]): void {
    this.#hasCalls = true;
    const callId = asNonEmptyString(call['id']) ?? this.#context.newId('call_');
    const name = asNonEmptyString(call['name']);
    if (name === undefined) throw invalidResponse('a function call has no name');
    const args = JSON.stringify(call['args'] ?? {});
    const head = { type: 'tool-call', callId, name, kind: 'function' } as const;
    const block: ContentBlock = { ...head, arguments: args, opaqueToken: this.#tokenOf(part['thoughtSignature']) };
    const choice = this.#choice;
    out.push(
      { type: 'block-start', choice, head },
      { type: 'delta', choice, text: args },
      { type: 'block-end', choice, block },
    );
  }

  #readData(part: JsonObject, out: StreamEvent[]): void {
    const choice = this.#choice;
    const media = responseMedia(part);
    if (media) {
      const block = { ...media, opaqueToken: this.#tokenOf(part['thoughtSignature']) };
      out.push({ type: 'block-start', choice, head: { type: 'media' } }, { type: 'block-end', choice, block });
      return;
    }
    const kind = Object.keys(part).find((key) => key !== 'thought' && key !== 'thoughtSignature');
    if (kind === undefined) return;
    out.push(
      { type: 'block-start', choice, head: { type: 'foreign' } },
      { type: 'block-end', choice, block: { type: 'foreign', protocol: 'generative-content', kind, raw: part } },
    );
  }

  #tokenOf(signature: unknown): OpaqueToken | undefined {
    const value = asNonEmptyString(signature);
    const { protocol, account, model } = this.#context.target;
    return value === undefined ? undefined : { protocol, account, model, value };
  }
}

function inBlock(citation: Citation, offset: number): Citation {
  const { start, end } = citation;
  if (start === undefined || end === undefined || offset === 0) return citation;
  return { ...citation, start: Math.max(0, start - offset), end: Math.max(0, end - offset) };
}

/** @throws GatewayError `provider_error`, because the client cannot fix invalid data */
function responseMedia(part: JsonObject): MediaBlock | undefined {
  try {
    return decodeMedia(new JsonField(part, 'candidates'));
  } catch (error) {
    throw invalidResponse('its media cannot be decoded', error);
  }
}

function invalidResponse(problem: string, cause?: unknown): GatewayError {
  return new GatewayError('provider_error', invalidResponseMessage(problem), { cause });
}
