import { z } from 'zod';
import { explainMessagesIssue, invalidMessages } from '../messages/messages-error.ts';

/** The maximum number of requests (Anthropic's guide "Batch processing"). */
const MAX_REQUESTS = 100_000;

/** The parameters are checked when the request runs. */
export const BatchRequestSchema = z.strictObject({
  custom_id: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  params: z.record(z.string(), z.unknown()),
});

const CreateSchema = z.strictObject({ requests: z.array(BatchRequestSchema).min(1).max(MAX_REQUESTS) });

/** @throws WireError 400. */
export function readCreation(body: unknown) {
  const read = CreateSchema.safeParse(body ?? {});
  if (!read.success) throw explainMessagesIssue(read.error, body);
  const { requests } = read.data;
  const ids = new Set<string>();
  for (const [at, { custom_id: id }] of requests.entries()) {
    if (ids.has(id)) throw invalidMessages(`requests.${at}.custom_id: Duplicate custom_id "${id}"`);
    ids.add(id);
  }
  return requests;
}
