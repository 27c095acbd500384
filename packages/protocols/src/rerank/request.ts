import type { DirectInput, DirectParams } from '../contracts/direct-protocol.ts';
import { parseInput } from '../json/parse-input.ts';
import { RerankSchema } from './schema.ts';

/** @throws GatewayError `invalid_request` */
export function decodeRerank({ body }: DirectInput): DirectParams<'rerank'> {
  const {
    model,
    query,
    documents,
    top_n: topN,
    return_documents: returnDocuments,
    rank_fields: rankFields,
    ...fields
  } = parseInput(RerankSchema, body ?? {});
  return {
    ...(model !== undefined && { model }),
    params: {
      query,
      documents,
      ...(typeof topN === 'number' && { topN }),
      returnDocuments: returnDocuments === true,
      ...(rankFields && rankFields.length > 0 && { rankFields }),
      foreign: { protocol: 'cohere', fields },
    },
  };
}
