import { defineVendor, KEY } from '../manifest.ts';

/** The account `veo` is in `generative-content/manifest.ts`: both share Google's key. */
export const veo = defineVendor({
  kind: 'veo',
  capabilities: ['video'],
  credentials: [KEY],
  headers: ['x-goog-api-key'],
  sandboxPath: '',
  sources: ['Gemini API docs, "Generate videos with Veo"', '@google/genai 1.40.0'],
});
