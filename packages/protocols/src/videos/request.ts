import { withoutBlanks } from '../form-fields.ts';
import type { DecodedListing } from '../media-protocol.ts';
import { parseInput } from '../parse-input.ts';
import { ListVideosSchema, RemixVideoSchema } from './schema.ts';

/** Reads the body of `POST /v1/videos/{id}/remix`. @throws GatewayError `invalid_request` */
export function decodeRemix(fields: unknown): { prompt: string } {
  return { prompt: parseInput(RemixVideoSchema, withoutBlanks(fields)).prompt };
}

/** Reads the query of `GET /v1/videos`. @throws GatewayError `invalid_request` */
export function decodeListing(query: unknown): DecodedListing {
  const { after, limit, order } = parseInput(ListVideosSchema, query);
  return { limit, order, ...(after !== undefined && { after }) };
}
