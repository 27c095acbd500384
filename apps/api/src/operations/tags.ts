import type { DocumentedEndpoint } from './documented-endpoint.ts';

/** The groups of the API reference, in its order, with the protocols whose endpoints they contain. */
const GROUPS: readonly { name: string; description: string; protocols: readonly string[] }[] = [
  { name: 'Models', description: 'The models that a key can use.', protocols: [] },
  { name: 'Chat', description: "OpenAI's chat completions.", protocols: ['chat-completions'] },
  { name: 'Completions', description: "OpenAI's legacy text completions.", protocols: [] },
  { name: 'Responses', description: "OpenAI's responses.", protocols: ['responses'] },
  { name: 'Messages', description: "Anthropic's messages.", protocols: ['messages'] },
  { name: 'Gemini', description: "Google's generated content and embeddings.", protocols: ['generative-content'] },
  {
    name: 'Videos',
    description: "OpenAI's videos and the generic video API.",
    protocols: ['videos', 'video-groups', 'video-generations'],
  },
  { name: 'Kling', description: "Kling's videos.", protocols: ['provider-a'] },
  { name: 'Jimeng', description: "Jimeng's videos.", protocols: ['provider-b'] },
  { name: 'Images', description: 'Generation and edits of images.', protocols: ['images'] },
  { name: 'Tasks', description: 'Videos and images of all protocols, with their history.', protocols: ['tasks'] },
  { name: 'Audio', description: 'Speech, transcriptions, and translations.', protocols: ['audio'] },
  { name: 'Realtime', description: 'Realtime sessions over WebSocket.', protocols: ['realtime'] },
  { name: 'Embeddings', description: 'Embeddings of texts.', protocols: ['embeddings'] },
  { name: 'Rerank', description: 'Documents ranked by relevance.', protocols: ['rerank'] },
  { name: 'Moderations', description: 'Classification of content.', protocols: ['moderations'] },
  { name: 'Files', description: 'Files of a key, and uploads in parts.', protocols: ['files'] },
  {
    name: 'Batches',
    description: 'Batches of requests, in the formats of OpenAI, Anthropic, and Google.',
    protocols: ['batches'],
  },
  { name: 'Webhooks', description: 'Webhooks and their deliveries.', protocols: ['webhooks'] },
  { name: 'Usage', description: 'Reports of requests, usage, and cost.', protocols: ['usage'] },
  {
    name: 'Administration',
    description: 'API keys, tasks, and requests. Requires the admin key.',
    protocols: ['Administration'],
  },
];

/** @throws if no group contains the endpoint's protocol */
export function tagOf({ action, protocol, operationId }: DocumentedEndpoint): string {
  if (action?.startsWith('models.')) return 'Models';
  if (action === 'text.complete') return 'Completions';
  if (action?.startsWith('batch.')) return 'Batches';
  const group = GROUPS.find(({ protocols }) => protocols.includes(protocol.name));
  if (!group) throw new Error(`No group of the API reference contains ${operationId}.`);
  return group.name;
}

export function describedTags(endpoints: readonly DocumentedEndpoint[]): { name: string; description: string }[] {
  const used = new Set(endpoints.map(tagOf));
  return GROUPS.filter(({ name }) => used.has(name)).map(({ name, description }) => ({ name, description }));
}
