import type { TextProtocolName } from '@sluice/canonical';

/** The paths of the requests in a batch, with the protocol of their responses if these can be translated. */
const ENDPOINTS: Readonly<Record<string, TextProtocolName | undefined>> = {
  '/v1/chat/completions': 'chat-completions',
  '/v1/responses': 'responses',
  '/v1/messages': 'messages',
  '/v1/completions': undefined,
  '/v1/embeddings': undefined,
  '/v1/moderations': undefined,
  '/v1/images/generations': undefined,
  '/v1/videos': undefined,
};

/** The endpoints that a client can choose. */
export const LINE_ENDPOINTS = Object.keys(ENDPOINTS);
export const MESSAGES_ENDPOINT = '/v1/messages';

/** Whether the requests of an endpoint create tasks, which have their own costs. */
export function createsTasks(endpoint: string): boolean {
  return endpoint === '/v1/images/generations' || endpoint === '/v1/videos';
}

const GENERATIVE = /^\/v1beta\/models\/(.+):generateContent$/;

export function isLineEndpoint(path: string): boolean {
  return Object.hasOwn(ENDPOINTS, path) || GENERATIVE.test(path);
}

/** Returns the path of the requests of a batch in Google's format. @param model without `models/` */
export function generativeEndpoint(model: string): string {
  return `/v1beta/models/${model}:generateContent`;
}

/** Returns the model in the path of requests in Google's format. */
export function modelOfEndpoint(endpoint: string): string | undefined {
  return GENERATIVE.exec(endpoint)?.[1];
}

/** Returns the protocol of the responses of a batch, if they can be translated to other protocols. */
export function textProtocolOf(endpoint: string): TextProtocolName | undefined {
  if (GENERATIVE.test(endpoint)) return 'generative-content';
  return Object.hasOwn(ENDPOINTS, endpoint) ? ENDPOINTS[endpoint] : undefined;
}
