/** The credential of OpenAI and of all who speak its protocols. */
export function bearer(apiKey: string): [name: string, value: string] {
  return ['authorization', `Bearer ${apiKey}`];
}
