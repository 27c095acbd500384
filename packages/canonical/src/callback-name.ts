/** Names by which vendors are told to call somebody's server. */
const CALLBACK = /callback|web_?hook|notif(?:y|ication)/i;

/** Tells whether an option would make a vendor call a client's server, which would learn the vendor's id of the job. */
export function isCallbackName(name: string): boolean {
  return CALLBACK.test(name);
}
