import { isRecord, type TextRequest } from '@sluice/protocols';

/**
 * Whether the client sends reasoning back in later turns. Chat completions clients never do. Messages clients receive
 * reasoning only if they enable thinking.
 */
export function carriesReasoning(request: TextRequest): boolean {
  const { protocol } = request;
  if (protocol.name === 'chat-completions') return false;
  if (protocol.name !== 'messages') return true;
  const thinking = request.member('thinking');
  return isRecord(thinking) && thinking['type'] !== 'disabled';
}
