import { OpenAI } from 'openai';
import { residentBytes } from '../processes.ts';
import { KEY, type Stack, startStack, VENDOR_KEY } from '../stack.ts';
import type { SeenRequest } from '../text/text-stack.ts';

/** The API in front of the sandbox's audio API. */
export interface AudioStack extends Stack {
  openai: OpenAI;
  /** Returns the requests that the sandbox received, newest first. */
  seen(): Promise<SeenRequest[]>;
  /** Returns the API's resident memory, in MiB. */
  apiMebibytes(): number;
}

const OPENAI_MODELS = ['gpt-4o-mini-tts', 'tts-1', 'whisper-1', 'gpt-4o-transcribe', 'verbose-1'];

export async function startAudioStack(): Promise<AudioStack> {
  const stack = await startStack({
    workers: 0,
    configFor: (sandboxUrl) => ({
      upstreams: {
        openai: { kind: 'chat-completions', base_url: `${sandboxUrl}/v1`, api_key: VENDOR_KEY },
        plain: {
          kind: 'chat-completions',
          base_url: `${sandboxUrl}/v1`,
          api_key: VENDOR_KEY,
          quirks: { transcription_formats: ['json', 'verbose_json'] },
        },
        gemini: { kind: 'generative-content', base_url: `${sandboxUrl}/v1beta`, api_key: VENDOR_KEY },
        unreachable: { kind: 'chat-completions', base_url: 'http://127.0.0.1:9/v1', api_key: VENDOR_KEY },
      },
      models: [
        ...OPENAI_MODELS.map((model) => ({ id: model, routes: [{ upstream: 'openai', model }] })),
        { id: 'segments-only', routes: [{ upstream: 'plain', model: 'verbose-1' }] },
        { id: 'gemini-tts', routes: [{ upstream: 'gemini', model: 'gemini-2.5-flash-preview-tts' }] },
        { id: 'gemini-transcriber', routes: [{ upstream: 'gemini', model: 'gemini-2.5-flash' }] },
        {
          id: 'second-choice',
          routes: [
            { upstream: 'unreachable', model: 'whisper-1' },
            { upstream: 'openai', model: 'whisper-1' },
          ],
        },
        {
          id: 'second-voice',
          routes: [
            { upstream: 'unreachable', model: 'tts-1' },
            { upstream: 'openai', model: 'tts-1' },
          ],
        },
      ],
    }),
  });
  return {
    ...stack,
    openai: new OpenAI({ apiKey: KEY, baseURL: stack.baseUrl, maxRetries: 0 }),
    async seen() {
      const log = (await (await fetch(`${stack.sandboxUrl}/_sandbox/requests`)).json()) as { requests: SeenRequest[] };
      return log.requests.toReversed();
    },
    apiMebibytes: () => residentBytes(stack.api.process.pid) / 1024 ** 2,
  };
}
