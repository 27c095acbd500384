/** Messages for situations at the gateway that are reported in several places. */
export const GATEWAY_MESSAGES = {
  fileGone: 'The file is no longer stored. Generate it again.',
  noModelInPath: 'The path does not name a model. Name one that `GET /v1/models` lists.',
  noUpstream: 'No upstream serves this model. Choose another model.',
  serverStopped: 'The server stopped before the response was complete. Retry the request.',
  serverStopping: 'The server is stopping. Connect again.',
} as const;

/** @param store the name of the store, such as `task store` */
export function unavailableMessage(store: string): string {
  return `The ${store} is unavailable. Retry shortly.`;
}
