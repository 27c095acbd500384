import { cursorNotFound } from './not-found.ts';

/**
 * Returns the index at which a page of webhooks starts. @param after id of the last webhook of the previous page
 * @throws GatewayError `webhook_not_found` if it does not exist
 */
export function startAfter(webhooks: readonly { id: string }[], after: string | undefined): number {
  if (after === undefined) return 0;
  const at = webhooks.findIndex(({ id }) => id === after);
  if (at === -1) throw cursorNotFound('webhook');
  return at + 1;
}
