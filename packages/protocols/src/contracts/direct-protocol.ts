import type { ResponseOf, DirectKind, ParamsOf } from '@sluice/canonical';
import type { z } from 'zod';
import type { EncodeError } from './encode-error.ts';

export interface DirectInput {
  /** The parsed JSON body. Undefined if the request has no body. */
  body: unknown;
  /** The model from the path, which overrides the body's model. */
  model?: string;
}

export interface DirectParams<K extends DirectKind> {
  model?: string;
  params: ParamsOf<K>;
}

export interface DirectResponseContext<K extends DirectKind> {
  model: string;
  params: ParamsOf<K>;
  input: DirectInput;
  /** Creates an unguessable id: the prefix and 32 hex digits. */
  newId: (prefix: string) => string;
}

export interface DirectProtocol<K extends DirectKind> {
  name: string;
  /** @throws GatewayError only `invalid_request` or `unsupported_parameter`, with the field's name */
  decode(input: DirectInput): DirectParams<K>;
  encode(response: ResponseOf<K>, context: DirectResponseContext<K>): unknown;
  encodeError: EncodeError;
  errorSchema: z.ZodType;
}
