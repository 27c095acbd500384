import { defineVendor, KEY_OR_NONE, keyed, modelOf } from '../manifest.ts';

const GOOGLE_URL = 'https://generativelanguage.googleapis.com';

export const generativeContent = defineVendor({
  kind: 'generative-content',
  capabilities: ['text', 'image', 'embedding', 'speech', 'transcription'],
  credentials: KEY_OR_NONE,
  headers: ['x-goog-api-key'],
  sandboxPath: '',
  vendors: [
    {
      upstreams: {
        google: keyed('generative-content', GOOGLE_URL, 'GEMINI_API_KEY'),
        veo: keyed('veo', GOOGLE_URL, 'GEMINI_API_KEY'),
      },
      models: [modelOf('gemini-*', 'google'), modelOf('veo-*', 'veo')],
    },
  ],
  sources: ['Gemini API docs, "Image generation"'],
});
