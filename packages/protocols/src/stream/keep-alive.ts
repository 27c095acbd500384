import type { TextProtocolName } from '@sluice/canonical';
import { SSE_COMMENT } from './sse.ts';

/**
 * Returns the keep-alive text for a stream that is relayed or has not started.
 * @param isArray whether the stream is a JSON array instead of server-sent events
 */
export function keepAliveOf(protocol: TextProtocolName, isArray: boolean): string {
  if (isArray) return ' ';
  return protocol === 'messages' ? 'event: ping\ndata: {"type":"ping"}\n\n' : SSE_COMMENT;
}
