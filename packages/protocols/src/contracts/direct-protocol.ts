import type { ResponseOf, DirectKind, ParamsOf } from '@sluice/canonical';
import type { z } from 'zod';
import type { EncodeError } from './encode-error.ts';

export interface DirectInput {
  /** The parsed JSON body; undefined without one. */
  body: unknown;
  /** The model from the path, which wins over the body's. */
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
  /** Creates an unguessable id: prefix and 32 hex digits. */
  newId: (prefix: string) => string;
}

export interface DirectProtocol<K extends DirectKind> {
  name: string;
  /** @throws GatewayError `invalid_request` or `unsupported_parameter` naming the field, and nothing else */
  decode(input: DirectInput): DirectParams<K>;
  encode(response: ResponseOf<K>, context: DirectResponseContext<K>): unknown;
  encodeError: EncodeError;
  errorSchema: z.ZodType;
}
