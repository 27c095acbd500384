import type { CacheBreakpoint } from '@sluice/canonical';
import { isRecord } from '../json/is-record.ts';
import { asString } from '../json/values.ts';

/** Anthropic's limit per request. */
const MAX_MARKS = 4;

export function decodeCache(value: unknown): CacheBreakpoint | undefined {
  return isRecord(value) ? { ttl: asString(value['ttl']) } : undefined;
}

export interface WireCache {
  cache_control?: { type: 'ephemeral'; ttl: '5m' | '1h' | undefined } | undefined;
}

export function encodeCache(mark: CacheBreakpoint | undefined): WireCache['cache_control'] {
  return mark && { type: 'ephemeral', ttl: nearestTtl(mark.ttl) };
}

/** Whether Anthropic accepts the TTL as it is. */
export function isExactTtl({ ttl }: CacheBreakpoint): boolean {
  return ttl === undefined || ttl === nearestTtl(ttl);
}

/** Maps to one of Anthropic's two TTLs. */
function nearestTtl(ttl: string | undefined): '5m' | '1h' | undefined {
  const match = /^(\d+)([mh])$/.exec(ttl ?? '');
  if (!match) return undefined;
  const minutes = Number(match[1]) * (match[2] === 'h' ? 60 : 1);
  return minutes <= 5 ? '5m' : '1h';
}

/**
 * Removes excess cache marks. The last marks are kept, because each mark covers everything before it.
 * @param lists all blocks that can hold a mark, in prompt order: tools, system, messages
 * @param reserved number of marks used elsewhere
 * @returns whether any mark was removed
 */
export function limitCacheMarks(lists: readonly (readonly WireCache[])[], reserved: number): boolean {
  const marked: WireCache[] = [];
  for (const blocks of lists) for (const block of blocks) if (isRecord(block.cache_control)) marked.push(block);
  const excess = marked.slice(0, Math.max(0, marked.length - (MAX_MARKS - reserved)));
  for (const block of excess) delete block.cache_control;
  return excess.length > 0;
}
