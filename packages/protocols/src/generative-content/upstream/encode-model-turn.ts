import type {
  ContentBlock,
  LossReport,
  ReasoningBlock,
  OpaqueToken,
  TextTarget,
  ToolCallBlock,
} from '@sluice/canonical';
import { reportCitations } from '../../losses/report-citations.ts';
import { safeCallId } from '../../text/call-id.ts';
import { canReadToken } from '../../text/token-codec.ts';
import { argumentsObject, functionArguments } from '../../text/tool-arguments.ts';
import { isRecord } from '../../json/is-record.ts';
import { encodeMedia } from './encode-media.ts';
import { geminiVersion } from './gemini-version.ts';
import { SKIP_SIGNATURE } from '../../text/skip-signature.ts';
import type { JsonObject } from '../../json/values.ts';

/** From this generation on, Gemini rejects calls without a signature. */
const MIN_SIGNED_VERSION = 3;

/**
 * Attaches each thought signature to its original part. The signature of an empty reasoning block belongs to the next
 * part, or to an empty text at the end. If a turn's first call has no signature, Gemini 3 receives the value that skips
 * validation. Later calls need no signature, as in the vendor's own responses.
 */
export function encodeModelTurn(blocks: readonly ContentBlock[], target: TextTarget, report: LossReport): JsonObject[] {
  const parts: JsonObject[] = [];
  let pendingSignature: string | undefined;

  /** Attaches a pending signature to an empty text. */
  function flush(): void {
    if (pendingSignature !== undefined) parts.push({ text: '', thoughtSignature: pendingSignature });
    pendingSignature = undefined;
  }

  /** Writes a part with its own signature or the pending one. */
  function write(part: JsonObject, opaqueToken: OpaqueToken | undefined): void {
    const own = signatureOf(opaqueToken, target);
    if (opaqueToken && own === undefined) report({ field: 'reasoning', how: 'dropped' });
    if (own !== undefined) flush();
    const thoughtSignature = own ?? pendingSignature;
    pendingSignature = undefined;
    parts.push({ ...part, thoughtSignature });
  }

  for (const block of blocks) {
    switch (block.type) {
      case 'reasoning': {
        const value = signatureOf(block.opaqueToken, target);
        if (value === undefined) report({ field: 'reasoning', how: 'dropped' });
        else {
          flush();
          if (block.text.length === 0) pendingSignature = value;
          else parts.push(thought(block, value));
        }
        break;
      }
      case 'text':
        reportCitations(block, report);
        if (block.text !== '' || signatureOf(block.opaqueToken, target) !== undefined) {
          write({ text: block.text }, block.opaqueToken);
        }
        break;
      case 'refusal':
        if (block.text !== '') parts.push({ text: block.text });
        break;
      case 'media':
        write(encodeMedia(block, report), block.opaqueToken);
        break;
      case 'tool-call':
        write({ functionCall: encodeCall(block, target, report) }, block.opaqueToken);
        break;
      case 'foreign':
        if (block.protocol === 'generative-content' && isRecord(block.raw)) parts.push(block.raw);
        else report({ field: block.kind, how: 'dropped' });
        break;
      case 'tool-result':
        report({ field: 'tool_result', how: 'dropped' });
        break;
    }
  }
  flush();
  return withFirstCallSigned(parts, target);
}

function thought({ text }: ReasoningBlock, thoughtSignature: string): JsonObject {
  return { text: text.join('\n\n'), thought: true, thoughtSignature };
}

function encodeCall(call: ToolCallBlock, { quirks }: TextTarget, report: LossReport): JsonObject {
  return {
    id: quirks.call_ids === false ? undefined : safeCallId(call.callId),
    name: call.name,
    args: argumentsObject(functionArguments(call), report),
  };
}

/** The vendor rejects the entire request if this field is not base64. */
function signatureOf(opaqueToken: OpaqueToken | undefined, target: TextTarget): string | undefined {
  return canReadToken(opaqueToken, target) && /^[A-Za-z0-9+/_-]+={0,2}$/.test(opaqueToken.value)
    ? opaqueToken.value
    : undefined;
}

function withFirstCallSigned(parts: JsonObject[], { model }: TextTarget): JsonObject[] {
  const first = parts.findIndex((part) => part['functionCall'] !== undefined);
  const call = parts[first];
  if (!call || call['thoughtSignature'] !== undefined) return parts;
  if ((geminiVersion(model) ?? 0) < MIN_SIGNED_VERSION) return parts;
  return parts.with(first, { ...call, thoughtSignature: SKIP_SIGNATURE });
}
