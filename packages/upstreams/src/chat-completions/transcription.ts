import type {
  DirectCapability,
  UpstreamTextResponse,
  Transcript,
  TranscriptFormat,
  TranscriptionFields,
  TranscriptionParams,
  Usage,
} from '@sluice/canonical';
import { z } from 'zod';
import { formatsOf, formatToRequest } from '../audio/transcript-formats.ts';
import { transcriptionForm } from '../audio/transcription-form.ts';
import type { DirectCredential } from '../direct/create-direct-upstream.ts';
import { openDirect, parsed } from '../direct/open-direct.ts';
import { openAiEventRefusal, openAiRefusal } from '../direct/openai-refusal.ts';
import { firstChunk } from '../http/first-chunk.ts';
import { lenient, Seconds, Tokens } from '../media/lenient.ts';
import type { UpstreamAccount, UpstreamContext } from '../contract/upstream.ts';

/** Maximum size of a transcript. A day of speech with word timestamps is smaller. */
const TRANSCRIPT_BYTES = 64 * 1024 * 1024;
const PATHS = { transcribe: '/audio/transcriptions', translate: '/audio/translations' } as const;

const WireTranscript = z.looseObject({
  text: z.string(),
  segments: z
    .array(z.looseObject({ start: z.number(), end: z.number(), text: z.string() }))
    .optional()
    .catch(undefined),
  duration: Seconds,
  usage: lenient({
    input_tokens: Tokens,
    output_tokens: Tokens,
    input_token_details: lenient({ audio_tokens: Tokens }),
    seconds: Seconds,
    prompt_tokens: Tokens,
    completion_tokens: Tokens,
    prompt_audio_seconds: Seconds,
  }),
});
type WireTranscriptData = z.output<typeof WireTranscript>;

export function openAiTranscription(
  account: UpstreamAccount,
  context: UpstreamContext,
  credential: DirectCredential,
): DirectCapability<TranscriptionParams, Transcript> {
  const { open } = openDirect(account, context, credential, openAiRefusal);
  return {
    call: async (params, { model, quirks, signal, traceHeaders }) => {
      const formats = { ...account.quirks, ...quirks }.transcription_formats ?? formatsOf(model);
      let decided: { fields: TranscriptionFields; upstreamFormat: TranscriptFormat } | undefined;
      const form = transcriptionForm(params, model, (fields) => {
        decided = { fields, upstreamFormat: formatToRequest(fields.format ?? 'json', formats) };
        return decided.upstreamFormat;
      });
      const response = await open({
        path: PATHS[params.task],
        contentType: form.contentType,
        accept: 'application/json, text/plain, text/vtt, application/x-subrip, text/event-stream',
        body: form.source,
        ...(form.bytes !== undefined && { bytes: form.bytes }),
        model,
        traceHeaders,
        signal,
      });
      const { headers, misunderstood, refused } = response;
      // If a vendor reports success before it has read the form, it cannot have transcribed the audio.
      if (decided === undefined) {
        response.body.abort();
        throw misunderstood(undefined);
      }
      const { fields, upstreamFormat } = decided;
      if (fields.stream && isEvents(response)) {
        const events = await firstChunk(response.body);
        if (events === undefined) throw misunderstood(undefined);
        return { kind: 'events', body: events, refusal: openAiEventRefusal(refused) };
      }
      const bytes = await response.body.collect(TRANSCRIPT_BYTES);
      const transcript = readTranscript({ bytes, mediaType: headers['content-type'] ?? '' }, upstreamFormat, fields);
      if (transcript === undefined) throw misunderstood(parsed(bytes));
      return transcript;
    },
  };
}

function isEvents({ headers }: UpstreamTextResponse): boolean {
  return (headers['content-type'] ?? '').startsWith('text/event-stream');
}

function readTranscript(
  { bytes, mediaType }: { bytes: Uint8Array; mediaType: string },
  upstreamFormat: TranscriptFormat,
  { format: clientFormat = 'json', stream }: TranscriptionFields,
): Transcript | undefined {
  const json = parsed(bytes);
  const { data } = WireTranscript.safeParse(json);
  if (data === undefined) {
    const written = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    if (json instanceof Object || /html/i.test(mediaType) || !looksLike(upstreamFormat, written)) return undefined;
    return stream ? { kind: 'parsed', text: written } : { kind: 'formatted', bytes };
  }
  const { text, segments } = data;
  const usage = usageOf(data);
  const isUnchanged = upstreamFormat === clientFormat && upstreamFormat.endsWith('json');
  return {
    kind: 'parsed',
    text,
    ...(segments && { segments }),
    ...(usage && { usage }),
    // Pass on the original JSON, because parsing with the schema reorders fields.
    // The cast is safe because the schema accepts only objects.
    ...(isUnchanged && { json: json as Record<string, unknown> }),
  };
}

/** Whether text can be in the requested format, which is not JSON. Some servers send web pages with HTTP 200. */
function looksLike(upstreamFormat: TranscriptFormat, text: string): boolean {
  switch (upstreamFormat) {
    case 'vtt':
      return /^\uFEFF?WEBVTT/.test(text);
    case 'srt':
      return text.includes('-->') || text.trim() === '';
    case 'text':
      return !/^\s*<(?:!doctype|html)/i.test(text);
    case 'json':
    case 'verbose_json':
    case 'diarized_json':
      return false;
  }
}

/**
 * OpenAI reports tokens or seconds in `usage`, and Mistral reports both. Others report only
 * the duration of a verbose transcript.
 */
function usageOf({ usage = {}, duration }: WireTranscriptData): Usage | undefined {
  const { input_token_details: details, seconds, prompt_audio_seconds: promptSeconds } = usage;
  const inputTokens = usage.input_tokens ?? usage.prompt_tokens;
  const outputTokens = usage.output_tokens ?? usage.completion_tokens;
  const audioInputTokens = details?.audio_tokens;
  const audioSeconds = seconds ?? promptSeconds ?? duration;
  if (audioSeconds === undefined && (inputTokens === undefined || outputTokens === undefined)) return undefined;
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    ...(audioInputTokens !== undefined && { audioInputTokens }),
    ...(audioSeconds !== undefined && { audioSeconds }),
  };
}
