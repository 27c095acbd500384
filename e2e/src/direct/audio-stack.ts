import { readFileSync } from 'node:fs';
import { OpenAI } from 'openai';
import { KEY, type Stack, startStack, VENDOR_KEY } from '../stack.ts';
import type { SeenRequest } from '../text/text-stack.ts';

/** The API before the sandbox's wires of sound. */
export interface AudioStack extends Stack {
  openai: OpenAI;
  /** The sandbox's requests, newest first. */
  seen(): Promise<SeenRequest[]>;
  /** Memory of the API's process that is there now, in MiB. */
  apiMebibytes(): number;
}

/** Models by what they stand for, each with its name at the vendor. */
const OPENAI_MODELS = ['gpt-4o-mini-tts', 'tts-1', 'whisper-1', 'gpt-4o-transcribe', 'verbose-1'];

/** Starts the API, without workers. */
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
        nobody: { kind: 'chat-completions', base_url: 'http://127.0.0.1:9/v1', api_key: VENDOR_KEY },
      },
      models: [
        ...OPENAI_MODELS.map((model) => ({ id: model, routes: [{ upstream: 'openai', model }] })),
        { id: 'segments-only', routes: [{ upstream: 'plain', model: 'verbose-1' }] },
        { id: 'gemini-tts', routes: [{ upstream: 'gemini', model: 'gemini-2.5-flash-preview-tts' }] },
        { id: 'gemini-ears', routes: [{ upstream: 'gemini', model: 'gemini-2.5-flash' }] },
        {
          id: 'second-choice',
          routes: [
            { upstream: 'nobody', model: 'whisper-1' },
            { upstream: 'openai', model: 'whisper-1' },
          ],
        },
        {
          id: 'second-voice',
          routes: [
            { upstream: 'nobody', model: 'tts-1' },
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
    apiMebibytes() {
      const status = readFileSync(`/proc/${stack.api.process.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
    },
  };
}
