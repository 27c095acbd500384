import type { GatewayError } from '@sluice/canonical';

/** Encodes an error body in a protocol's shape. */
export type EncodeError = (error: GatewayError, requestId?: string) => unknown;
