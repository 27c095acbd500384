const CALLBACK = /callback|web_?hook|notif(?:y|ication)/i;

/**
 * Checks whether an option is named like a callback. A callback makes the vendor call a client's server, which reveals
 * the vendor's job id.
 */
export function isCallbackName(name: string): boolean {
  return CALLBACK.test(name);
}
