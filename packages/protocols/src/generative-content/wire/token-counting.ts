import type { TokenCounting } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { invalidField } from '../../json/json-field.ts';
import { amount } from '../../json/amount.ts';

export const tokenCounting: TokenCounting = {
  decodeRequest(body) {
    const request = body['generateContentRequest'] ?? body['generate_content_request'] ?? undefined;
    if (request === undefined) return body;
    if (isRecord(request)) return request;
    throw invalidField('generateContentRequest', 'must be an object');
  },
  // Sends the complete request, because the request's short form accepts only `contents`.
  encodeRequest: (body, { model }) => ({
    generateContentRequest: { model: model.startsWith('models/') ? model : `models/${model}`, ...body },
  }),
  encodeCount: (tokens) => ({ totalTokens: tokens }),
  decodeCount: (body) => (isRecord(body) ? amount(body['totalTokens']) : undefined),
};
