import type { OpenedResponse } from '../../generation/request-completion.ts';

type Item = Record<string, unknown>;

/**
 * Returns the output items of a relayed response, for the gateway's own copy. Undefined if the response is not complete,
 * or if its vendor does not repeat the items at the end of the stream.
 */
export function relayedOutput({
  buffered,
  feed,
}: Pick<OpenedResponse, 'buffered' | 'feed'>): readonly Item[] | undefined {
  if (buffered) return outputItemsOf(Buffer.from(buffered.body));
  const event = parsed(Buffer.from(feed?.writer.progress.lastResponse ?? '', 'latin1'));
  return isObject(event) ? outputOf(event['response']) : undefined;
}

/** Returns the output items of a vendor's response. Undefined unless it is complete. @param response in JSON */
export function outputItemsOf(response: Buffer): readonly Item[] | undefined {
  return outputOf(parsed(response));
}

function outputOf(response: unknown): readonly Item[] | undefined {
  if (!isObject(response)) return undefined;
  const { status, output } = response;
  const isEnded = status === 'completed' || status === 'incomplete';
  return isEnded && Array.isArray(output) && output.length > 0 && output.every(isObject) ? output : undefined;
}

function parsed(json: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(json.toString());
    return value;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
