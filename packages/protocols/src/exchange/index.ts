export type { ResponseProgress, ResponseWriter, BufferedResponse } from './response-writer.ts';
export { createExchange, type Exchange, type ExchangeOptions } from './exchange.ts';
export { refuseAmbiguousMembers, refuseAmbiguousNames } from './ambiguous-members.ts';
export { type PathRequest, readTextRequest, type TextRequest, withBody } from './text-request.ts';
export { createCollector } from '../text/collect-generation.ts';
export { unsupportedThread } from '../text/unsupported-thread.ts';
export { carriesToken } from './carries-token.ts';
export { jsonObjectEnd } from './json-members.ts';
export { relayedResponse } from './relay-edits.ts';
