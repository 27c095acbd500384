import type { Choice, Generation, Usage } from '@sluice/canonical';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { createPartWriter } from './encode-parts.ts';
import { GroundingWriter } from './grounding-writer.ts';
import { encodeFinish } from '../wire/finish-reason.ts';
import { encodeServiceTier } from '../wire/service-tier.ts';
import { encodeUsage } from '../wire/usage.ts';
import type { JsonObject } from '../../json/values.ts';

export function encodeResponse({ id, choices, usage, serviceTier }: Generation, context: ResponseContext): JsonObject {
  return {
    candidates: choices.map((choice, index) => encodeCandidate(choice, index, context)),
    usageMetadata: encodeMetadata(usage, serviceTier),
    modelVersion: context.request.model,
    responseId: context.responseId ?? (id === '' ? context.newId('resp_') : id),
  };
}

/** The tier is part of the usage. */
export function encodeMetadata(usage: Usage | undefined, serviceTier: string | undefined): JsonObject | undefined {
  if (!usage && serviceTier === undefined) return undefined;
  return { ...(usage && encodeUsage(usage)), serviceTier: encodeServiceTier(serviceTier) };
}

function encodeCandidate(
  { content, finish, stopSequence, detail }: Choice,
  index: number,
  context: ResponseContext,
): JsonObject {
  if (stopSequence !== undefined) context.lost?.('stop sequence');
  const grounding = new GroundingWriter(context);
  for (const block of content) if (block.type === 'text') grounding.add(block);
  const writer = createPartWriter(context);
  const parts = [...content.flatMap((block) => writer.block(block)), ...writer.end()];
  return {
    // SDKs discard a turn whose content has no parts.
    content: { role: 'model', parts: parts.length > 0 ? parts : [{ text: '' }] },
    finishReason: encodeFinish(finish),
    finishMessage: detail,
    groundingMetadata: grounding.metadata(),
    index,
  };
}
