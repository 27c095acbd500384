import { PROMPT } from '../measure/stage.ts';

const INSTRUCTIONS = `You are a helpful assistant. ${PROMPT}. `.repeat(6);
const IMAGE_URL = `data:image/png;base64,${'a'.repeat(1024 * 1024)}`;

const CONVERSATION = [
  { role: 'user', content: PROMPT },
  { role: 'assistant', content: PROMPT },
  { role: 'user', content: `${PROMPT} 你好` },
];
const OPTIONS = { temperature: 0.7, max_tokens: 500 };

/** A request of about 1.3 kB, similar to the requests of chat clients. */
export function chatBody(model: string): object {
  return { model, messages: [{ role: 'system', content: INSTRUCTIONS }, ...CONVERSATION], ...OPTIONS };
}

/** The same request in the messages protocol. */
export function messagesBody(model: string): object {
  return { model, system: INSTRUCTIONS, messages: CONVERSATION, ...OPTIONS };
}

/** A chat request with an image of 1 MiB. */
export function imageBody(model: string): object {
  const content = [
    { type: 'text', text: PROMPT },
    { type: 'image_url', image_url: { url: IMAGE_URL } },
  ];
  return { model, messages: [{ role: 'user', content }] };
}
