import type { GatewayError } from '@sluice/canonical';

export type EncodeError = (error: GatewayError, requestId?: string) => unknown;
