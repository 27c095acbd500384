import type { ContentBlock, MediaBlock, OpaqueToken, ToolCallBlock } from '@sluice/canonical';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { argumentsObject, functionArguments } from '../../text/tool-arguments.ts';
import { clientToolName } from '../../text/tool-names.ts';
import { isRecord } from '../../json/is-record.ts';
import { packReasoning } from './reasoning-token.ts';
import type { Wire } from '../wire/wire-values.ts';

/** Writes the parts of one candidate, in their order. */
export interface ResponseParts {
  /** A piece of text; nothing for no text. */
  text(text: string): Wire[];
  /** A piece of a thought; nothing when the client did not ask to see them. */
  thought(text: string): Wire[];
  /** What ends a text whose pieces are written: its signature, where it has one. */
  signedText(seal: OpaqueToken | undefined): Wire[];
  /** What ends a thought whose pieces are written. A hidden one leaves its seal to the next part. */
  signedThought(block: ContentBlock): Wire[];
  /** A whole block. */
  block(block: ContentBlock): Wire[];
  /** What is left when all is written. */
  end(): Wire[];
}

/**
 * Makes a writer of parts. Clients of this protocol carry `thoughtSignature` back with its part; what another vendor sealed
 * travels in it too. Thoughts are shown on demand alone: the seal of a hidden one goes onto the next part that has none.
 */
export function createResponseParts({ request, tokenCodec }: ResponseContext): ResponseParts {
  const visible = request.reasoning?.visible;
  const showsThoughts = visible === 'summary' || visible === 'full';
  let carried: string | undefined;

  function takeCarried(): Wire {
    const value = carried;
    carried = undefined;
    return value === undefined ? {} : { thoughtSignature: value };
  }

  function end(): Wire[] {
    return carried === undefined ? [] : [{ text: '', ...takeCarried() }];
  }

  /** A part with its own signature, or the one that is carried; a second one needs a part of its own. */
  function signed(part: Wire, seal: OpaqueToken | undefined): Wire[] {
    if (!seal) return [{ ...part, ...takeCarried() }];
    return [...end(), { ...part, thoughtSignature: tokenCodec.wrap(seal) }];
  }

  function text(chunk: string): Wire[] {
    return chunk === '' ? [] : [{ text: chunk, ...takeCarried() }];
  }

  function thought(chunk: string): Wire[] {
    return showsThoughts && chunk !== '' ? [{ text: chunk, thought: true }] : [];
  }

  function signedThought(given: ContentBlock): Wire[] {
    const seal = given.type === 'reasoning' ? packReasoning(given, !showsThoughts) : undefined;
    if (!seal) return [];
    const thoughtSignature = tokenCodec.wrap(seal);
    if (showsThoughts) return [{ text: '', thought: true, thoughtSignature }];
    const before = end();
    carried = thoughtSignature;
    return before;
  }

  function call(given: ToolCallBlock): Wire {
    const { name } = clientToolName(request.tools, given.name);
    return { functionCall: { id: given.callId, name, args: argumentsObject(functionArguments(given)) } };
  }

  function block(given: ContentBlock): Wire[] {
    switch (given.type) {
      case 'text':
        return given.text === '' && !given.seal ? [] : signed({ text: given.text }, given.seal);
      case 'refusal':
        return text(given.text);
      case 'reasoning':
        return joinThought(thought(given.text.join('\n\n')), signedThought(given));
      case 'media':
        return signed(mediaPart(given), given.seal);
      case 'tool-call':
        return signed(call(given), given.seal);
      case 'foreign':
        return given.protocol === 'generative-content' && isRecord(given.raw) ? [given.raw] : [];
      case 'tool-result':
        return [];
    }
  }

  return {
    text,
    thought,
    signedText: (seal) => (seal ? signed({ text: '' }, seal) : []),
    signedThought,
    block,
    end,
  };
}

/** A whole thought has its signature on itself. */
function joinThought([words]: Wire[], closing: Wire[]): Wire[] {
  const [last] = closing;
  if (!words) return closing;
  return last?.['thought'] === true ? [{ ...last, ...words }] : [words, ...closing];
}

function mediaPart({ source }: MediaBlock): Wire {
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
