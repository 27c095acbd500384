/** Returns the name of a vendor account: the upstream, and its credential if it is one of a pool. */
export function accountText({ upstream, credential }: { upstream: string; credential?: string | undefined }): string {
  return credential === undefined ? upstream : `${upstream}.${credential}`;
}
