import type { TextProtocolName } from '@sluice/canonical';
import { MODELS } from './vendor.ts';

/** A text endpoint that accepts a body. */
export interface TextRoute {
  name: string;
  protocol: TextProtocolName;
  at: (model: string) => string;
  /** A minimal valid body. */
  body: (model: string) => Record<string, unknown>;
  /** The field that an empty body is missing. */
  misses: string;
  /** The methods that the path allows. */
  allow: string;
  /** Methods that a less specific path serves (e.g. `/v1/responses/:response_id`). */
  siblings: readonly string[];
  /** A model whose upstream uses the endpoint's protocol. */
  native: string;
  /** A model whose upstream uses another protocol. */
  foreign: string;
}

const messages = [{ role: 'user', content: 'hi' }];
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];

export const ROUTES: readonly TextRoute[] = [
  route('chat completions', 'chat-completions', '/v1/chat/completions', (model) => ({ model, messages })),
  route('text completions', 'chat-completions', '/v1/completions', (model) => ({ model, prompt: 'hi' })),
  route('messages', 'messages', '/v1/messages', (model) => ({ model, messages, max_tokens: 9 })),
  route('message tokens', 'messages', '/v1/messages/count_tokens', (model) => ({ model, messages })),
  {
    ...route('responses', 'responses', '/v1/responses', (model) => ({ model, input: 'hi' })),
    allow: 'POST, GET, HEAD',
  },
  {
    ...route('compaction', 'responses', '/v1/responses/compact', (model) => ({ model, input: 'hi' })),
    siblings: ['GET', 'HEAD', 'DELETE'],
  },
  {
    ...route('response tokens', 'responses', '/v1/responses/input_tokens', (model) => ({ model, input: 'hi' })),
    siblings: ['GET', 'HEAD', 'DELETE'],
  },
  ...['/v1beta', '/v1'].flatMap((root) => [
    modelRoute(root, 'generateContent'),
    modelRoute(root, 'streamGenerateContent'),
    modelRoute(root, 'countTokens'),
  ]),
];

function route(
  name: string,
  protocol: TextProtocolName,
  path: string,
  body: (model: string) => Record<string, unknown>,
): TextRoute {
  return {
    name,
    protocol,
    at: () => path,
    body,
    misses: 'model',
    allow: 'POST',
    siblings: [],
    native: MODELS[protocol],
    foreign: protocol === 'messages' ? MODELS['chat-completions'] : MODELS.messages,
  };
}

function modelRoute(root: string, verb: string): TextRoute {
  const common = route(`${root} ${verb}`, 'generative-content', '', () => ({ contents }));
  return { ...common, at: (model) => `${root}/models/${model}:${verb}`, misses: 'contents', siblings: ['GET', 'HEAD'] };
}
