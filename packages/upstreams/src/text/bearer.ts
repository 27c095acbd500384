export function bearer(apiKey: string): [name: string, value: string] {
  return ['authorization', `Bearer ${apiKey}`];
}
