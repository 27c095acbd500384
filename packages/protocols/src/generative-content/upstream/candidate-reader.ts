import {
  type BlockHead,
  type ContentBlock,
  type FinishReason,
  GatewayError,
  type MediaBlock,
  type OpaqueToken,
  type StreamEvent,
} from '@sluice/canonical';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { vendorMessage } from '../../errors/vendor-message.ts';
import { isRecord } from '../../json/is-record.ts';
import { decodeMedia } from '../wire/decode-media.ts';
import { decodeFinish, failureOf } from '../wire/finish-reason.ts';
import { type JsonObject, asNonEmptyString } from '../../json/values.ts';

/**
 * Reads one candidate of a response, part by part. A text or thought continues the open block of its kind. A signature ends
 * its block, so that it returns to the same text; on an empty text without an open block it gets a block of its own. Calls
 * and media are never split.
 */
export class CandidateReader {
  readonly #choice: number;
  readonly #context: UpstreamResponseContext;
  #open: { type: 'text' | 'reasoning'; text: string } | undefined;
  #hasCalls = false;
  #reason: string | undefined;
  #message: string | undefined;

  constructor(choice: number, context: UpstreamResponseContext) {
    this.#choice = choice;
    this.#context = context;
  }

  /** Appends the events of a part to `out`. */
  readPart(part: JsonObject, out: StreamEvent[]): void {
    const { text, functionCall } = part;
    if (typeof text === 'string') return this.#readText(text, part, out);
    this.close(out);
    // Images from thinking are not part of the response.
    if (part['thought'] === true) return;
    if (isRecord(functionCall)) this.#readCall(functionCall, part, out);
    else this.#readData(part, out);
  }

  /** Records the finish reason; the last one counts. */
  finish(reason: string, message: string | undefined): void {
    this.#reason = reason;
    this.#message = message;
  }

  /** Ends the open block, if any. */
  close(out: StreamEvent[], signature?: string): void {
    if (!this.#open) return;
    const { type, text } = this.#open;
    this.#open = undefined;
    const opaqueToken = this.#tokenOf(signature);
    const block: ContentBlock =
      type === 'text'
        ? { type, text, opaqueToken }
        : { type, text: text === '' ? [] : [text], isSummary: true, opaqueToken };
    out.push({ type: 'block-end', choice: this.#choice, block });
  }

  /** @returns undefined without a finish reason, an error message if the model failed */
  ending(): { finish: FinishReason; detail?: string } | { failure: string } | undefined {
    if (this.#reason === undefined) return undefined;
    const failure = failureOf(this.#reason);
    if (failure !== undefined) return { failure: `${failure} Retry the request.` };
    const detail = this.#message === undefined ? undefined : vendorMessage(this.#message);
    return { finish: decodeFinish(this.#reason, this.#hasCalls), detail };
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

/** @throws GatewayError `provider_error`, because no client can fix invalid data */
function responseMedia(part: JsonObject): MediaBlock | undefined {
  try {
    return decodeMedia(part, 'candidates');
  } catch (error) {
    throw invalidResponse('its media cannot be decoded', error);
  }
}

function invalidResponse(problem: string, cause?: unknown): GatewayError {
  return new GatewayError('provider_error', `The upstream returned an invalid response: ${problem}.`, { cause });
}
