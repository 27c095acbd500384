import { WireError } from '../../http/wire-error.ts';

/** An error of Volcengine's gateway, which stands before every service (Volcengine docs 6369/68677). */
export function volcError(status: number, Code: string, CodeN: number, Message: string): WireError {
  const body = (RequestId: string): object => ({ ResponseMetadata: { RequestId, Error: { CodeN, Code, Message } } });
  return new WireError(status, Message, body);
}
