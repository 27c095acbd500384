import { GatewayError } from '@sluice/canonical';

/** Anthropic's SDKs recognize this code. Their tool runners then send the full conversation without a thread. */
export function unsupportedThread(): GatewayError {
  const message = 'thread is not supported here. Remove the field and send the whole conversation.';
  return new GatewayError('thread_unsupported_request', message, { param: 'thread' });
}
