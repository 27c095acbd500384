import { WireError } from '../../http/wire-error.ts';

/**
 * Creates an error of Volcengine's gateway (Volcengine docs 6369/68677).
 * @param CodeN undefined if the docs do not specify it.
 */
export function volcError(status: number, Code: string, CodeN: number | undefined, Message: string): WireError {
  const Error = { ...(CodeN === undefined ? {} : { CodeN }), Code, Message };
  const body = (RequestId: string): object => ({ ResponseMetadata: { RequestId, Error } });
  return new WireError(status, Message, body);
}
