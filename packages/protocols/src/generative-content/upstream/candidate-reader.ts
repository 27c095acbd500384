import {
  type BlockHead,
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
import { decodeFinish, isSpoiled } from '../wire/finish-reason.ts';
import { filledText, type Wire } from '../wire/wire-values.ts';

/** Reads one candidate of an answer, part by part. */
export interface CandidateReader {
  /** @param out where the events go */
  readPart(part: Wire, out: StreamEvent[]): void;
  /** Notes why the candidate ended; the last word counts. */
  finish(reason: string, message: string | undefined): void;
  /** Ends the open block, where there is one. */
  close(out: StreamEvent[]): void;
  /** How it ended; undefined when nobody said so, `spoiled` when there is nothing to show for it. */
  ending(): { finish: FinishReason; detail?: string } | 'spoiled' | undefined;
}

/** A text or a thought that goes on as long as its parts follow each other. */
interface OpenBlock {
  type: 'text' | 'reasoning';
  text: string;
}

/**
 * Makes a reader. A part continues the block that is open when it is of the same kind. A signature ends the block that it
 * comes on, so that it lands on the same text again; on an empty text with no block open, it stands in a block of its own.
 * Calls and media come whole.
 */
export function createCandidateReader(choice: number, { target, newId }: UpstreamResponseContext): CandidateReader {
  let open: OpenBlock | undefined;
  let hasCalls = false;
  let hasContent = false;
  let reason: string | undefined;
  let message: string | undefined;

  const tokenOf = (value: string): OpaqueToken => ({
    protocol: target.protocol,
    account: target.account,
    model: target.model,
    value,
  });

  function close(out: StreamEvent[], signature?: string): void {
    if (!open) return;
    const { type, text } = open;
    open = undefined;
    const seal = signature === undefined ? {} : { seal: tokenOf(signature) };
    const block =
      type === 'text' ? { type, text, ...seal } : { type, text: text === '' ? [] : [text], isSummary: true, ...seal };
    out.push({ type: 'block-end', choice, block });
  }

  function readText(text: string, part: Wire, out: StreamEvent[]): void {
    const signature = filledText(part['thoughtSignature']);
    if (text === '' && signature === undefined) return;
    const type = part['thought'] === true ? 'reasoning' : 'text';
    if (open?.type !== type) close(out);
    if (!open) {
      open = { type, text: '' };
      const head: BlockHead = type === 'text' ? { type } : { type, isSummary: true };
      out.push({ type: 'block-start', choice, head });
    }
    if (text !== '') {
      hasContent = true;
      open.text += text;
      out.push({ type: 'delta', choice, text });
    }
    if (signature !== undefined) close(out, signature);
  }

  function readCall(call: Wire, part: Wire, out: StreamEvent[]): void {
    hasCalls = true;
    const signature = filledText(part['thoughtSignature']);
    const callId = filledText(call['id']) ?? newId('call_');
    const name = filledText(call['name']);
    if (name === undefined) throw new GatewayError('provider_error', 'The model called a function without a name.');
    const args = JSON.stringify(call['args'] ?? {});
    const head = { type: 'tool-call', callId, name, kind: 'function' } as const;
    const seal = signature === undefined ? {} : { seal: tokenOf(signature) };
    out.push(
      { type: 'block-start', choice, head },
      { type: 'delta', choice, text: args },
      { type: 'block-end', choice, block: { ...head, arguments: args, ...seal } },
    );
  }

  function readData(part: Wire, out: StreamEvent[]): void {
    const media = responseMedia(part);
    if (media) {
      const signature = filledText(part['thoughtSignature']);
      const block = signature === undefined ? media : { ...media, seal: tokenOf(signature) };
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

  return {
    readPart(part, out) {
      const { text, functionCall } = part;
      if (typeof text === 'string') return readText(text, part, out);
      close(out);
      // Pictures that the model drew while thinking are no answer.
      if (part['thought'] === true) return;
      hasContent = true;
      if (isRecord(functionCall)) readCall(functionCall, part, out);
      else readData(part, out);
    },
    finish(said, words) {
      reason = said;
      message = words;
    },
    close: (out) => close(out),
    ending() {
      if (reason === undefined) return undefined;
      if (isSpoiled(reason) && !hasContent) return 'spoiled';
      const finish = decodeFinish(reason, hasCalls);
      return { finish, ...(message !== undefined && { detail: vendorMessage(message) }) };
    },
  };
}

/** @throws GatewayError `provider_error`: what is broken here is no fault of the client */
function responseMedia(part: Wire): MediaBlock | undefined {
  try {
    return decodeMedia(part, 'candidates');
  } catch (error) {
    throw new GatewayError('provider_error', "The upstream's answer holds broken data.", { cause: error });
  }
}
