import { describe, expect, it } from 'vitest';
import { randomUpstreamResponse, seededRandom, uniqueLeaves } from '../test/response-fuzz/random-response.ts';
import { isVisible, lossNameOf, RESPONSE_PAIRS, translateResponse } from '../test/response-fuzz/translate-response.ts';

const RUNS = Number(process.env['SLUICE_FUZZ_RUNS'] ?? 25);

describe.each(RESPONSE_PAIRS)('a $what response of $upstream.name for $client.name', ({ client, upstream, stream }) => {
  it('shows each field or names it as lost', () => {
    /** The first seed of each field that is neither visible nor named. */
    const silent = new Map<string, number>();
    for (let seed = 1; seed <= RUNS; seed += 1) {
      const response = randomUpstreamResponse(upstream.name, seededRandom(seed));
      const translated = translateResponse({ client, upstream, response, stream });
      for (const leaf of uniqueLeaves(response)) {
        const isAccounted = isVisible(leaf, translated) || lossNameOf(leaf, translated) !== undefined;
        if (!isAccounted && !silent.has(leaf.name)) silent.set(leaf.name, seed);
      }
    }
    expect(Object.fromEntries(silent)).toEqual({});
  });
});
