const CALLBACK = /callback|web_?hook|notif(?:y|ication)/i;

/** Whether an option would make the vendor call a client's server and reveal the vendor's job id to it. */
export function isCallbackName(name: string): boolean {
  return CALLBACK.test(name);
}
