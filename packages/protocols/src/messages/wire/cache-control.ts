import type { CacheMark } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import { textOf } from './record.ts';

/** Most marks that Anthropic takes in a request. */
const MAX_MARKS = 4;

/** Reads `cache_control`. */
export function decodeCache(value: unknown): { cache?: CacheMark } {
  if (!isRecord(value)) return {};
  const ttl = textOf(value['ttl']);
  return { cache: { ...(ttl !== undefined && { ttl }) } };
}

/** `cache_control` as the wire has it. */
export interface WireCache {
  cache_control?: { type: 'ephemeral'; ttl?: '5m' | '1h' };
}

/** Writes `cache_control`. Of the times that other vendors know, Anthropic has the two; longer ones become its longest. */
export function encodeCache(mark: CacheMark | undefined): WireCache {
  if (!mark) return {};
  const ttl = nearestTtl(mark.ttl);
  return { cache_control: { type: 'ephemeral', ...(ttl !== undefined && { ttl }) } };
}

function nearestTtl(ttl: string | undefined): '5m' | '1h' | undefined {
  const match = /^(\d+)([mh])$/.exec(ttl ?? '');
  if (!match) return undefined;
  const minutes = Number(match[1]) * (match[2] === 'h' ? 60 : 1);
  return minutes <= 5 ? '5m' : '1h';
}

/**
 * Takes off the marks that are too many. The last ones stay: each covers all that stands before it.
 * @param blocks everything that may hold a mark, in the order of the prompt: tools, system, messages
 * @param reserved marks that are used elsewhere
 * @returns whether any was taken off
 */
export function limitCacheMarks(blocks: readonly WireCache[], reserved: number): boolean {
  const marked = blocks.filter(({ cache_control: mark }) => isRecord(mark));
  const excess = marked.slice(0, Math.max(0, marked.length - (MAX_MARKS - reserved)));
  for (const block of excess) delete block.cache_control;
  return excess.length > 0;
}
