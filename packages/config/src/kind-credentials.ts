import type { CredentialField, UpstreamKindName } from './upstream-schema.ts';

/** Fields that make a credential together. */
export type CredentialSet = readonly CredentialField[];

const KEY: CredentialSet = ['api_key'];
const PAIR: CredentialSet = ['access_key', 'secret_key'];
/** Servers of one's own often want no key. */
const KEY_OR_NONE = [KEY, []];

/** What each kind of upstream takes as its credential: one of these sets, all fields of it. */
export const KIND_CREDENTIALS: Readonly<Record<UpstreamKindName, readonly CredentialSet[]>> = {
  videos: KEY_OR_NONE,
  'chat-completions': KEY_OR_NONE,
  responses: KEY_OR_NONE,
  messages: KEY_OR_NONE,
  'generative-content': KEY_OR_NONE,
  'provider-a': [KEY, PAIR],
  'provider-b': [PAIR],
  dashscope: [KEY],
  ark: [KEY],
  minimax: [KEY],
  vidu: [KEY],
  veo: [KEY],
  runway: [KEY],
  fal: [KEY],
  replicate: [KEY],
  cohere: [KEY],
  jina: [KEY],
  tei: KEY_OR_NONE,
};

/** Says in words what a kind takes as its credential. */
export function formatCredentials(kind: UpstreamKindName): string {
  return KIND_CREDENTIALS[kind].map((set) => set.map((field) => `\`${field}\``).join(' and ') || 'none').join(', or ');
}
