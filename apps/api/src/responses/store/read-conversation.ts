import { GatewayError } from '@sluice/canonical';
import { isOpen, type StoredResponse } from './stored-response.ts';

const MAX_RESPONSES = 200;
const PARAM = 'previous_response_id';

type ReadResponse = (id: string) => Promise<StoredResponse | undefined>;

/** @throws GatewayError see `ResponseStore.chain` */
export async function readConversation(read: ReadResponse, id: string): Promise<Record<string, unknown>[]> {
  const chain: Record<string, unknown>[][] = [];
  let next: string | undefined = id;
  while (next !== undefined) {
    if (chain.length === MAX_RESPONSES) throw tooLong();
    const record: StoredResponse | undefined = await read(next);
    if (!record) throw notFound(next);
    if (isOpen(record)) throw stillOpen(next);
    chain.push([...record.inputItems, ...record.outputItems]);
    next = record.previousId;
  }
  return chain.toReversed().flat();
}

function notFound(id: string): GatewayError {
  const message = `Previous response with id '${id.slice(0, 80)}' not found.`;
  return new GatewayError('previous_response_not_found', message, { param: PARAM });
}

function stillOpen(id: string): GatewayError {
  const message = `Response \`${id}\` is still in progress. Wait until it has ended before you continue it.`;
  return new GatewayError('invalid_request', message, { param: PARAM });
}

function tooLong(): GatewayError {
  const message = `The conversation has more than ${MAX_RESPONSES} responses. Compact it and continue from the result.`;
  return new GatewayError('invalid_request', message, { param: PARAM });
}
