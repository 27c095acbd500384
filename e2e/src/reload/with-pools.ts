/** Names of the credentials of a pool. */
export const CREDENTIALS = ['one', 'two', 'three'] as const;

/**
 * Replaces the API key of each upstream with a pool. The sandbox accepts its key with any suffix.
 * @param resting the index of the credential that gets no new requests
 */
export function withPools(upstreams: Readonly<Record<string, unknown>>, resting: number): Record<string, unknown> {
  const pooled = Object.entries(upstreams).map(([name, upstream]): [string, unknown] => {
    const { api_key, ...others } = upstream as Record<string, unknown>; // The tests write sections of fields.
    if (typeof api_key !== 'string') return [name, upstream];
    const credentials = CREDENTIALS.map((credential, index) => ({
      name: credential,
      api_key: `${api_key}.${credential}`,
      weight: index === resting ? 0 : 1,
    }));
    return [name, { ...others, credentials }];
  });
  return Object.fromEntries(pooled);
}

/** Lets another credential of each pool rest. */
export function rotatePools(upstreams: Readonly<Record<string, unknown>>, resting: number): Record<string, unknown> {
  const rotated = Object.entries(upstreams).map(([name, upstream]): [string, unknown] => {
    const { credentials } = upstream as { credentials?: object[] }; // The tests write lists of sections.
    const next = credentials?.map((one, index) => Object.assign({}, one, { weight: index === resting ? 0 : 1 }));
    return [name, Object.assign({}, upstream, next && { credentials: next })];
  });
  return Object.fromEntries(rotated);
}
