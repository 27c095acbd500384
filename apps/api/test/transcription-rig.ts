import { expect } from 'vitest';
import { audioUpstream, type AudioUpstream, formOf, type Part, postForm } from './audio-rig.ts';
import { type TextRig, textRig } from './text-rig.ts';

export const TRANSCRIPTIONS = '/v1/audio/transcriptions';

/** An API with transcription models and scripted upstreams. */
export interface TranscriptionRig {
  first: AudioUpstream;
  /** The second upstream. It also serves Gemini requests. */
  second: AudioUpstream;
  rig: TextRig;
  /** Sends a form with the given parts. */
  post: (parts: readonly Part[], at?: string) => Promise<Response>;
  /** Clears the recorded requests and checks that no file is left on disk. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function transcriptionRig(): Promise<TranscriptionRig> {
  const first = await audioUpstream((_request, response) => response.end());
  const second = await audioUpstream((_request, response) => response.end());
  const account = { kind: 'chat-completions', api_key: 'sk-vendor-1' };
  const rig = await textRig({
    upstreams: {
      unreachable: { ...account, base_url: 'http://127.0.0.1:9' },
      first: { ...account, base_url: first.url },
      second: { ...account, base_url: second.url },
      gemini: { kind: 'generative-content', base_url: second.url },
    },
    models: [
      {
        id: 'ears',
        routes: [
          { upstream: 'first', model: 'whisper-1' },
          { upstream: 'second', model: 'whisper-2' },
        ],
      },
      {
        id: 'far-ears',
        routes: [
          { upstream: 'unreachable', model: 'whisper-1' },
          { upstream: 'second', model: 'whisper-2' },
        ],
      },
      { id: 'other-ears', routes: [{ upstream: 'first', model: 'their-ears' }] },
      {
        id: 'segments',
        routes: [{ upstream: 'first', model: 'x', quirks: { transcription_formats: ['json', 'verbose_json'] } }],
      },
      { id: 'gemini', routes: [{ upstream: 'gemini', model: 'gemini-2.5-flash' }] },
    ],
    routing: { failures: 1_000, open_ms: 1_000, max_open_ms: 1_000 },
  });
  return {
    first,
    second,
    rig,
    post: (parts, at = TRANSCRIPTIONS) => postForm(rig.origin + at, formOf(parts)),
    async reset() {
      for (const upstream of [first, second]) {
        upstream.recorded.length = 0;
        upstream.early = undefined;
      }
      expect(await rig.storedFiles()).toEqual([]);
    },
    async close() {
      await rig.close();
      await first.close();
      await second.close();
    },
  };
}

export const json = (body: unknown, status = 200): AudioUpstream['response'] => {
  return (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** Responds with a stream of events. */
export const streaming = (body: string): AudioUpstream['response'] => {
  return (_request, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body);
};

/** Responds as Gemini does. */
export const geminiText = (text: string) =>
  json({
    candidates: [{ content: { parts: [{ text }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 30, candidatesTokenCount: 2 },
  });
