import type { FastifyInstance } from 'fastify';
import { carriesBearerKey } from '../../http/bearer-key.ts';
import { openTextScope, type TextScope } from '../../text/open-text-scope.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { openAiError } from './openai-error.ts';
import { incorrectKey } from './format-openai-fault.ts';

/**
 * Opens a text scope with the behavior that all OpenAI APIs share.
 * @param own settings that override the shared behavior.
 */
export function registerOpenAiWire(
  scope: FastifyInstance,
  vendor: TextVendor,
  name: string,
  own: Partial<Pick<TextScope, 'authenticate' | 'modelOf'>> = {},
): void {
  openTextScope(scope, vendor, {
    name,
    requestIdHeader: 'x-request-id',
    authenticate({ headers }) {
      if (!carriesBearerKey(headers.authorization, vendor.apiKey)) throw incorrectKey();
    },
    formatHttpError: (status, message) => openAiError(status, message, status >= 500 ? { type: 'server_error' } : {}),
    ...own,
  });
}
