import type { ContentBlock, MediaBlock, OpaqueToken, ToolCallBlock } from '@sluice/canonical';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { argumentsObject, functionArguments } from '../../text/tool-arguments.ts';
import { clientToolName } from '../../text/tool-names.ts';
import { isRecord } from '../../json/is-record.ts';
import { packReasoning } from './reasoning-token.ts';
import type { JsonObject } from '../../json/values.ts';

/** Writes the parts of one candidate, in order. */
export interface ResponseParts {
  /** A text delta; no part for an empty one. */
  text(text: string): JsonObject[];
  /** A thought delta; no part when the client did not request thoughts. */
  thought(text: string): JsonObject[];
  /** Ends a streamed text: its signature, if it has one. */
  signedText(opaqueToken: OpaqueToken | undefined): JsonObject[];
  /** Ends a streamed thought. A hidden one leaves its signature to the next part. */
  signedThought(block: ContentBlock): JsonObject[];
  block(block: ContentBlock): JsonObject[];
  /** Writes the signature that no part has taken yet. */
  end(): JsonObject[];
}

/**
 * Creates a writer of parts. Clients return `thoughtSignature` with its part; it also holds other vendors' tokens.
 * Thoughts
 * are shown on request only: the signature of a hidden one goes onto the next part without one.
 */
export function createResponseParts({ request, tokenCodec }: ResponseContext): ResponseParts {
  const visible = request.reasoning?.visible;
  const showsThoughts = visible === 'summary' || visible === 'full';
  let carried: string | undefined;

  function takeCarried(): JsonObject {
    const value = carried;
    carried = undefined;
    return value === undefined ? {} : { thoughtSignature: value };
  }

  function end(): JsonObject[] {
    return carried === undefined ? [] : [{ text: '', ...takeCarried() }];
  }

  /** A part with its own signature or the pending one. If there are both, the pending one gets a part of its own. */
  function signed(part: JsonObject, opaqueToken: OpaqueToken | undefined): JsonObject[] {
    if (!opaqueToken) return [{ ...part, ...takeCarried() }];
    return [...end(), { ...part, thoughtSignature: tokenCodec.wrap(opaqueToken) }];
  }

  function text(chunk: string): JsonObject[] {
    return chunk === '' ? [] : [{ text: chunk, ...takeCarried() }];
  }

  function thought(chunk: string): JsonObject[] {
    return showsThoughts && chunk !== '' ? [{ text: chunk, thought: true }] : [];
  }

  function signedThought(given: ContentBlock): JsonObject[] {
    const opaqueToken = given.type === 'reasoning' ? packReasoning(given, !showsThoughts) : undefined;
    if (!opaqueToken) return [];
    const thoughtSignature = tokenCodec.wrap(opaqueToken);
    if (showsThoughts) return [{ text: '', thought: true, thoughtSignature }];
    const before = end();
    carried = thoughtSignature;
    return before;
  }

  function call(given: ToolCallBlock): JsonObject {
    const { name } = clientToolName(request.tools, given.name);
    return { functionCall: { id: given.callId, name, args: argumentsObject(functionArguments(given)) } };
  }

  function block(given: ContentBlock): JsonObject[] {
    switch (given.type) {
      case 'text':
        return given.text === '' && !given.opaqueToken ? [] : signed({ text: given.text }, given.opaqueToken);
      case 'refusal':
        return text(given.text);
      case 'reasoning':
        return joinThought(thought(given.text.join('\n\n')), signedThought(given));
      case 'media':
        return signed(mediaPart(given), given.opaqueToken);
      case 'tool-call':
        return signed(call(given), given.opaqueToken);
      case 'foreign':
        return given.protocol === 'generative-content' && isRecord(given.raw) ? [given.raw] : [];
      case 'tool-result':
        return [];
    }
  }

  return {
    text,
    thought,
    signedText: (opaqueToken) => (opaqueToken ? signed({ text: '' }, opaqueToken) : []),
    signedThought,
    block,
    end,
  };
}

/** A complete thought holds its signature itself. */
function joinThought([words]: JsonObject[], closing: JsonObject[]): JsonObject[] {
  const [last] = closing;
  if (!words) return closing;
  return last?.['thought'] === true ? [{ ...last, ...words }] : [words, ...closing];
}

function mediaPart({ source }: MediaBlock): JsonObject {
  switch (source.from) {
    case 'base64':
      return { inlineData: { mimeType: source.mediaType, data: source.data } };
    case 'text':
      return { inlineData: { mimeType: 'text/plain', data: Buffer.from(source.text).toString('base64') } };
    case 'file':
    case 'url': {
      const fileUri = source.from === 'url' ? source.url : source.id;
      return { fileData: { ...(source.mediaType !== undefined && { mimeType: source.mediaType }), fileUri } };
    }
  }
}
