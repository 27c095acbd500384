import { expect, it } from 'vitest';
import { providerName } from './provider-name.ts';

it.each([
  ['chat-completions', 'api.openai.com', 'openai'],
  ['chat-completions', 'api.groq.com', 'groq'],
  ['responses', 'mine.openai.azure.com', 'azure.ai.openai'],
  ['messages', 'api.anthropic.com', 'anthropic'],
  ['generative-content', 'generativelanguage.googleapis.com', 'gcp.gemini'],
  ['messages', 'gateway.internal', 'anthropic'],
  ['chat-completions', 'notapi.openai.com.evil.example', 'openai'],
  ['fal', 'queue.fal.run', 'fal'],
])('names the provider of %s at %s %s', (kind, host, name) => expect(providerName(kind, host)).toBe(name));
