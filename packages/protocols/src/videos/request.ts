import { withoutBlanks } from '../forms/form-fields.ts';
import type { DecodedListing } from '../contracts/media-protocol.ts';
import { parseInput } from '../json/parse-input.ts';
import { FollowVideoSchema, ListVideosSchema, RemixVideoSchema, RevisionSchema } from './schema.ts';

/** @throws GatewayError `invalid_request` */
export function decodeRemix(fields: unknown): { prompt: string; callbackUrl?: string } {
  const { prompt, callback_url: callbackUrl } = parseInput(RemixVideoSchema, withoutBlanks(fields));
  return { prompt, ...(callbackUrl !== undefined && { callbackUrl }) };
}

/** @throws GatewayError `invalid_request` */
export function decodeListing(query: unknown): DecodedListing {
  const { after, limit, order } = parseInput(ListVideosSchema, query);
  return { limit, order, ...(after !== undefined && { after }) };
}

/**
 * The header wins: a client that reconnects sends both, and its query is from the first request. An invalid header is
 * ignored: browsers send it by themselves, and an error would end their stream for good.
 * @throws GatewayError `invalid_request` for the query
 */
export function decodeFollowing(query: unknown, lastEventId: string | undefined): number {
  const { after = 0 } = parseInput(FollowVideoSchema, query);
  return RevisionSchema.safeParse(lastEventId).data ?? after;
}
