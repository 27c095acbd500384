import type { IdentitySettings } from '../contract/identity-settings.ts';
import type { UpstreamAccount, UpstreamContext } from '../contract/upstream.ts';
import type { SendTokenRequest } from '../http/token-request.ts';
import type { Authorizer } from './authorized-context.ts';

export interface IdentityDeps extends Pick<UpstreamContext, 'logger' | 'now'> {
  sendTokenRequest: SendTokenRequest;
  /** Logs that a credential could not be loaded. */
  onFailure(this: void, error: unknown, isUsable: boolean): void;
}

/** Opens an identity, and returns a function that creates the authorizers of its accounts. Performs no I/O. */
export type OpenIdentity<S extends IdentitySettings> = (
  settings: S,
  deps: IdentityDeps,
) => (account: UpstreamAccount) => Authorizer;
