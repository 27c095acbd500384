import { withoutBlanks } from '../forms/form-fields.ts';
import type { DecodedListing } from '../contracts/media-protocol.ts';
import { expandBrackets } from '../forms/expand-brackets.ts';
import { isRecord } from '../json/is-record.ts';
import { parseInput } from '../json/parse-input.ts';
import { FollowVideoSchema, ListVideosSchema, RemixVideoSchema, RevisionSchema } from './schema.ts';

/** @throws GatewayError `invalid_request` */
export function decodeRemix(fields: unknown): { prompt: string; callbackUrl?: string } {
  const { prompt, callback_url: callbackUrl } = parseInput(RemixVideoSchema, withoutBlanks(fields));
  return { prompt, ...(callbackUrl !== undefined && { callbackUrl }) };
}

/** @throws GatewayError `invalid_request` */
export function decodeListing(query: unknown): DecodedListing {
  const fields = expandBrackets(Object.entries(isRecord(query) ? query : {}));
  const { after, status, user, labels, ...page } = parseInput(ListVideosSchema, fields);
  return {
    ...page,
    ...(after !== undefined && { after }),
    ...(status !== undefined && { status }),
    ...(user !== undefined && { user }),
    ...(labels && { labels }),
  };
}

/**
 * The header takes precedence over the query, because a reconnecting client sends both and repeats the first request's
 * query. An invalid header is ignored, because browsers send it automatically and an error would end their stream
 * permanently.
 * @throws GatewayError `invalid_request` for an invalid query
 */
export function decodeFollowing(query: unknown, lastEventId: string | undefined): number {
  const { after = 0 } = parseInput(FollowVideoSchema, query);
  return RevisionSchema.safeParse(lastEventId).data ?? after;
}
