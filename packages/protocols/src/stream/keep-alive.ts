import type { TextProtocolName } from '@sluice/canonical';
import { SSE_COMMENT } from './sse.ts';

/**
 * What keeps a stream open that has told nothing yet, or is passed on as it is.
 * @param isArray whether the stream is a JSON array and no server-sent events
 */
export function keepAliveOf(protocol: TextProtocolName, isArray: boolean): string {
  if (isArray) return ' ';
  return protocol === 'messages' ? 'event: ping\ndata: {"type":"ping"}\n\n' : SSE_COMMENT;
}
