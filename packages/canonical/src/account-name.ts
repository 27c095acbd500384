/** One credential of an upstream. An upstream without a pool has a single credential, which has no name. */
export interface AccountOf {
  upstream: string;
  credential?: string | undefined;
}

/** Names of upstreams and credentials cannot contain it. */
const SEPARATOR = '.';

/**
 * Returns the name of a vendor account: `upstream`, or `upstream.credential` for a credential of a pool. Tasks and
 * stored responses are bound to it.
 */
export function accountName({ upstream, credential }: AccountOf): string {
  return credential === undefined ? upstream : upstream + SEPARATOR + credential;
}

/** The reverse of {@link accountName}. */
export function splitAccount(account: string): AccountOf {
  const at = account.indexOf(SEPARATOR);
  return at === -1 ? { upstream: account } : { upstream: account.slice(0, at), credential: account.slice(at + 1) };
}
