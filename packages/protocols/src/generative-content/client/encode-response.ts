import type { Choice, Generation } from '@sluice/canonical';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { createPartWriter } from './encode-parts.ts';
import { encodeFinish } from '../wire/finish-reason.ts';
import { encodeUsage } from '../wire/usage.ts';
import type { JsonObject } from '../../json/values.ts';

export function encodeResponse({ id, choices, usage }: Generation, context: ResponseContext): JsonObject {
  return {
    candidates: choices.map((choice, index) => encodeCandidate(choice, index, context)),
    usageMetadata: usage && encodeUsage(usage),
    modelVersion: context.request.model,
    responseId: context.responseId ?? (id === '' ? context.newId('resp_') : id),
  };
}

function encodeCandidate({ content, finish, detail }: Choice, index: number, context: ResponseContext): JsonObject {
  const writer = createPartWriter(context);
  const parts = [...content.flatMap((block) => writer.block(block)), ...writer.end()];
  return {
    // SDKs discard a turn whose content has no part.
    content: { role: 'model', parts: parts.length > 0 ? parts : [{ text: '' }] },
    finishReason: encodeFinish(finish),
    finishMessage: detail,
    index,
  };
}
