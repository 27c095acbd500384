import type { ContentBlock, OpaqueToken, ToolCallBlock } from '@sluice/canonical';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { argumentsObject, functionArguments } from '../../text/tool-arguments.ts';
import { clientToolName } from '../../text/tool-names.ts';
import { isRecord } from '../../json/is-record.ts';
import { packReasoning } from './reasoning-token.ts';
import { mediaPart } from '../wire/encode-media.ts';
import type { JsonObject } from '../../json/values.ts';

/** Writes the parts of one candidate, in order. */
export interface PartWriter {
  text(text: string): JsonObject[];
  /** Returns no part if the client did not request thoughts. */
  thought(text: string): JsonObject[];
  /** Ends a streamed text block. */
  signedText(opaqueToken: OpaqueToken | undefined): JsonObject[];
  /** Ends a streamed thought. If thoughts are hidden, the signature is attached to the next part. */
  signedThought(block: ContentBlock): JsonObject[];
  block(block: ContentBlock): JsonObject[];
  /** Writes a signature that is not attached to a part yet. */
  end(): JsonObject[];
}

/**
 * Clients return `thoughtSignature` with its part, so it also holds other vendors' tokens. Thoughts are sent only if
 * requested. A hidden thought's signature is attached to the next part that has no signature.
 */
export function createPartWriter({ request, tokenCodec, lost }: ResponseContext): PartWriter {
  const visible = request.reasoning?.visible;
  const showsThoughts = visible === 'summary' || visible === 'full';
  let pendingSignature: string | undefined;

  function takePending(): { thoughtSignature?: string } {
    const thoughtSignature = pendingSignature;
    pendingSignature = undefined;
    return { thoughtSignature };
  }

  function end(): JsonObject[] {
    return pendingSignature === undefined ? [] : [{ text: '', ...takePending() }];
  }

  /**
   * Attaches the part's own signature or the pending one. If both exist, the pending signature is sent in a separate
   * part.
   */
  function signed(part: JsonObject, opaqueToken: OpaqueToken | undefined): JsonObject[] {
    if (!opaqueToken) return [{ ...part, ...takePending() }];
    return [...end(), { ...part, thoughtSignature: tokenCodec.wrap(opaqueToken) }];
  }

  function text(chunk: string): JsonObject[] {
    return chunk === '' ? [] : [{ text: chunk, ...takePending() }];
  }

  function thought(chunk: string): JsonObject[] {
    return showsThoughts && chunk !== '' ? [{ text: chunk, thought: true }] : [];
  }

  function signedThought(block: ContentBlock): JsonObject[] {
    const opaqueToken = block.type === 'reasoning' ? packReasoning(block, !showsThoughts) : undefined;
    if (!opaqueToken) return [];
    const thoughtSignature = tokenCodec.wrap(opaqueToken);
    if (showsThoughts) return [{ text: '', thought: true, thoughtSignature }];
    const before = end();
    pendingSignature = thoughtSignature;
    return before;
  }

  function call(block: ToolCallBlock): JsonObject {
    const { name } = clientToolName(request.tools, block.name);
    return { functionCall: { id: block.callId, name, args: argumentsObject(functionArguments(block)) } };
  }

  function write(block: ContentBlock): JsonObject[] {
    switch (block.type) {
      case 'text':
        return block.text === '' && !block.opaqueToken ? [] : signed({ text: block.text }, block.opaqueToken);
      case 'refusal':
        return text(block.text);
      case 'reasoning':
        return joinThought(thought(block.text.join('\n\n')), signedThought(block));
      case 'media':
        if (block.transcript !== undefined) lost?.('audio transcript');
        return signed(mediaPart(block.source), block.opaqueToken);
      case 'tool-call':
        return signed(call(block), block.opaqueToken);
      case 'foreign':
        if (block.protocol === 'generative-content' && isRecord(block.raw)) return [block.raw];
        lost?.(block);
        return [];
      case 'tool-result':
        return [];
    }
  }

  return {
    text,
    thought,
    signedText: (opaqueToken) => (opaqueToken ? signed({ text: '' }, opaqueToken) : []),
    signedThought,
    block: write,
    end,
  };
}

/** Merges the signature into a complete thought. */
function joinThought([thought]: JsonObject[], closing: JsonObject[]): JsonObject[] {
  const [last] = closing;
  if (!thought) return closing;
  return last?.['thought'] === true ? [{ ...last, ...thought }] : [thought, ...closing];
}
