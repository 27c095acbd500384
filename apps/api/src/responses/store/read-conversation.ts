import { GatewayError } from '@sluice/canonical';
import { printable } from '../../http/printable.ts';
import { previousResponseNotFound } from './response-not-found.ts';
import { isOpen, type StoredResponse } from '@sluice/responses';

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
    if (!record) throw previousResponseNotFound(next);
    if (isOpen(record)) throw stillOpen(next);
    const own = record.native ? record.copy : record;
    if (!own) throw previousResponseNotFound(next);
    chain.push([...own.inputItems, ...own.outputItems]);
    next = record.previousId;
  }
  return chain.toReversed().flat();
}

function stillOpen(id: string): GatewayError {
  const message = `Response ${printable(id)} is still in progress. Wait until it has ended before you continue it.`;
  return new GatewayError('invalid_request', message, { param: PARAM });
}

function tooLong(): GatewayError {
  const message = `The conversation has more than ${MAX_RESPONSES} responses. Compact it and continue from the result.`;
  return new GatewayError('invalid_request', message, { param: PARAM });
}
