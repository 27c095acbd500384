import type { ResponseOf, DirectKind, ParamsOf } from '@sluice/canonical';
import type { z } from 'zod';
import type { EncodeError } from './encode-error.ts';

/** A client's request for a direct call, as it came. */
export interface DirectInput {
  /** The parsed JSON body; `undefined` when there was none. */
  body: unknown;
  /** What the path names, where it does; it wins over the body's. */
  model?: string;
}

/** A request for a direct call. */
export interface DirectParams<K extends DirectKind> {
  /** Absent: the client leaves it to us. */
  model?: string;
  params: ParamsOf<K>;
}

/** What an encoder knows when it answers a client. */
export interface DirectResponseContext<K extends DirectKind> {
  /** The model that was asked for. */
  model: string;
  params: ParamsOf<K>;
  /** What the wish was read from. */
  input: DirectInput;
  /** Makes an unguessable id: prefix and 32 hex digits. */
  newId: (prefix: string) => string;
}

/** How clients spell one kind of wish, and how they are answered in JSON. */
export interface DirectProtocol<K extends DirectKind> {
  name: string;
  /** @throws GatewayError `invalid_request` or `unsupported_parameter` naming the field, and nothing else */
  decode(input: DirectInput): DirectParams<K>;
  encode(response: ResponseOf<K>, context: DirectResponseContext<K>): unknown;
  encodeError: EncodeError;
  errorSchema: z.ZodType;
}
